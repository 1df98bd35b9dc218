import { join } from "node:path";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { createRouteTable } from "../../domains/serving/routes.ts";
import { certificatesOf } from "../../domains/serving/presented.ts";
import { createSeal } from "../../domains/storage/seal.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Attached } from "../attached.ts";
import { pinned, run } from "../child.ts";
import { alternate, percentile } from "../compare.ts";
import { atMost, figure, type Bench, type Row } from "../row.ts";
import { residentMegabytes, startSecure, type Secure } from "../secure.ts";

/** Row 10: the cost of a hundred thousand domains compared with a hundred. */
export const attached: Row = {
  name: "attached",

  measure: async (bench) => {
    const command = await bench.executable();
    const [many, few] = [await bench.attached(MANY), await bench.attached(FEW)];
    const amount = `${MANY.toLocaleString("en")} domains`;
    const against = `${FEW} domains`;
    bench.say(`row 10: ${amount}`);
    const starts = await alternate(bench.runs, {
      ours: () => secondsToStart(command, many),
      theirs: () => secondsToStart(command, few),
    });
    const large = await afterVisits(bench, command, many);
    const small = await afterVisits(bench, command, few);
    const row = 10;
    const queries = await queriesOfStrangers(many);
    return [
      figure(
        {
          row,
          what: `start to first visit, ${amount}, compiled`,
          ...starts,
          against,
          unit: "s",
          value: starts.ours,
        },
        atMost(2, "s"),
      ),
      figure(
        {
          row,
          what: `memory (RSS) after ${VISITS.toLocaleString("en")} of them were visited`,
          ours: large.megabytes,
          theirs: small.megabytes,
          against,
          unit: "MB",
          value: large.megabytes,
        },
        atMost(600, "MB"),
      ),
      figure(
        {
          row,
          what: "first handshake of a name, p99",
          ours: large.wait,
          theirs: small.wait,
          against: "one that was visited before",
          unit: "ms",
          value: large.wait,
        },
        atMost(5, "ms"),
      ),
      figure(
        {
          row,
          what: `${STRANGERS.toLocaleString("en")} unknown names`,
          ours: queries,
          theirs: 0,
          against: "nothing",
          unit: "queries",
          value: queries,
        },
        atMost(0, "queries"),
      ),
    ];
  },

  smoke: async (bench) => {
    const some = await bench.attached(SMOKE);
    await using server = await startSecure("attached", await bench.executable(), some);
    const waits = await waitsOf(server, 0, SMOKE);
    if (waits.length !== SMOKE) throw new Error(`${waits.length} of ${SMOKE} names were served`);
    const queries = await queriesOfStrangers(some);
    if (queries !== 0) throw new Error(`unknown names cost ${queries} queries`);
    return [];
  },
};

const MANY = 100_000;
const FEW = 100;
const SMOKE = 20;
const VISITS = 5_000;
const WARM_UP = 1_000;
const STRANGERS = 100_000;
const CLIENT = join(import.meta.dir, "../clients/waits.ts");
/** Time to collect earlier garbage. */
const SETTLE_MS = 3_000;

/** Returns the seconds from spawning the program until the first visit of a domain succeeds. */
async function secondsToStart(command: readonly string[], domains: Attached): Promise<number> {
  const startedAt = performance.now();
  await using _server = await startSecure("attached start", command, domains);
  return (performance.now() - startedAt) / 1_000;
}

/** Returns the server's state after visits. Each name is visited once, or again if there are too few. */
async function afterVisits(
  bench: Bench,
  command: readonly string[],
  domains: Attached,
): Promise<{ readonly wait: number; readonly megabytes: number }> {
  await using server = await startSecure("attached", command, domains);
  const rounds = Math.ceil(VISITS / domains.count);
  const each = Math.min(VISITS, domains.count);
  // The first handshakes of a process are slow, because its code is not compiled yet, and do not count.
  const warm = Math.min(WARM_UP, domains.count);
  for (let visited = 0; visited < WARM_UP; visited += warm) await waitsOf(server, 0, warm);
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    waits.push(...(await waitsOf(server, domains.count - each, domains.count)));
  }
  bench.say(`${waits.length.toLocaleString("en")} names were visited`);
  await Bun.sleep(SETTLE_MS);
  return { wait: percentile(waits, 0.99), megabytes: await residentMegabytes(server.pid) };
}

async function waitsOf(
  { httpsPort }: Secure,
  from: number,
  to: number,
): Promise<readonly number[]> {
  const words = [httpsPort, "pets*.example.org", from, to].map(String);
  return JSON.parse(
    await run(pinned("load", [process.execPath, CLIENT, ...words])),
  ) as readonly number[];
}

/** Counts, in this process, the database queries for certificates of unknown names. */
async function queriesOfStrangers({ dataDir, nameOf }: Attached): Promise<number> {
  const sql = await bunSqliteSql({ path: join(dataDir, "petstore.db") });
  let queries = 0;
  const counting: Sql = {
    ...sql,
    query: (statement) => {
      queries++;
      return sql.query(statement);
    },
  };
  const store = await sqlStore({ sql });
  try {
    const domainStore = await sqlDomainStore({ sql: counting });
    const gatekeeper = { slugOf: async () => "site" };
    const routes = createRouteTable({ store: domainStore, gatekeeper, clock: systemClock });
    await routes.refresh();
    const written = await Bun.file(join(dataDir, "encryption.key")).text();
    const seal = createSeal(new Uint8Array(Buffer.from(written.trim(), "base64url")));
    const certificateFor = certificatesOf({ store: domainStore, routes, seal });
    if ((await certificateFor(nameOf(0))?.load()) === undefined)
      throw new Error("a name has no certificate");
    queries = 0;
    for (let stranger = 0; stranger < STRANGERS; stranger++) {
      if (certificateFor(`nobody${stranger}.example.org`) !== undefined) {
        throw new Error("an unknown name got a certificate");
      }
    }
    return queries;
  } finally {
    await store.close();
  }
}
