import { afterEach, describe, expect, test } from "bun:test";
import type { Sql, SqlRow } from "../../lib/storage/sql.ts";
import { rejection } from "../helpers/rejection.ts";

const accepted = (): boolean => true;
const yielding = (rows: readonly SqlRow[]): boolean => rows.length > 0;

const TABLE = "CREATE TABLE items (id BIGINT PRIMARY KEY, name TEXT)";
const INSERT = "INSERT INTO items (id, name) VALUES (?, ?)";
const FIND = "SELECT id, name FROM items WHERE id = ?";

/** Runs what every SQL adapter promises over the databases that `open` makes, each empty. */
export function describeSql(adapter: string, open: () => Promise<Sql>): void {
  describe(`${adapter} keeps the promises of SQL:`, () => {
    const opened: Sql[] = [];
    afterEach(async () => {
      for (const sql of opened.splice(0)) await sql.close();
    });

    const items = async (): Promise<Sql> => {
      const sql = await open();
      opened.push(sql);
      await sql.batch([{ text: TABLE, values: [] }], accepted);
      return sql;
    };

    const all = async (sql: Sql): Promise<readonly SqlRow[]> =>
      (await sql.query({ text: "SELECT id, name FROM items ORDER BY id", values: [] })).map(
        (row) => ({ ...row }),
      );

    test("texts, integers up to 2^53 and nulls come back as they went in", async () => {
      const sql = await items();
      const rows = [
        { id: -1, name: "" },
        { id: 0, name: null },
        { id: Number.MAX_SAFE_INTEGER, name: "Zoë 🐈 'quoted' \\" },
      ];
      const steps = rows.map(({ id, name }) => ({ text: INSERT, values: [id, name] }));
      await sql.batch(steps, accepted);
      expect(await all(sql)).toEqual(rows);
    });

    test("a batch resolves with the rows of each step", async () => {
      const sql = await items();
      const outcome = await sql.batch(
        [
          { text: INSERT, values: [1, "a"] },
          { text: `${INSERT} RETURNING id`, values: [2, "b"] },
        ],
        accepted,
      );
      expect(outcome.ok && outcome.value.map((rows) => rows.map((row) => ({ ...row })))).toEqual([
        [],
        [{ id: 2 }],
      ]);
    });

    test("values may depend on the rows before, and a step may be left out", async () => {
      const sql = await items();
      await sql.batch(
        [
          { text: `${INSERT} RETURNING id`, values: [7, "a"] },
          { text: INSERT, values: () => undefined },
          { text: INSERT, values: ([first, left]) => [8, `${first?.[0]?.["id"]}${left?.length}`] },
        ],
        accepted,
      );
      expect(await all(sql)).toEqual([
        { id: 7, name: "a" },
        { id: 8, name: "70" },
      ]);
    });

    test("a refused batch is undone whole and names the step", async () => {
      const sql = await items();
      const outcome = await sql.batch(
        [
          { text: `${INSERT} RETURNING id`, values: [1, "a"] },
          { text: FIND, values: [99] },
        ],
        yielding,
      );
      expect(outcome).toEqual({ ok: false, failure: 1 });
      expect(await all(sql)).toEqual([]);
    });

    test("of batches that wait together, the refused and the broken are undone alone", async () => {
      const sql = await items();
      const insert = (id: number, name: string): Promise<unknown> =>
        sql.batch([{ text: INSERT, values: [id, name] }], accepted);
      const refused = sql.batch(
        [
          { text: INSERT, values: [2, "refused"] },
          { text: FIND, values: [99] },
        ],
        (_rows, index) => index === 0,
      );
      const broken = sql.batch(
        [
          { text: INSERT, values: [3, "broken"] },
          { text: INSERT, values: [3, "again"] },
        ],
        accepted,
      );
      const outcomes = await Promise.allSettled([insert(1, "a"), refused, broken, insert(4, "b")]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "fulfilled",
        "rejected",
        "fulfilled",
      ]);
      expect(await all(sql)).toEqual([
        { id: 1, name: "a" },
        { id: 4, name: "b" },
      ]);
    });

    test("batches called at the same time are applied in the order of the calls", async () => {
      const sql = await items();
      await sql.batch([{ text: INSERT, values: [0, ""] }], accepted);
      const add = (letter: string): Promise<unknown> =>
        sql.batch(
          [
            { text: FIND, values: [0] },
            {
              text: "UPDATE items SET name = ? WHERE id = 0",
              values: ([found]) => [`${found?.[0]?.["name"]}${letter}`],
            },
          ],
          accepted,
        );
      await Promise.all(Array.from("abcdefgh", add));
      expect(await all(sql)).toEqual([{ id: 0, name: "abcdefgh" }]);
    });

    test("more batches than one group holds are all written", async () => {
      const sql = await items();
      const ids = Array.from({ length: 1_100 }, (_, index) => index);
      await Promise.all(
        ids.map((id) => sql.batch([{ text: INSERT, values: [id, null] }], accepted)),
      );
      expect(await all(sql)).toHaveLength(1_100);
    });

    test("a query that makes no sense rejects or throws", async () => {
      const sql = await items();
      const asked = async (): Promise<unknown> => sql.query({ text: "SELEKT 1", values: [] });
      expect(await rejection(asked())).toBeInstanceOf(Error);
    });

    test("what waits is written before it closes, and later batches reject", async () => {
      const sql = await items();
      const waiting = sql.batch([{ text: INSERT, values: [1, "a"] }], accepted);
      await sql.close();
      expect((await waiting).ok).toBe(true);
      expect(
        String(await rejection(sql.batch([{ text: INSERT, values: [2, "b"] }], accepted))),
      ).toContain("closed");
    });
  });
}
