import { join } from "node:path";
import { dataDirectory } from "../../server/data/data-directory.ts";
import type { PetstoreClient, PetstoreOperations } from "../../domains/operations.ts";
import { managementClient } from "../../lib/management/index.ts";
import { ensureTools } from "../../scripts/debian.ts";
import { startInternet } from "../../test/helpers/internet.ts";
import { startPebble } from "../../test/helpers/pebble.ts";
import { freePort } from "../child.ts";
import { median, percentile } from "../compare.ts";
import { program, startProgram } from "../program.ts";
import { publish } from "../publish.ts";
import { atMost, figure, type Bench, type Gap, type Row } from "../row.ts";
import { completesHandshake } from "../secure.ts";
import { valueOf } from "../service.ts";

/** Row 11: from verification to the first HTTPS visit, with a local CA and DNS. */
export const verifyLive: Row = {
  name: "verify-live",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    bench.say(`row 11: ${DOMAINS} domains become live, one after the other`);
    const waits = await waitsUntilLive(bench, DOMAINS);
    const shared = { row: 11, against: "nothing", theirs: 0, unit: "s" } as const;
    return [
      { part: median(waits), name: "p50", bound: 1.5 },
      { part: percentile(waits, 0.99), name: "p99", bound: 3 },
    ].map(({ part, name, bound }) =>
      figure(
        { ...shared, what: `Verify until live, ${name}, from source`, ours: part, value: part },
        atMost(bound, "s"),
      ),
    );
  },

  smoke: async (bench) => {
    const lacks = TOOLS.find(({ command }) => Bun.which(command) === null);
    if (lacks !== undefined) return [gap(`${lacks.debianPackage} is not installed`)];
    await waitsUntilLive(bench, 1);
    return [];
  },
};

/** The most domains of a project. */
const DOMAINS = 100;
const TOOLS = [
  { command: "pebble", debianPackage: "pebble" },
  { command: "openssl", debianPackage: "openssl" },
  { command: "knotd", debianPackage: "knot" },
  { command: "kdig", debianPackage: "knot-dnsutils" },
  { command: "unbound", debianPackage: "unbound" },
];
const POLL_EVERY_MS = 5;
const PATIENCE_MS = 30_000;

function gap(reason: string): Gap {
  return { row: 11, what: "Verify until live", reason };
}

/** Returns the seconds from each request to the first handshake, for domains that had no record at first. */
async function waitsUntilLive(bench: Bench, count: number): Promise<readonly number[]> {
  const home = join(bench.scratch, "verify-live");
  const [site, dataDir] = [join(home, "site"), join(home, "data")];
  await Bun.write(join(site, "index.html"), "<!doctype html><title>Pets</title>");
  const { slug } = await publish(site, dataDir);
  const httpsPort = freePort();
  const httpPort = freePort();
  await using internet = await startInternet({
    "petstore.example": { lines: ["@ A 127.0.0.1", "* A 127.0.0.1", "*.cname A 127.0.0.1"] },
    "shelter.org": { signed: true, lines: [] },
  });
  await using pebble = await startPebble({ httpPort, tlsPort: httpsPort, refusedNonces: 0 });
  const trusted = join(home, "pebble.pem");
  await Bun.write(trusted, pebble.listenerCertificate);
  await using _server = await startProgram("verify live", program, {
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
  const { socket } = dataDirectory(dataDir);
  const client = managementClient<PetstoreOperations>({
    send: (request) => fetch(request, { unix: socket }),
  });
  const waits: number[] = [];
  for (let index = 0; index < count; index++) {
    const label = `pets${index}`;
    const name = `${label}.shelter.org`;
    const target = await addChecked(client, slug, name);
    await internet.change("shelter.org", `set ${label} 5 CNAME ${target}.`);
    const clickedAt = performance.now();
    valueOf(
      await client.call("POST /projects/:project/domains/:domain/verify", {
        project: slug,
        domain: name,
      }),
    );
    await until(() => completesHandshake(httpsPort, name));
    waits.push((performance.now() - clickedAt) / 1_000);
  }
  return waits;
}

/** Adds a domain, waits for the first DNS check, and returns its target. */
async function addChecked(
  { call }: PetstoreClient,
  project: string,
  domain: string,
): Promise<string> {
  const added = await call("POST /projects/:project/domains", { project, body: { domain } });
  const { records } = valueOf(added);
  await until(async () => {
    const shown = await call("GET /projects/:project/domains/:domain", { project, domain });
    return valueOf(shown).dns.state === "blocked";
  });
  const record = records.find(({ purpose }) => purpose === "routing");
  if (record === undefined) throw new Error(`${domain} was given no target`);
  return record.value;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("it took more than half a minute");
    await Bun.sleep(POLL_EVERY_MS);
  }
}
