import { afterAll, beforeAll, expect, test } from "bun:test";

import postgres from "postgres";

import { locksOf } from "../../adapters/postgres/locks.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import type { Sql, Statement } from "../../lib/sql/sql.ts";
import { followFeed } from "../../lib/storage/feed.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

/** The notices of an hour are written in so many parts, while a transaction stays open. */
const PARTS = 10;
const PER_PART = torture ? 20_000 : 2_000;
/** More than the test takes. */
const PATIENCE_MS = 600_000;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Open {
  /** Commits. */
  readonly end: () => Promise<unknown>;
}

/** A transaction of another program, such as a dump of the database. */
async function ofAnotherProgram(url: string): Promise<Open> {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  await client.unsafe("BEGIN; SELECT pg_current_xact_id(); SELECT count(*) FROM feed");
  return {
    end: async () => {
      await client.unsafe("COMMIT");
      await client.end({ timeout: 1 });
    },
  };
}

/** A write of another node, such as an upgrade of its tables. Its notice has a smaller number than all others. */
async function ofAnotherNode(url: string): Promise<Open> {
  const sql = await postgresSql({ url, connect: postgres, queryTimeoutMs: PATIENCE_MS });
  const gate = await server.gate(nameOf(url));
  const steps = [notice("late"), gate.text].map((text) => ({ text, values: [] }));
  const batch = sql.batch(steps, () => true, "slow");
  await gate.reached();
  return {
    end: async () => {
      await gate.open();
      await batch;
      await sql.close();
    },
  };
}

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

const notice = (subject: string): string =>
  `INSERT INTO feed (topic, subject, written_at) VALUES ('key', '${subject}', 0)`;

const notices = (part: number): string => `INSERT INTO feed (topic, subject, written_at)
  SELECT 'key', 'p${part}-' || n, 0 FROM generate_series(1, ${PER_PART}) AS n`;

const EVENT = `INSERT INTO events (type, account_id, occurred_at, data)
  VALUES ('account.renamed', 'acc', 0, '{}')`;

/** Work of the database for one poll. */
interface Work {
  readonly queries: number;
  readonly rows: number;
  /** Pages of tables and indexes that the database read. */
  readonly pages: number;
}

for (const [whose, open] of [
  ["another program", ofAnotherProgram],
  ["another node", ofAnotherNode],
] as const) {
  test(`a transaction of ${whose} that stays open makes no poll of the feed more expensive`, async () => {
    const url = await server.createDatabase();
    const sql = await postgresSql({ url, connect: postgres, connections: 4 });
    const run = (text: string): ReturnType<TestPostgres["run"]> => server.run(text, nameOf(url));
    const asked: Statement[] = [];
    const counted: Sql = {
      ...sql,
      query: (statement) => {
        asked.push(statement);
        return sql.query(statement);
      },
    };
    const store = await sqlStore({ sql: counted });
    const forgotten = new Map<string, number>();
    const poll = followFeed(store, () => 0, {
      forget: (_topic, subject) => void forgotten.set(subject, (forgotten.get(subject) ?? 0) + 1),
      forgetAll: () => undefined,
      confirm: () => undefined,
    });
    await poll();

    /** Polls, and repeats its queries to measure them. */
    const idlePoll = async (): Promise<Work> => {
      asked.length = 0;
      await poll();
      const statements = [...asked];
      let work: Work = { queries: statements.length, rows: 0, pages: 0 };
      for (const { text, values } of statements) {
        const [row] = await sql.query({
          text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        });
        const [{ Plan }] = JSON.parse(JSON.stringify(row?.["QUERY PLAN"]));
        const pages = Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
        work = {
          ...work,
          rows: work.rows + Plan["Actual Rows"],
          pages: work.pages + pages,
        };
      }
      return work;
    };

    const transaction = await open(url);
    const idle: Work[] = [];
    for (let part = 1; part <= PARTS; part++) {
      await run(notices(part));
      // Numbers that are never used look like those that appear later.
      await run(`BEGIN; ${notice("rolled back")}; ROLLBACK; ${EVENT}`);
      await poll();
      await run(notice(`revoked ${part}`));
      await poll();
      expect(forgotten.size).toBe(part * (PER_PART + 1));
      forgotten.forEach((times) => expect(times).toBe(1));
      idle.push(await idlePoll());
    }
    for (const { queries, rows, pages } of idle) {
      expect(rows).toBeLessThan(10);
      // A gap in the numbers is one more query.
      expect(queries).toBeLessThan(PARTS + 5);
      expect(pages).toBeLessThan(20 * queries);
    }
    // Durable cursors wait for transactions that may yet write a smaller number.
    const [row] = await run("SELECT MAX(seq)::int AS last FROM feed");
    const delays = whose === "another node";
    expect(await store.feed.last()).toBe(delays ? 0 : Number(row?.["last"]));
    expect(await store.events.last()).toBe(delays ? 0 : PARTS);

    await transaction.end();
    await poll();
    expect(forgotten.get("late")).toBe(delays ? 1 : undefined);
    forgotten.forEach((times) => expect(times).toBe(1));
    expect(await store.feed.last()).toBe(Number(row?.["last"]));
    expect(await store.events.last()).toBe(PARTS);
    await poll();
    asked.length = 0;
    await poll();
    expect(asked).toHaveLength(1);
    await store.close();
  });
}

