import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import postgres from "postgres";

import { claimPostgres, isClaimed, type PostgresClaim } from "../../adapters/postgres/claim.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { HOUR_MS } from "../../lib/base/clock.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { AskedPlace } from "../../lib/management/index.ts";
import { nodeSchema, sqlNodes, type Nodes } from "../../server/nodes/nodes.ts";
import { keepFilesFromOlder } from "../../server/nodes/older-nodes.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
let url: string;
let databases: Sql[];
let here: Nodes;
let there: Nodes;

const facts = {
  version: "1",
  addresses: [],
  lagMs: 0,
  databaseMs: 0,
  clockAheadMs: 0,
  limitsIn: "postgres",
  redis: "off",
} as const;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  databases = await Promise.all(
    ["here", "there"].map(() => postgresSql({ url, connect: postgres, connections: 4 })),
  );
  const [first, second] = databases;
  if (first === undefined || second === undefined) throw new Error("unreachable");
  await migrate(first, [nodeSchema], 0);
  [here, there] = [
    sqlNodes(first, { id: "here", name: "here" }),
    sqlNodes(second, { id: "there", name: "there" }),
  ];
});

beforeEach(async () => {
  await run("DELETE FROM places; DELETE FROM nodes");
  for (const node of [here, there]) await node.report(facts, true);
  // However slow the test is, neither is lost.
  await run(`UPDATE nodes SET seen_at = seen_at + ${HOUR_MS}`);
});

afterAll(async () => {
  await Promise.all(databases.map((sql) => sql.close()));
  await server[Symbol.asyncDispose]();
});

const run = (text: string) => server.run(text, new URL(url).pathname.slice(1));

test("files are kept while a node that does not know photos is in the list, and after a lost connection", async () => {
  const first = databases[0] ?? expect.unreachable();
  const claims: PostgresClaim[] = [];
  const files = keepFilesFromOlder({
    hasOlder: () => here.older(),
    claim: async () => {
      const claim = await claimPostgres({ url, connect: postgres }, { alone: false });
      if (claim !== undefined) claims.push(claim);
      return claim;
    },
  });
  const keptAfterReview = async (): Promise<boolean> => {
    await files.review();
    return isClaimed(first);
  };
  expect(await keptAfterReview()).toBe(false);
  await run(`INSERT INTO nodes (id, name, started_at, seen_at, facts)
    SELECT 'old', 'old', started_at, seen_at, '{"version":"1"}' FROM nodes LIMIT 1`);
  expect(await keptAfterReview()).toBe(true);
  expect(await keptAfterReview()).toBe(true);
  expect(claims).toHaveLength(1);
  await claims[0]?.release();
  expect(await keptAfterReview()).toBe(true);
  expect(claims).toHaveLength(2);
  expect((await here.list()).map(({ id, version }) => [id, version])).toContainEqual(["old", "1"]);
  await run("DELETE FROM nodes WHERE id = 'old'");
  expect(await keptAfterReview()).toBe(false);
});

test("another node counts as active until half a minute after its last report, by the clock of the database", async () => {
  expect(await here.others()).toBe(true);
  for (const [age, active] of [
    [20_000, true],
    [31_000, false],
  ] as const) {
    await run(
      `UPDATE nodes SET seen_at = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${age} WHERE id = 'there'`,
    );
    expect(await here.others()).toBe(active);
  }
});

const stream = (caller: string, accountId: string | undefined = "acc_1"): AskedPlace => ({
  kind: "stream",
  caller,
  ofCaller: 5,
  accountId,
  ofAccount: 8,
});

/** Asks both nodes in turn, all at once, and returns the places that were free. */
async function takeAll(times: number, asked: AskedPlace) {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) => (index % 2 ? here : there).places.take(asked)),
  );
  return answers.filter((leave) => leave !== undefined);
}

const rows = async (): Promise<number> =>
  Number((await run("SELECT COUNT(*) AS n FROM places"))[0]?.["n"]);

/** Places are released in the background. */
async function untilRows(count: number): Promise<void> {
  while ((await rows()) !== count) await Bun.sleep(5);
}

describe("places of callers", () => {
  test("are counted by two nodes together, exactly", async () => {
    const own = await takeAll(20, stream("a"));
    expect(own).toHaveLength(5);
    expect(await takeAll(20, stream("b"))).toHaveLength(3);
    expect(await takeAll(20, { ...stream("b"), kind: "check" })).toHaveLength(5);
    expect(await takeAll(20, stream("c", "acc_2"))).toHaveLength(5);
    // Operators have no account.
    for (const name of ["d", "e"]) {
      const operator = { ...stream(name), accountId: undefined };
      expect(await takeAll(20, operator)).toHaveLength(5);
    }

    own[0]?.();
    own[0]?.();
    await untilRows(5 + 3 + 5 + 5 + 10 - 1);
    expect(await takeAll(20, stream("a"))).toHaveLength(1);
  });

  test("of a node that was killed become free when it is lost, or starts again", async () => {
    const leaves = await Promise.all(
      Array.from({ length: 5 }, () => there.places.take(stream("a"))),
    );
    expect(leaves.filter((leave) => leave !== undefined)).toHaveLength(5);
    expect(await here.places.take(stream("a"))).toBeUndefined();
    await run(`UPDATE nodes SET seen_at = seen_at - ${HOUR_MS + 10_000} WHERE id = 'there'`);
    expect(await here.places.take(stream("a"))).toBeDefined();
    // It was only paused.
    await run(`UPDATE nodes SET seen_at = seen_at + ${HOUR_MS} WHERE id = 'there'`);
    expect(await here.places.take(stream("a"))).toBeUndefined();

    await there.places.clear();
    expect(await rows()).toBe(1);
    await there.places.take(stream("a"));
    await run("DELETE FROM nodes WHERE id = 'there'");
    await here.report(facts, true);
    expect(await rows()).toBe(1);
    await here.leave();
    expect(await rows()).toBe(0);
  });

  test("that cannot be released are released later", async () => {
    const sql = databases[0];
    if (sql === undefined) throw new Error("unreachable");
    let away = false;
    const nodes = sqlNodes(
      {
        ...sql,
        batch: async (...args) => {
          const written = await sql.batch(...args);
          // After the commit: its outcome is unknown.
          if (away) throw new Error("The connection was lost.");
          return written;
        },
      },
      { id: "here", name: "here" },
    );
    away = true;
    expect(await nodes.places.take(stream("a")).catch(String)).toContain("lost");
    expect(await rows()).toBe(1);
    away = false;
    const leave = await nodes.places.take(stream("a"));
    await nodes.report(facts, false);
    expect(await rows()).toBe(1);
    leave?.();
    await untilRows(0);
  });
});
