import { afterAll, beforeAll, expect, test } from "bun:test";

import { join } from "node:path";

import { blobSchema, postgresBlobs } from "../../adapters/postgres/blobs.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { utf8 } from "../../lib/base/digest.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { collectBlobs } from "../../lib/publishing/jobs.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import { type Sql, StoreUnavailable } from "../../lib/sql/sql.ts";
import { noise } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { chance, torture } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";
import { storedByKilled } from "../helpers/killed-writer.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const HOUR_MS = 3_600_000;
const connect = drivers["Bun.SQL"] ?? (() => expect.unreachable());

let server: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  server = await startPostgres();
  sql = await postgresSql({ url: await server.createDatabase(), connect });
  await migrate(sql, [blobSchema], 0);
});
afterAll(async () => {
  await sql.close();
  await server[Symbol.asyncDispose]();
});

/** Blobs with a cache of their own, as another machine has them. */
async function machine(over: Sql = sql, clock = manualClock(START)): Promise<Blobs> {
  return postgresBlobs({ sql: over, clock, cachePath: join(await scratch(), "cache") });
}

/** Calls back before each statement, whatever it asks. */
function watched(over: Sql, before: () => Promise<void>): Sql {
  return {
    ...over,
    query: async (statement) => {
      await before();
      return over.query(statement);
    },
    batch: async (...batch) => {
      await before();
      return over.batch(...batch);
    },
  };
}

const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Five parts. */
const LARGE = Uint8Array.from(noise(2_200_000));
/** Two parts. */
const SMALLER = LARGE.slice(0, 600_000);

test("a blob of several parts is found by another machine, byte for byte, in parts", async () => {
  const { sha256 } = await (await machine()).put(new Blob([LARGE]).stream());
  let asked = 0;
  const other = await machine(
    watched(sql, async () => {
      asked++;
    }),
  );
  asked = 0;
  expect(await other.size(sha256)).toBe(LARGE.length);
  const part = await other.open(sha256, { start: 600_000, end: 1_700_000 });
  expect(Buffer.compare(await new Response(part).bytes(), LARGE.subarray(600_000, 1_700_000))).toBe(
    0,
  );
  // The size, and each of the five parts once.
  expect(asked).toBe(6);
  const all = await other.read(sha256);
  expect([Buffer.compare(all ?? new Uint8Array(), LARGE), asked]).toEqual([0, 6]);
  await other.delete(sha256);
});

test("a blob that is put again survives the collector, wherever they meet", async () => {
  for (const paused of ["delete", "put"] as const) {
    // A put takes four statements: the name, two parts, the end. A deletion takes two.
    for (let at = 0; at < (paused === "put" ? 5 : 3); at++) {
      const clock = manualClock(START);
      let step = -Infinity;
      let other = async (): Promise<void> => {};
      const hooked = watched(sql, async () => {
        if (step++ === at) await other();
      });
      const [collector, putter] = [
        await machine(paused === "delete" ? hooked : sql, clock),
        await machine(paused === "put" ? hooked : sql, clock),
      ];
      const content = SMALLER.with(0, at);
      const { sha256 } = await collector.put(content);
      clock.advance(2 * HOUR_MS);
      const before = clock.now() - HOUR_MS;
      const put = async (): Promise<void> => void (await putter.put(new Blob([content]).stream()));
      const collect = (): Promise<void> => collector.delete(sha256, before);
      const [first, second] = paused === "delete" ? [collect, put] : [put, collect];
      let met = false;
      other = async () => {
        met = true;
        await second();
      };
      step = 0;
      await first();
      if (!met) await second();
      const found = await (await machine()).read(sha256);
      expect([paused, at, found && sha256Of(found)]).toEqual([paused, at, sha256]);
      await collector.delete(sha256);
    }
  }
});

