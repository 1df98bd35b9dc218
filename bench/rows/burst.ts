import { Database } from "bun:sqlite";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { system } from "../../lib/model/actor.ts";
import { ensureTools } from "../../scripts/debian.ts";
import { startInternet, type Internet } from "../../test/helpers/internet.ts";
import { startPebble } from "../../test/helpers/pebble.ts";
import { addedDomain, nameOf, PER_PROJECT, withStores } from "../attached.ts";
import { freePort, pinned, run } from "../child.ts";
import { median } from "../compare.ts";
import { program, startProgram } from "../program.ts";
import { publish, type Published } from "../publish.ts";
import { atLeast, atMost, figure, type Bench, type Gap, type Row } from "../row.ts";
import { residentMegabytes } from "../secure.ts";

/** Row 12: a thousand domains that are added at once, compared with their certificates alone. */
export const burst: Row = {
  name: "burst",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    bench.say(`row 12: ${DOMAINS.toLocaleString("en")} domains are added at once`);
    const [ours, theirs]: [Burst[], number[]] = [[], []];
    const model = await addDomains(bench, DOMAINS);
    for (let index = 0; index < RUNS; index++) {
      ours.push(await untilLive(bench, model, DOMAINS));
      theirs.push(DOMAINS / (await secondsOfCertificates(bench, DOMAINS)));
    }
    const amount = `${DOMAINS.toLocaleString("en")} domains`;
    const most = median(ours.map(({ mostMegabytes }) => mostMegabytes));
    const early = median(ours.map(({ earlyMegabytes }) => earlyMegabytes));
    return [
      figure(
        {
          row: 12,
          what: `${amount} added at once become live, from source`,
          ours: median(ours.map(({ seconds }) => DOMAINS / seconds)),
          against: "the CA alone, the same certificates",
          theirs: median(theirs),
          unit: "/s",
        },
        atLeast(0.5),
      ),
      figure(
        {
          row: 12,
          what: `most memory (RSS) until all ${amount} are live`,
          ours: most,
          against: "when a fifth of them is",
          theirs: early,
          unit: "MB",
        },
        atMost(1.3, "times"),
      ),
    ];
  },

  smoke: async (bench) => {
    const lacks = TOOLS.find(({ command }) => Bun.which(command) === null);
    if (lacks !== undefined) return [gap(`${lacks.debianPackage} is not installed`)];
    await untilLive(bench, await addDomains(bench, FEW), FEW);
    await secondsOfCertificates(bench, FEW);
    return [];
  },
};

const DOMAINS = 1_000;
const FEW = 3;
const RUNS = 3;
const TOOLS = [
  { command: "pebble", debianPackage: "pebble" },
  { command: "openssl", debianPackage: "openssl" },
  { command: "knotd", debianPackage: "knot" },
  { command: "kdig", debianPackage: "knot-dnsutils" },
  { command: "unbound", debianPackage: "unbound" },
];
const CLIENT = join(import.meta.dir, "../clients/issuance.ts");
const CNAME_TARGET = "cname.petstore.example";
const POLL_EVERY_MS = 50;
const PATIENCE_MS = 300_000;
/** Pebble 2.4.0 sometimes deadlocks while many requests lock its store. Then the next attempt starts another one. */
const ATTEMPTS = 5;

function gap(reason: string): Gap {
  return { row: 12, what: "domains added at once", reason };
}

/** Returns how long a CA takes to issue the certificates for a client that does nothing else. */
async function secondsOfCertificates(bench: Bench, count: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await secondsOfOneCa(bench, count);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      bench.say(`row 12: the CA stopped responding to the reference; attempt ${attempt + 1}`);
    }
  }
}

async function secondsOfOneCa({ scratch }: Bench, count: number): Promise<number> {
  const httpPort = freePort();
  await using pebble = await startPebble({ httpPort, tlsPort: freePort(), refusedNonces: 0 });
  const trusted = join(scratch, "burst.pem");
  await Bun.write(trusted, pebble.listenerCertificate);
  const words = [pebble.directoryUrl, trusted, String(httpPort), String(count)];
  return Number(await run(pinned("server", [process.execPath, CLIENT, ...words])));
}

