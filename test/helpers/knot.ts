import { createSocket } from "node:dgram";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why there is no Knot here that could listen on port 53; undefined if there is. */
export const knotMissing: string | undefined = ["knotd", "knotc", "keymgr", "kdig"].some(
  (command) => Bun.which(command) === null,
)
  ? "needs the Debian packages knot and knot-dnsutils"
  : process.getuid?.() === 0
    ? undefined
    : "needs root for port 53";

export interface KnotZone {
  /** As in a zone file, relative to its head: `pets CNAME www`. A SOA record is added when there is none. */
  readonly lines: readonly string[];
  /** Signed with ECDSA P-256, one key. Default false. */
  readonly signed?: boolean;
}

export interface KnotOptions {
  /** Where it listens, on port 53; all of them have the same zones. From `nameServerAddress`. */
  readonly addresses: readonly [string, ...string[]];
  /** By their heads, `.` for the root. */
  readonly zones: Readonly<Record<string, KnotZone>>;
}

/** An authoritative name server as others run it. */
export interface Knot extends AsyncDisposable {
  /** What the zone above has to say of a zone that is signed: `48436 13 2 …`. */
  dsOf(apex: string): Promise<string>;
  /** Changes a zone at once: `set pets 5 A 192.0.2.1`, `unset pets A`. */
  change(apex: string, ...edits: readonly string[]): Promise<void>;
  /** The lines of a zone as they are served, signatures included. */
  linesOf(apex: string): Promise<readonly string[]>;
}

/** A test that is killed takes it along, where the system can do that. */
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

/** Starts Knot and resolves when it answers for every zone. */
export async function startKnot({ addresses, zones }: KnotOptions): Promise<Knot> {
  const directory = await mkdtemp(join(tmpdir(), "knot-"));
  const configuration = join(directory, "knot.conf");
  const control = join(directory, "knot.sock");
  await Promise.all(["db", "zones"].map((name) => mkdir(join(directory, name))));
  await Promise.all(
    Object.entries(zones).map(([apex, { lines }]) =>
      writeFile(join(directory, "zones", fileOf(apex)), zoneFile(apex, lines)),
    ),
  );
  await writeFile(configuration, configurationOf(directory, control, { addresses, zones }));
  const child = Bun.spawn([...dying, "knotd", "-c", configuration], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
    await rm(directory, { recursive: true, force: true });
  };
  const knotc = (...args: readonly string[]): Promise<string> =>
    output(["knotc", "-s", control, ...args]);
  try {
    await Promise.all(addresses.map((address) => answers(address, Object.keys(zones))));
  } catch (error) {
    const log = await readFile(join(directory, "knot.log"), "utf8").catch(() => "");
    await stop();
    throw new Error(`Knot did not start:\n${log}`, { cause: error });
  }
  return {
    dsOf: async (apex) => {
      const records = await output(["keymgr", "-c", configuration, apex, "ds"]);
      const [, digest] = /\bDS\s+(\d+ 13 2 \w+)/.exec(records) ?? [];
      if (digest === undefined) throw new Error(`${apex} has no key: ${records}`);
      return digest;
    },
    change: async (apex, ...edits) => {
      await knotc("zone-begin", apex);
      for (const edit of edits) {
        const [command = "", ...words] = edit.split(" ");
        await knotc(`zone-${command}`, apex, ...words);
      }
      await knotc("zone-commit", apex);
    },
    linesOf: async (apex) => {
      const records = await output(["knotc", "-s", control, "zone-read", apex]);
      return records
        .split("\n")
        .map((line) => line.replace(/^\[[^\]]*\] /, ""))
        .filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** What Knot's own client prints: the answers, a line each. */
export async function kdig(address: string, ...question: readonly string[]): Promise<string[]> {
  const printed = await output(["kdig", `@${address}`, "+short", ...question]);
  return printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
}

/** Runs a command; what it printed. Throws when it fails. */
export async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "pipe", "pipe"] });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return printed;
  throw new Error(`${command.join(" ")} failed:\n${complaint}${printed}`);
}

/** Resolves when the server has all zones; one without zones, when it says anything. Fails after 60 s. */
export async function answers(address: string, zones: readonly string[]): Promise<void> {
  const until = Date.now() + 60_000;
  for (const apex of zones.length === 0 ? ["."] : zones) {
    for (;;) {
      // By TCP: who does not listen yet is known at once.
      const said = await kdig(address, apex, "SOA", "+tcp", "+retry=0").catch(() => undefined);
      if (said !== undefined && (said.length > 0 || zones.length === 0)) break;
      if (Date.now() > until) throw new Error(`${address} does not answer for ${apex}`);
      await Bun.sleep(20);
    }
  }
}

const given = new Set<string>();

/** Returns an address of this machine on which nobody listens for DNS, and which is given to nobody else in this process. */
export async function nameServerAddress(): Promise<string> {
  for (let tries = 0; tries < 500; tries++) {
    // By chance, for several processes look at the same time.
    const address = `127.53.${drawn()}.${drawn()}`;
    if (given.has(address) || !(await isFree(address))) continue;
    given.add(address);
    return address;
  }
  throw new Error("every address is taken");
}

function drawn(): number {
  return 1 + Math.floor(Math.random() * 250);
}

function isFree(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind(53, address, () => socket.close(() => resolve(true)));
  });
}

function fileOf(apex: string): string {
  return apex === "." ? "root.zone" : `${apex}.zone`;
}

function zoneFile(apex: string, lines: readonly string[]): string {
  const head = [`$ORIGIN ${apex === "." ? "." : `${apex}.`}`, "$TTL 5"];
  const hasAuthority = lines.some((line) => / SOA /.test(line));
  const authority = hasAuthority ? [] : ["@ SOA ns1 admin 1 7200 900 1209600 5"];
  return `${[...head, ...authority, ...lines].join("\n")}\n`;
}

function configurationOf(
  directory: string,
  control: string,
  { addresses, zones }: KnotOptions,
): string {
  const signing = "\n    dnssec-signing: on\n    dnssec-policy: fast";
  const listed = Object.entries(zones).map(
    ([apex, { signed = false }]) =>
      `  - domain: "${apex}"\n    file: "${fileOf(apex)}"${signed ? signing : ""}`,
  );
  return `server:
    rundir: "${directory}"
    listen: [ ${addresses.map((address) => `${address}@53`).join(", ")} ]
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${directory}/db"
control:
    listen: "${control}"
log:
  - target: "${directory}/knot.log"
    any: info
policy:
  - id: fast
    algorithm: ECDSAP256SHA256
    single-type-signing: on
    propagation-delay: 5
    dnskey-ttl: 5
    zone-max-ttl: 5
    rrsig-lifetime: 1h
    rrsig-refresh: 10m
    rrsig-pre-refresh: 1m
template:
  - id: default
    storage: "${directory}/zones"
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
zone:
${listed.join("\n")}
`;
}