test("a put that is interrupted stores nothing, continues when repeated, and is collected otherwise", async () => {
  const clock = manualClock(START);
  for (let at = 0; at < 8; at++) {
    let step = -Infinity;
    const failing = await machine(
      watched(sql, async () => {
        if (step++ >= at) throw new StoreUnavailable("The cord was pulled.");
      }),
      clock,
    );
    const content = LARGE.with(1, at);
    const sha256 = sha256Of(content);
    step = 0;
    const fault = await rejection(failing.put(content));
    // The claim, five parts, and the end of the put.
    expect([at, fault instanceof StoreUnavailable]).toEqual([at, at < 7]);
    const other = await machine(sql, clock);
    if (at < 7) {
      expect([await other.size(sha256), await other.read(sha256)]).toEqual([undefined, undefined]);
      if (at % 2 === 0) expect((await other.put(content)).added).toBe(true);
    }
    const found = at < 7 && at % 2 === 1 ? undefined : content;
    expect((await other.read(sha256))?.length).toBe(found?.length);
  }
  // No deploy needs any of them.
  clock.advance(2 * HOUR_MS);
  const sqlite = await bunSqliteSql({ path: ":memory:" });
  await sqlStore({ sql: sqlite });
  const projectStore = await sqlProjectStore({ sql: sqlite });
  const blobs = await machine(sql, clock);
  await collectBlobs({ blobs, projectStore }, clock.now());
  const left = await sql.query({ text: "SELECT COUNT(*) AS n FROM blob_parts", values: [] });
  expect([await Array.fromAsync(blobs.list()), left]).toEqual([[], [{ n: 0 }]]);
});

test("several machines that put the same blob at once store it once", async () => {
  const machines = await Promise.all(Array.from({ length: 4 }, () => machine()));
  const stored = await Promise.all(machines.map((blobs) => blobs.put(LARGE)));
  expect(stored.filter(({ added }) => added).length).toBe(1);
  const { sha256 } = await machines[0]!.put(LARGE);
  const [row] = await sql.query({ text: "SELECT COUNT(*) AS n FROM blob_parts", values: [] });
  expect(row).toEqual({ n: 5 });
  await machines[0]!.delete(sha256);
});

test("a damaged blob is an error, and is not copied", async () => {
  const { sha256 } = await (await machine()).put(utf8("Rex"));
  for (const [statement, message] of [
    [
      "UPDATE blob_parts SET content = 'Rax'::bytea",
      `The blob ${sha256} in the database is damaged.`,
    ],
    ["DELETE FROM blob_parts", `Part 0 of the blob ${sha256} in the database is missing.`],
  ] as const) {
    await sql.batch([{ text: statement, values: [] }], () => true);
    const failed = await rejection((await machine()).read(sha256));
    expect(String(failed)).toBe(`BlobDamaged: ${message}`);
  }
  await (await machine()).delete(sha256);
});

test("more blobs than one query lists are all listed", async () => {
  const text = `INSERT INTO blobs (sha256, size, put_at, complete)
    SELECT encode(sha256(CAST(CAST(n AS TEXT) AS BYTEA)), 'hex'), 0, n, 1 FROM generate_series(1, 2500) AS n`;
  await sql.batch([{ text, values: [] }], () => true);
  const found = new Set<number>();
  const blobs = await machine();
  for await (const { putAt } of blobs.list()) found.add(putAt);
  expect(found.size).toBe(2_500);
  await sql.batch([{ text: "DELETE FROM blobs", values: [] }], () => true);
});

test("another database is refused", async () => {
  const sqlite = await bunSqliteSql({ path: ":memory:" });
  const refused = await rejection(postgresBlobs({ sql: sqlite, cachePath: "/nowhere" }));
  expect(refused).toMatchObject({
    message: expect.stringContaining("must be a PostgreSQL database"),
  });
});

const ROUNDS = torture ? 30 : 2;

test(`${ROUNDS} times kill -9 leaves every stored blob, and never half of one`, async () => {
  const url = await server.createDatabase();
  const cachePath = join(await scratch(), "cache");
  const named = await storedByKilled(ROUNDS, chance(), 40, cachePath, url);
  const over = await postgresSql({ url, connect });
  // With the cache of the killed processes, and with none.
  for (const path of [cachePath, join(await scratch(), "cache")]) {
    const blobs = await postgresBlobs({ sql: over, cachePath: path });
    for await (const { sha256 } of blobs.list()) {
      const content = await blobs.read(sha256);
      expect([content && sha256Of(content), content?.length]).toEqual(
        named.has(sha256) || content !== undefined
          ? [sha256, named.get(sha256) ?? content?.length]
          : [undefined, undefined],
      );
    }
    for (const [sha256, size] of named) expect(await blobs.size(sha256)).toBe(size);
  }
  await over.close();
});
