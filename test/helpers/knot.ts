import { createSocket } from "node:dgram";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The reason why Knot cannot run on port 53; undefined if it can. */
export const knotMissing: string | undefined = ["knotd", "knotc", "keymgr", "kdig"].some(
  (command) => Bun.which(command) === null,
)
  ? "needs the Debian packages knot and knot-dnsutils"
  : process.getuid?.() === 0
    ? undefined
    : "needs root for port 53";

const SIGNING_ALGORITHMS = [
  "ECDSAP256SHA256",
  "ECDSAP384SHA384",
  "ED25519",
  "RSASHA256",
  "RSASHA512",
] as const;

/** Algorithms of DNSSEC, in Knot's words. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export interface KnotZone {
  /** Lines of a zone file, relative to the apex: `pets CNAME www`. A missing SOA record is added. */
  readonly lines: readonly string[];
  /** True to sign it with one key. Default false. */
  readonly signed?: boolean;
  /** The algorithm of the key. Default: ECDSA P-256. */
  readonly algorithm?: SigningAlgorithm;
}

export interface KnotOptions {
  /** The addresses to listen on, port 53, from `nameServerAddress`. All serve the same zones. */
  readonly addresses: readonly [string, ...string[]];
  /** The zones by apex; `.` is the root. */
  readonly zones: Readonly<Record<string, KnotZone>>;
}

/** A real authoritative name server. */
export interface Knot extends AsyncDisposable {
  /** Returns the DS record of a signed zone: `48436 13 2 …`. */
  dsOf(apex: string): Promise<string>;
  /** Changes a zone immediately: `set pets 5 A 192.0.2.1`, `unset pets A`. */
  change(apex: string, ...edits: readonly string[]): Promise<void>;
  /** Returns the lines of a zone as served, including signatures. */
  linesOf(apex: string): Promise<readonly string[]>;
}

/** Ends the server with a killed test, where the system supports it. */
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

/** Starts Knot and resolves once it serves every zone. */
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
      const [, digest] = /\bDS\s+(\d+ \d+ 2 \w+)/.exec(records) ?? [];
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

/** Returns the answers of Knot's own client, one per line. */
export async function kdig(address: string, ...question: readonly string[]): Promise<string[]> {
  const printed = await output(["kdig", `@${address}`, "+short", ...question]);
  return printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
}

/** Runs a command and returns its output. Throws if it fails. */
export async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "pipe", "pipe"] });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return printed;
  throw new Error(`${command.join(" ")} failed:\n${complaint}${printed}`);
}

/** Resolves when the server serves all zones or, without zones, responds at all. Fails after 60 s. */
export async function answers(address: string, zones: readonly string[]): Promise<void> {
  const until = Date.now() + 60_000;
  for (const apex of zones.length === 0 ? ["."] : zones) {
    for (;;) {
      // Over TCP, because a closed port fails immediately.
      const said = await kdig(address, apex, "SOA", "+tcp", "+retry=0").catch(() => undefined);
      if (said !== undefined && (said.length > 0 || zones.length === 0)) break;
      if (Date.now() > until) throw new Error(`${address} does not answer for ${apex}`);
      await Bun.sleep(20);
    }
  }
}

const given = new Set<string>();

/** Returns a local address that is free for DNS and was not returned before in this process. */
export async function nameServerAddress(): Promise<string> {
  for (let tries = 0; tries < 500; tries++) {
    // Random, because several processes search at the same time.
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
  const signingBy = (algorithm: SigningAlgorithm = "ECDSAP256SHA256"): string =>
    `\n    dnssec-signing: on\n    dnssec-policy: ${algorithm}`;
  const listed = Object.entries(zones).map(
    ([apex, { signed = false, algorithm }]) =>
      `  - domain: "${apex}"\n    file: "${fileOf(apex)}"${signed ? signingBy(algorithm) : ""}`,
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
${SIGNING_ALGORITHMS.map(policyOf).join("")}template:
  - id: default
    storage: "${directory}/zones"
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
zone:
${listed.join("\n")}
`;
}

function policyOf(algorithm: SigningAlgorithm): string {
  return `  - id: ${algorithm}
    algorithm: ${algorithm}
    single-type-signing: on
    propagation-delay: 5
    dnskey-ttl: 5
    zone-max-ttl: 5
    rrsig-lifetime: 1h
    rrsig-refresh: 10m
    rrsig-pre-refresh: 1m
`;
}
