import { readFileSync, statSync } from "node:fs";

import { afterEach, describe, expect, test } from "bun:test";
import { type Sql, type SqlValue, StoreUnavailable } from "../../../lib/sql/sql.ts";
import { sqliteSql, type SqliteDatabase } from "../../../lib/sql/sqlite.ts";
import { manualClock, type ManualClock } from "../../../testing/clock.ts";
import { sqlContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { scratch, sqliteHandles, watched } from "../../helpers/sqlite.ts";

const file = scratch();

const accepted = (): boolean => true;

for (const [name, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${name} on a file as SQL`,
    sqlContract(() => sqliteSql({ database: open(file()) })),
  );
  describeContract(
    `${name} in memory as SQL`,
    sqlContract(() => sqliteSql({ database: open(":memory:") })),
  );

  describe(`${name}:`, () => {
    const opened: Sql[] = [];
    afterEach(async () => {
      for (const sql of opened.splice(0)) await sql.close();
    });

    /** A connection and its recorded transactions. */
    const connect = (
      path: string,
      clock: ManualClock = manualClock(0),
      fault: () => string | undefined = () => undefined,
    ): { readonly sql: Sql; readonly texts: string[] } => {
      const texts: string[] = [];
      const database = faulty(open(path), texts, fault);
      const sql = sqliteSql({ database, clock });
      opened.push(sql);
      return { sql, texts };
    };

    const insert = (sql: Sql, id: SqlValue): Promise<unknown> =>
      sql.batch([{ text: "INSERT INTO items (id) VALUES (?)", values: [id] }], accepted);

    const items = (sql: Sql): Promise<unknown> =>
      sql.batch([{ text: "CREATE TABLE items (id BIGINT PRIMARY KEY)", values: [] }], accepted);

    const count = async (sql: Sql): Promise<unknown> =>
      (await sql.query({ text: "SELECT COUNT(*) AS count FROM items", values: [] }))[0]?.["count"];

    test("large batches do not share a transaction", async () => {
      const { sql, texts } = connect(file());
      await items(sql);
      texts.length = 0;
      const large = (from: number): Promise<unknown> =>
        sql.batch(
          Array.from({ length: 2_000 }, (_, index) => ({
            text: "INSERT INTO items (id) VALUES (?)",
            values: [from + index],
          })),
          accepted,
        );
      await Promise.all([large(0), large(10_000), insert(sql, 1_000_000), large(20_000)]);
      const between = texts.join(" ").split("COMMIT").slice(0, -1);
      expect(between.map((group) => group.split("INSERT").length - 1)).toEqual([
        2_000, 2_001, 2_000,
      ]);
    });

    test("batches that wait at the same time share one transaction", async () => {
      const { sql, texts } = connect(file());
      await items(sql);
      texts.length = 0;
      await Promise.all([insert(sql, 1), insert(sql, 2), insert(sql, 3)]);
      expect(texts.filter((text) => text === "COMMIT")).toHaveLength(1);
    });

    test("the write-ahead log stays short, because copying it holds up everything else", async () => {
      const path = file();
      const { sql } = connect(path);
      await items(sql);
      for (let id = 0; id < 500; id++) await insert(sql, id);
      // Each commit writes at least one page of 4 KiB.
      expect(statSync(`${path}-wal`).size).toBeLessThan(300 * 4_200);
    });

    test("no read sees undurable rows", async () => {
      const { sql } = connect(file());
      await items(sql);
      const waiting = insert(sql, 1);
      expect(await count(sql)).toBe(0);
      await waiting;
      expect(await count(sql)).toBe(1);
    });

    test("another connection's write is noticed once, at most 5 milliseconds later", async () => {
      const path = file();
      const clock = manualClock(0);
      const { sql } = connect(path, clock);
      const { sql: other } = connect(path);
      await items(sql);
      clock.advance(5);
      // The first write begins the write-ahead log, which may look like another connection's change.
      sql.changedElsewhere?.();
      clock.advance(5);
      expect(sql.changedElsewhere?.()).toBe(false);
      await insert(other, 1);
      clock.advance(4);
      expect(sql.changedElsewhere?.()).toBe(false);
      clock.advance(1);
      expect(sql.changedElsewhere?.()).toBe(true);
      clock.advance(5);
      expect(sql.changedElsewhere?.()).toBe(false);
    });

    const diskFaults = [
      ["full", "COMMIT", 13],
      ["read-only", "BEGIN IMMEDIATE", 8],
      ["failing", "INSERT", 10 | (3 << 8)],
      ["locked by another process", "BEGIN IMMEDIATE", 5],
    ] as const;
    for (const [fault, where, code] of diskFaults) {
      test(`with a database that is ${fault}, writes are unavailable, reads keep working, and it recovers`, async () => {
        let broken = false;
        const { sql } = connect(file(), manualClock(0), () => (broken ? where : undefined));
        await items(sql);
        await insert(sql, 1);
        faultCode = code;
        broken = true;
        const failed = await Promise.allSettled([insert(sql, 2), insert(sql, 3)]);
        for (const outcome of failed) {
          expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StoreUnavailable);
        }
        expect(await count(sql)).toBe(1);
        broken = false;
        await insert(sql, 2);
        expect(await count(sql)).toBe(2);
      });
    }

    test("deleted rows are erased from the files, by the next call if another process is reading", async () => {
      const path = file();
      const { sql } = connect(path);
      const other = open(path);
      const written = (): boolean =>
        [path, `${path}-wal`].some((one) => readFileSync(one, "latin1").includes("secret name"));
      await items(sql);
      await insert(sql, "secret name");
      await sql.batch([{ text: "DELETE FROM items", values: [] }], accepted);
      expect(written()).toBe(true);
      other.exec("BEGIN");
      other.prepare("SELECT * FROM items").all();
      await insert(sql, 2);
      await sql.eraseDeleted?.();
      expect(written()).toBe(true);
      other.exec("COMMIT");
      await sql.eraseDeleted?.();
      expect(written()).toBe(false);
      expect(await count(sql)).toBe(1);
      other.close();
      // A second writer still waits for its turn.
      const [row] = await sql.query({ text: "PRAGMA busy_timeout", values: [] });
      expect(Object.values(row ?? {})).toEqual([1_000]);
    });

    test("the log that grew while another process read is copied in long steps only", async () => {
      const path = file();
      const size = (): number => statSync(path).size;
      const steps: string[] = [];
      const other: string[] = [];
      let inLongStep = false;
      /** Runs a step and notes it if the database file has grown. */
      const watched = <Value>(name: string, step: () => Value): Value => {
        const before = size();
        try {
          return step();
        } finally {
          if (size() !== before) (inLongStep ? steps : other).push(name);
        }
      };
      const database = open(path);
      const sql = sqliteSql({
        database: {
          exec: (text) => watched(text, () => database.exec(text)),
          close: () => watched("close", () => database.close()),
          prepare: (text) => {
            const statement = database.prepare(text);
            return {
              finalize: () => statement.finalize?.(),
              all: (...values) => watched(text, () => statement.all(...values)),
            };
          },
        },
        longStep: (step) => {
          inLongStep = true;
          try {
            return step();
          } finally {
            inLongStep = false;
          }
        },
      });
      opened.push(sql);
      /** Fills more pages than SQLite leaves in the log if it can copy them. */
      const grow = async (whileItReads: () => Promise<unknown>): Promise<void> => {
        const reader = open(path);
        reader.exec("BEGIN");
        const reading = reader.prepare("SELECT * FROM items");
        reading.all();
        const text = "INSERT INTO items (id) VALUES (?)";
        const values = (_: unknown, index: number): readonly string[] => [
          `${steps.length} ${index} ${"x".repeat(3_000)}`,
        ];
        await sql.batch([{ text, values, times: 1_500 }], accepted);
        await whileItReads();
        reading.finalize?.();
        reader.close();
      };
      await items(sql);
      await sql.eraseDeleted?.();
      steps.length = other.length = 0;
      await grow(() => insert(sql, 1));
      expect(steps).toEqual([]);
      await insert(sql, 2);
      expect(steps).toEqual(["COMMIT"]);
      await grow(() =>
        sql.batch([{ text: "DELETE FROM items WHERE id = 1", values: [] }], accepted),
      );
      await sql.eraseDeleted?.();
      expect(steps).toEqual(["COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)"]);
      await grow(async () => {});
      await sql.close();
      expect(steps).toEqual(["COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)", "close"]);
      expect(other).toEqual([]);
    });

    test("a second writer waits instead of failing", async () => {
      const path = file();
      const { sql } = connect(path);
      const { sql: other } = connect(path);
      await items(sql);
      await Promise.all([insert(sql, 1), insert(other, 2), insert(sql, 3), insert(other, 4)]);
      expect(await count(sql)).toBe(4);
    });
  });
}

let faultCode = 0;

/** Returns a handle that records its statements and fails with `faultCode` where it is told to. */
function faulty(
  database: SqliteDatabase,
  texts: string[],
  fault: () => string | undefined,
): SqliteDatabase {
  return watched(database, ({ text }) => {
    texts.push(text);
    const where = fault();
    if (where !== undefined && text.startsWith(where)) {
      throw Object.assign(new Error("disk fault"), { errno: faultCode });
    }
  });
}