interface Burst {
  /** From the start of the program until the last domain is live. */
  readonly seconds: number;
  readonly mostMegabytes: number;
  /** When a fifth of the domains is live. */
  readonly earlyMegabytes: number;
}

/** Starts the program on a copy of a data directory with domains that were just added. */
async function untilLive({ scratch }: Bench, model: string, count: number): Promise<Burst> {
  const home = join(scratch, `burst-${crypto.randomUUID()}`);
  const dataDir = join(home, "data");
  await cp(model, dataDir, { recursive: true });
  const [httpPort, httpsPort] = [freePort(), freePort()];
  await using internet = await startZones(count);
  await using pebble = await startPebble({ httpPort, tlsPort: httpsPort, refusedNonces: 0 });
  const trusted = join(home, "pebble.pem");
  await Bun.write(trusted, pebble.listenerCertificate);
  const startedAt = performance.now();
  await using server = await startProgram("burst", program, {
    dataDir,
    port: httpPort,
    args: [
      "--base-domain=petstore.example",
      `--listen-https=127.0.0.1:${httpsPort}`,
      `--dns-servers=${internet.resolver}`,
      `--acme=${pebble.directoryUrl}`,
      `--acme-ca-file=${trusted}`,
      "--allow-private-networks",
    ],
  });
  using database = new Database(join(dataDir, "petstore.db"), { readonly: true });
  const live = database.query<{ readonly live: number }, [string]>(
    `SELECT count(*) AS live FROM domains WHERE name LIKE ? AND facts LIKE '%"liveSince":%'`,
  );
  const pattern = nameOf(0).replace("0", "%");
  let [mostMegabytes, earlyMegabytes] = [0, 0];
  for (;;) {
    const done = live.get(pattern)?.live ?? 0;
    const megabytes = await residentMegabytes(server.pid);
    mostMegabytes = Math.max(mostMegabytes, megabytes);
    if (done < count / 5) earlyMegabytes = mostMegabytes;
    if (done === count) break;
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`${done} became live`);
    await Bun.sleep(POLL_EVERY_MS);
  }
  return { seconds: (performance.now() - startedAt) / 1_000, mostMegabytes, earlyMegabytes };
}

/** Publishes pages and adds domains to their projects, as many to each as it may have. Returns the data directory. */
async function addDomains({ scratch }: Bench, count: number): Promise<string> {
  const [site, dataDir] = [join(scratch, "burst-site"), join(scratch, "burst-model", "data")];
  await Bun.write(join(site, "index.html"), "<!doctype html><title>Pets</title>");
  const projects: Published[] = [];
  for (let made = 0; made < count; made += PER_PROJECT) projects.push(await publish(site, dataDir));
  await withStores(dataDir, async ({ domains }) => {
    const at = Date.now();
    const most = Number.MAX_SAFE_INTEGER;
    const limits = { maxOfProject: most, maxUnverified: most, maxRemoved: most };
    const changes = Array.from({ length: count }, (_, index) => {
      const project = projects[Math.floor(index / PER_PROJECT)];
      if (project === undefined) throw new Error("a domain has no project");
      const domain = addedDomain(project, index, at);
      return { kind: "domain.add", domain, dueAt: at, news: [], at, ...limits } as const;
    });
    const added = await domains.commit(changes, system);
    if (!added.ok) throw new Error("the domains were not added");
  });
  return dataDir;
}

/** The DNS of the domains, in one signed zone. The CA has its own. */
function startZones(count: number): Promise<Internet> {
  const lines = Array.from({ length: count }, (_, index) => {
    const [label] = nameOf(index).split(".");
    const { targetLabel } = addedDomain({ projectId: "", accountId: "" }, index, 0);
    return `${label} CNAME ${targetLabel}.${CNAME_TARGET}.`;
  });
  return startInternet(
    {
      "petstore.example": { lines: ["@ A 127.0.0.1", "* A 127.0.0.1", "*.cname A 127.0.0.1"] },
      "example.org": { signed: true, lines },
    },
    // Like real resolvers.
    { remembers: true },
  );
}
