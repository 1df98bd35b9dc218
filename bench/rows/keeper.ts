import { join } from "node:path";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { createDomains, internalAuthority, projectGatekeeper } from "../../domains/index.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { silentLog, type Log } from "../../lib/base/log.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../../testing/clock.ts";
import type { Attached } from "../attached.ts";
import { alternate } from "../compare.ts";
import { atMost, figure, type Row } from "../row.ts";

/** Row 13: the jobs of domains while no task but their daily looks is due. */
export const keeper: Row = {
  name: "keeper",

  measure: async (bench) => {
    const amounts = { ours: MANY, theirs: FEW };
    const [many, few] = [await bench.attached(MANY), await bench.attached(FEW)];
    for (const attached of [many, few]) await settle(attached);
    await using large = await openKeeper(many);
    await using small = await openKeeper(few);
    bench.say(`row 13: a minute of daily looks, ${MANY.toLocaleString("en")} domains`);
    const [first, other] = [await large.start(), await small.start()];
    const [queries, fewer] = [await large.minute(), await small.minute()];
    const times = await alternate(bench.runs, {
      ours: async () => (await large.minute()).micros,
      theirs: async () => (await small.minute()).micros,
    });
    const named = (what: string) => ({
      row: 13,
      what: `${what}, ${amounts.ours.toLocaleString("en")} domains`,
      against: `${amounts.theirs} domains`,
    });
    // The rounds would have passed anyway.
    const idle = (rounds: number): number => (rounds * fewer.queries) / ROUNDS;
    const reads = {
      ours: first.queries - idle(first.rounds),
      theirs: other.queries - idle(other.rounds),
    };
    const perDomain = (reads.ours - reads.theirs) / (MANY - FEW);
    return [
      figure(
        {
          ...named("queries of a minute of daily looks"),
          ours: queries.queries,
          theirs: fewer.queries,
          unit: "queries",
          value: (queries.queries - fewer.queries) / MORE_LOOKS,
        },
        atMost(20, "a look"),
      ),
      figure(
        {
          ...named("a round of the minute, in process"),
          ...times,
          unit: "µs",
          value: ((times.ours - times.theirs) * ROUNDS) / MORE_LOOKS,
        },
        atMost(2_000, "µs a look"),
      ),
      figure(
        {
          ...named("queries for reading all domains after the start"),
          ...reads,
          unit: "queries",
          value: perDomain,
        },
        // One of them reads its certificate, to build its TLS context once.
        atMost(1.1, "a domain"),
      ),
    ];
  },

  smoke: async (bench) => {
    await using some = await openKeeper(await bench.attached(SMOKE));
    const { rounds } = await some.start();
    const { queries } = await some.minute();
    if (rounds < 1 || queries === 0) throw new Error("the keeper does not look for due tasks");
    if (queries > MOST_QUERIES_A_ROUND * ROUNDS) {
      throw new Error(`a minute without due tasks took ${queries} queries`);
    }
    return [];
  },
};

const MANY = 100_000;
const FEW = 100;
const SMOKE = 20;
/** The looks at DNS that the many domains take in a minute, beyond those of the few: one a day and domain. */
const MORE_LOOKS = (MANY - FEW) / (24 * 60);
const ROUND_MS = 250;
const ROUNDS = MINUTE_MS / ROUND_MS;
/** Feeds, routes, due tasks: however many domains there are. */
const MOST_QUERIES_A_ROUND = 12;

interface Keeper extends AsyncDisposable {
  /** Runs rounds until every domain was read once. */
  start(): Promise<{ readonly rounds: number; readonly queries: number }>;
  /** Runs the rounds of a minute; the time is that of one round. */
  minute(): Promise<{ readonly queries: number; readonly micros: number }>;
}

/** The first start corrects what the bench wrote. */
async function settle(attached: Attached): Promise<void> {
  await using keeper = await openKeeper(attached);
  await keeper.start();
}

/** Opens the jobs of domains in this process, with a clock that a round moves. */
async function openKeeper({ dataDir, count }: Attached): Promise<Keeper> {
  const sql = await bunSqliteSql({ path: join(dataDir, "petstore.db") });
  let queries = 0;
  const counting: Sql = {
    ...sql,
    query: (statement) => {
      queries++;
      return sql.query(statement);
    },
    batch: (steps, accept) => {
      queries++;
      return sql.batch(steps, accept);
    },
  };
  const clock = manualClock(Date.now());
  const store = await sqlStore({ sql: counting });
  const projectStore = await sqlProjectStore({ sql: counting });
  const written = await Bun.file(join(dataDir, "encryption.key")).text();
  const domains = createDomains({
    store,
    domainStore: await sqlDomainStore({ sql: counting }),
    leases: sqlLeases({ sql: counting, clock }),
    encryptionKey: new Uint8Array(Buffer.from(written.trim(), "base64url")),
    gatekeeper: projectGatekeeper({ store, projectStore }),
    authorities: [internalAuthority({ clock, random: systemRandom })],
    resolvers: [{ address: "127.0.0.1", port: 53 }],
    cnameTarget: "cname.petstore.example",
    ownDomains: ["petstore.example"],
    probe: async () => true,
    clock,
    log: failing,
  });
  const round = async (): Promise<void> => {
    clock.advance(ROUND_MS);
    await domains.jobs.tick();
  };
  const counted = async (rounds: number) => {
    const [before, startedAt] = [queries, performance.now()];
    for (let done = 0; done < rounds; done++) await round();
    const micros = ((performance.now() - startedAt) * 1_000) / rounds;
    return { rounds, queries: queries - before, micros };
  };
  return {
    start: () => counted(Math.ceil(count / READ_A_ROUND) + 2),
    minute: () => counted(ROUNDS),
    [Symbol.asyncDispose]: async () => {
      await domains.close();
      await store.close();
    },
  };
}

/** The domains that each of the jobs reads in a round after the start, at least: `PAGE` in domains/projects/site-maps.ts. */
const READ_A_ROUND = 100;

/** A job that fails would look cheap. */
const failing: Log = {
  ...silentLog,
  warn: (message) => {
    throw new Error(message);
  },
  error: (message, error) => {
    throw new Error(message, { cause: error });
  },
};