test("after a failover that lost writes, no number that is used again hides a change", async () => {
  await using primary = await startPostgres();
  await using standby = await startPostgres({ standbyOf: primary });
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const sql = await postgresSql({ url, connect: postgres });
  const store = await sqlStore({ sql });
  const heard: string[] = [];
  const poll = followFeed(store, () => 0, {
    forget: (_topic, subject) => void heard.push(subject),
    forgetAll: () => void heard.push("all"),
    confirm: () => undefined,
  });
  const write = (text: string): Promise<unknown> => sql.batch([{ text, values: [] }], () => true);
  const until = async (server: TestPostgres, condition: string): Promise<void> => {
    while ((await server.run(`SELECT 1 WHERE ${condition}`)).length === 0) await Bun.sleep(5);
  };
  const revise = "UPDATE catalogues SET revision = revision + 1";
  await write(`INSERT INTO catalogues (account_id, environment, next_pet_id, next_category_id, next_order_id, revision)
    VALUES ('acc', 'production', 1, 1, 1, 7)`);
  await write(notice("kept"));
  await poll();
  const [written] = await primary.run("SELECT pg_current_wal_lsn()::text AS lsn");
  await until(standby, `pg_last_wal_replay_lsn() >= '${String(written?.["lsn"])}'`);
  await standby.run("ALTER SYSTEM SET primary_conninfo = ''");
  await standby.run("SELECT pg_reload_conf()");
  await until(primary, "NOT EXISTS (SELECT 1 FROM pg_stat_replication)");

  // More than the numbers that a sequence skips after a failover.
  const lost = Array.from({ length: 100 }, (_, index) => `lost ${index}`);
  for (const subject of lost) await write(notice(subject));
  await write(revise);
  const lostRevision = await store.catalogues.revision(1);
  await poll();
  expect(heard.splice(0)).toEqual(["all", ...lost]);

  await primary.stop("SIGQUIT");
  await standby.run("SELECT pg_promote(true, 30)");
  await write(notice("again"));
  const [last] = await sql.query({ text: "SELECT MAX(seq) AS seq FROM feed", values: [] });
  expect(Number(last?.["seq"])).toBeWithin(2, 100);
  await write(revise);
  const revision = await store.catalogues.revision(1);
  expect(revision).not.toBe(lostRevision);
  expect(revision).toBeLessThan(Number.MAX_SAFE_INTEGER);
  await poll();
  expect(heard.splice(0)).toEqual(["all"]);
  await write(notice("later"));
  await poll();
  expect(heard.splice(0)).toEqual(["later"]);

  // Nodes that start later agree on the revision: it is part of what clients keep.
  const another = await sqlStore({ sql: await postgresSql({ url, connect: postgres }) });
  expect(await another.catalogues.revision(1)).toBe(revision);
  await another.close();
  await store.close();
});

test("settled numbers advance while writes overlap, however often callers ask", async () => {
  const url = await server.createDatabase();
  const sql = await postgresSql({ url, connect: postgres });
  const store = await sqlStore({ sql });
  const write = async (): Promise<Open> => {
    const client = postgres(url, { max: 1, fetch_types: false });
    await client.unsafe(
      `BEGIN; SELECT pg_advisory_xact_lock_shared(${locksOf("public").writers.join(", ")}); ${EVENT}`,
    );
    return {
      end: async () => {
        await client.unsafe("COMMIT");
        await client.end({ timeout: 1 });
      },
    };
  };
  const ask = async (times: number): Promise<number> => {
    let last = 0;
    for (let n = 0; n < times; n++) last = await store.events.last();
    return last;
  };
  const first = await write();
  expect(await ask(1)).toBe(0);
  const second = await write();
  expect(await ask(100)).toBe(0);
  await first.end();
  expect(await ask(1)).toBe(1);
  await second.end();
  expect(await ask(1)).toBe(2);
  await store.close();
});
