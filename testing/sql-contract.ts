import type { Eventual } from "../lib/base/eventual.ts";
import { migrate, type Migration } from "../lib/sql/migrate.ts";
import {
  ForeignTables,
  type Sql,
  type SqlRow,
  type Step,
  StoreUnavailable,
} from "../lib/sql/sql.ts";
import { rejects } from "./contract-case.ts";
import { contractCase, type ContractCase } from "./contract-case.ts";
import { expect } from "./contract-case.ts";

const accepted = (): boolean => true;
const yielding = (rows: readonly SqlRow[]): boolean => rows.length > 0;

const TABLE = "CREATE TABLE items (id BIGINT PRIMARY KEY, name TEXT)";
const INSERT = "INSERT INTO items (id, name) VALUES (?, ?)";
const FIND = "SELECT id, name FROM items WHERE id = ?";

async function all(sql: Sql): Promise<readonly SqlRow[]> {
  const rows = await sql.query({ text: "SELECT id, name FROM items ORDER BY id", values: [] });
  return rows.map((row) => ({ ...row }));
}

/** A name of a row that a step adds among many: some are null, empty, or hard to quote. */
function nameOf(first: unknown, index: number): string | null {
  const names = [`${String(first)} ${index}`, null, "", "null", '{"\\', "a,b}", "\0 \u0001", " "];
  return names[index % names.length] ?? null;
}

/** Returns the contract of every SQL adapter. Each case runs with an empty database of its own, and closes it. */
export function sqlContract(open: () => Eventual<Sql>): readonly ContractCase[] {
  const test = (name: string, body: (sql: Sql) => Promise<void>): ContractCase =>
    contractCase(name, open, async (sql) => {
      await sql.batch([{ text: TABLE, values: [] }], accepted);
      await body(sql);
    });

  return [
    test("texts, integers up to 2^53 and nulls survive a round trip", async (sql) => {
      const rows = [
        { id: -1, name: "" },
        { id: 0, name: null },
        { id: Number.MAX_SAFE_INTEGER, name: "Zoë 🐈 'quoted' \\" },
      ];
      const steps = rows.map(({ id, name }) => ({ text: INSERT, values: [id, name] }));
      await sql.batch(steps, accepted);
      expect(await all(sql)).toEqual(rows);
    }),

    test("every character survives a round trip", async (sql) => {
      const names = [
        "\0",
        "a\0b",
        "\u0001",
        "\u0002",
        "\0\u0001\u0002\0",
        "\u0001\u0001",
        "\u007f\uffff",
      ];
      const rows = names.map((name, id) => ({ id, name }));
      await sql.batch(
        rows.map(({ id, name }) => ({ text: INSERT, values: [id, name] })),
        accepted,
      );
      expect(await all(sql)).toEqual(rows);
      const found = await sql.query({
        text: "SELECT id FROM items WHERE name = ?",
        values: ["a\0b"],
      });
      expect(found.map(({ id }) => id)).toEqual([1]);
    }),

    test("texts are ordered by code point", async (sql) => {
      const names = [
        "",
        " ",
        "-",
        "A",
        "Z",
        "_",
        "a",
        "a b",
        "ab",
        "z",
        "\u00e4",
        "\uffee",
        "\u{1f408}",
      ];
      const steps = names.toReversed().map((name, id) => ({ text: INSERT, values: [id, name] }));
      await sql.batch(steps, accepted);
      const ordered = await sql.query({ text: "SELECT name FROM items ORDER BY name", values: [] });
      expect(ordered.map(({ name }) => name)).toEqual(names);
      const above = await sql.query({
        text: "SELECT name FROM items WHERE name > ? ORDER BY name DESC",
        values: ["a b"],
      });
      expect(above.map(({ name }) => name)).toEqual(names.slice(8).toReversed());
    }),

    test("nulls are first or last, as the statement says", async (sql) => {
      const steps = ["b", null, "a"].map((name, id) => ({ text: INSERT, values: [id, name] }));
      await sql.batch(steps, accepted);
      const ordered = async (order: string): Promise<unknown> => {
        const text = `SELECT name FROM items ORDER BY name ${order}`;
        return (await sql.query({ text, values: [] })).map(({ name }) => name);
      };
      expect(await ordered("ASC NULLS FIRST")).toEqual([null, "a", "b"]);
      expect(await ordered("ASC NULLS LAST")).toEqual(["a", "b", null]);
      expect(await ordered("DESC NULLS LAST")).toEqual(["b", "a", null]);
    }),

    test("a text contains another one literally", async (sql) => {
      const names = ["100%", "100 percent", "under_score", "underscore", "back\\slash", "ROCKY"];
      const steps = names.map((name, id) => ({ text: INSERT, values: [id, name] }));
      await sql.batch(steps, accepted);
      const containing = async (part: string): Promise<unknown> => {
        const text = `SELECT name FROM items WHERE ${sql.dialect.contains("name")} ORDER BY id`;
        return (await sql.query({ text, values: [part] })).map(({ name }) => name);
      };
      expect(await containing("%")).toEqual(["100%"]);
      expect(await containing("_")).toEqual(["under_score"]);
      expect(await containing("\\")).toEqual(["back\\slash"]);
      expect(await containing("rocky")).toEqual([]);
    }),

    test("an identity column increases, and reuses no number of a deleted row", async (sql) => {
      const table = `CREATE TABLE numbered (seq ${sql.dialect.identity}, name TEXT)`;
      await sql.batch([{ text: table, values: [] }], accepted);
      const insert = {
        text: "INSERT INTO numbered (name) VALUES (?) RETURNING seq",
        values: ["a"],
      };
      const add = async (): Promise<number> => {
        const outcome = await sql.batch([insert], accepted);
        return outcome.ok ? Number(outcome.value[0]?.[0]?.["seq"]) : NaN;
      };
      const [first, second] = [await add(), await add()];
      expect(second).toBeGreaterThan(first);
      await sql.batch([{ text: "DELETE FROM numbered", values: [] }], accepted);
      await sql.batch([insert, { text: FIND, values: [99] }], yielding);
      expect(await add()).toBeGreaterThan(second);
    }),

    test("what is settled includes what was written before", async (sql) => {
      const table = `CREATE TABLE numbered (seq ${sql.dialect.identity}, name TEXT)`;
      await sql.batch([{ text: table, values: [] }], accepted);
      const text = "INSERT INTO numbered (name) VALUES (?)";
      await sql.batch([{ text, values: (_rows, index) => [`${index}`], times: 5 }], accepted);
      expect((await sql.settled?.("numbered")) ?? 5).toBe(5);
    }),

    test("a violated constraint rejects, and not as an outage", async (sql) => {
      await sql.batch([{ text: INSERT, values: [1, "a"] }], accepted);
      const failure: unknown = await sql
        .batch([{ text: INSERT, values: [1, "b"] }], accepted)
        .catch((error: unknown) => error);
      expect(failure instanceof Error).toBe(true);
      expect(failure instanceof StoreUnavailable).toBe(false);
      expect(await all(sql)).toEqual([{ id: 1, name: "a" }]);
    }),

    test("batches of all lanes are applied once each, and those of one lane in call order", async (sql) => {
      const lanes = ["a", "b", "c", "d", "e", "f"];
      const steps = [...lanes, "shared"].map((_lane, id) => ({ text: INSERT, values: [id, ""] }));
      await sql.batch(steps, accepted);
      const add = (id: number, letter: string): readonly Step[] => [
        { text: "UPDATE items SET name = name || ? WHERE id = ?", values: [letter, id] },
        { text: "UPDATE items SET name = name || ? WHERE id = ?", values: ["x", lanes.length] },
      ];
      await Promise.all(
        Array.from("0123456789").flatMap((letter) =>
          lanes.map((lane, id) => sql.batch(add(id, letter), accepted, lane)),
        ),
      );
      expect((await all(sql)).map(({ name }) => name)).toEqual([
        ...lanes.map(() => "0123456789"),
        "x".repeat(60),
      ]);
    }),

    test("a batch resolves with the rows of each step", async (sql) => {
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
    }),

    test("values can depend on earlier rows, and a step can be skipped", async (sql) => {
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
    }),

    test("every text survives a step that adds many rows", async (sql) => {
      const texts = ["", "\0", "\u0001", "\u0001\0\u0002", "NULL", '{"a",b}', "'\\ \n\t 🐈"];
      const rows = [...texts, null].map((name, id) => ({ id, name }));
      const values = (_: unknown, index: number) => [index, rows[index]?.name ?? null];
      await sql.batch([{ text: INSERT, times: rows.length, values }], accepted);
      expect(await all(sql)).toEqual(rows);
    }),

    test("a step can add many rows, each with values of its own", async (sql) => {
      for (const times of [1, 7, 8, 9, 100]) {
        await sql.batch([{ text: "DELETE FROM items", values: [] }], accepted);
        const outcome = await sql.batch(
          [
            { text: `${INSERT} RETURNING id`, values: [0, "first"] },
            {
              text: INSERT,
              times,
              values: ([first], index) =>
                index === 3 ? undefined : [index + 1, nameOf(first?.[0]?.["id"], index)],
            },
          ],
          accepted,
        );
        expect(outcome.ok && outcome.value[1]).toEqual([]);
        const added = Array.from({ length: times }, (_, index) => index).filter((one) => one !== 3);
        expect(await all(sql)).toEqual([
          { id: 0, name: "first" },
          ...added.map((index) => ({ id: index + 1, name: nameOf(0, index) })),
        ]);
      }
    }),

    test("steps are made when the batch begins, and one that cannot be rejects", async (sql) => {
      const items: number[] = [];
      const waiting = sql.batch(
        () => items.map((id) => ({ text: INSERT, values: [id, null] })),
        accepted,
      );
      const broken = sql.batch(() => {
        throw new Error("no steps");
      }, accepted);
      items.push(1, 2);
      await rejects(broken, "a batch without steps");
      await waiting;
      expect(await all(sql)).toHaveLength(2);
    }),

    test("a statement binds 200 values, and lists of up to 1,000", async (sql) => {
      const names = Array.from({ length: 1_000 }, (_, id) => `${nameOf("?", id)} ${id}`);
      const row = (_: unknown, id: number) => [id, names[id] ?? null];
      await sql.batch([{ text: INSERT, times: names.length, values: row }], accepted);
      const places = (count: number): string => Array.from({ length: count }, () => "?").join(", ");
      for (const length of [1, 96, 97, 98, 99, 100, 1_000]) {
        const ids = Array.from({ length }, (_, index) => names.length - 1 - index);
        const some = ids.map((id) => names[id] ?? "");
        const found = await sql.query({
          text: `SELECT id FROM items WHERE id <> ? AND id IN (${places(length)})
            AND name <> 'IN (?, ?)' AND name IN (${places(length)}) AND id >= ? ORDER BY id DESC`,
          values: [990, ...ids, ...some, 7],
        });
        expect(found.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 990 && id >= 7));
      }
      for (const length of [50, 51, 100]) {
        const rows = Array.from({ length }, (_, index) => [-1 - index, names[index] ?? null]);
        const text = `${INSERT}${", (?, ?)".repeat(length - 1)} ON CONFLICT DO NOTHING`;
        await sql.batch([{ text, values: rows.flat() }], accepted);
        const added = (await all(sql)).slice(0, -names.length);
        expect(added.map(({ id, name }) => [id, name])).toEqual(rows.toReversed());
      }
      const pairs = Array.from({ length: 50 }, (_, id) => [id, names[id] ?? ""]);
      const either = pairs.map(() => "(id = ? AND name = ?)").join(" OR ");
      const deleted = { text: `DELETE FROM items WHERE ${either}`, values: pairs.flat() };
      await sql.batch([deleted], accepted);
      expect(await all(sql)).toHaveLength(1_050);
    }),

    test("a refused batch is rolled back and names the step", async (sql) => {
      const outcome = await sql.batch(
        [
          { text: `${INSERT} RETURNING id`, values: [1, "a"] },
          { text: FIND, values: [99] },
        ],
        yielding,
      );
      expect(outcome).toEqual({ ok: false, failure: 1 });
      expect(await all(sql)).toEqual([]);
    }),

    test("of concurrent batches only the refused and the failed are rolled back", async (sql) => {
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
    }),

    test("simultaneous batches are applied in call order", async (sql) => {
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
      await Promise.all("abcdefgh".split("").map(add));
      expect(await all(sql)).toEqual([{ id: 0, name: "abcdefgh" }]);
    }),

    test("more batches than fit into one group are all written", async (sql) => {
      const ids = Array.from({ length: 1_100 }, (_, index) => index);
      await Promise.all(
        ids.map((id) => sql.batch([{ text: INSERT, values: [id, null] }], accepted)),
      );
      expect(await all(sql)).toHaveLength(1_100);
    }),

    test("an identity continues after a number, whether or not it has numbered rows", async (sql) => {
      const { identity, continueAfter } = sql.dialect;
      const create = `CREATE TABLE numbered (seq ${identity}, name TEXT NOT NULL)`;
      const add = "INSERT INTO numbered (name) VALUES (?) RETURNING seq";
      await sql.batch([{ text: create, values: [] }], accepted);
      for (const last of [7, 1_000]) {
        await sql.batch(continueAfter("numbered", "seq", last), accepted);
        const outcome = await sql.batch([{ text: add, values: ["a"] }], accepted);
        expect(outcome.ok && outcome.value[0]?.[0]?.["seq"]).toEqual(last + 1);
      }
    }),

    test("tables of another program refuse a migration before it changes anything", async (sql) => {
      const relations = async (): Promise<readonly string[]> =>
        (await sql.query({ text: sql.dialect.relations, values: [] })).map(({ name }) =>
          String(name),
        );
      const names = (await relations()).toSorted();
      const clash = "CREATE TABLE items (id BIGINT)";
      const migrations = [() => ["CREATE TABLE shelves (id BIGINT PRIMARY KEY)", clash]];
      const shop = { component: "shop", migrations };
      const refused = await migrate(sql, [shop], 1).catch((error: unknown) => error);
      expect(refused instanceof ForeignTables && refused.tables).toEqual(["items"]);
      expect((await relations()).toSorted()).toEqual(names);
    }),

    test("another tool's table schema_migrations stays beside ours, which has another name", async (sql) => {
      const theirs = "CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY)";
      const row = "INSERT INTO schema_migrations (version) VALUES (7)";
      for (const text of [theirs, row]) await sql.batch([{ text, values: [] }], accepted);
      const create: Migration = () => ["CREATE TABLE shelves (id BIGINT PRIMARY KEY)"];
      const shop = { component: "shop", migrations: [create] };
      await migrate(sql, [shop], 1);
      await migrate(sql, [shop], 2);
      const read = async (text: string): Promise<readonly SqlRow[]> =>
        sql.query({ text, values: [] });
      expect(await read("SELECT version FROM schema_migrations")).toEqual([{ version: 7 }]);
      const versions = "SELECT version FROM petstore_migrations WHERE component = 'shop'";
      expect(await read(versions)).toEqual([{ version: 1 }]);
      expect(await read("SELECT id FROM shelves")).toEqual([]);
    }),

    test("a database whose table of versions has its earlier name keeps it", async (sql) => {
      const earlier = `CREATE TABLE schema_migrations (component TEXT NOT NULL, version INTEGER NOT NULL,
        applied_at BIGINT NOT NULL, PRIMARY KEY (component, version))`;
      await sql.batch([{ text: earlier, values: [] }], accepted);
      const create: Migration = () => ["CREATE TABLE shelves (id BIGINT PRIMARY KEY)"];
      await migrate(sql, [{ component: "shop", migrations: [create] }], 1);
      const names = await sql.query({ text: sql.dialect.relations, values: [] });
      expect(names.some(({ name }) => name === "petstore_migrations")).toBe(false);
    }),

    test("an invalid query rejects or throws", async (sql) => {
      const asked = async (): Promise<unknown> => sql.query({ text: "SELEKT 1", values: [] });
      await rejects(asked(), "an invalid query rejects");
    }),

    test("close writes the waiting batches and rejects later ones", async (sql) => {
      const waiting = sql.batch([{ text: INSERT, values: [1, "a"] }], accepted);
      await sql.close();
      expect((await waiting).ok).toBe(true);
      const late = sql.batch([{ text: INSERT, values: [2, "b"] }], accepted).catch(String);
      expect(await late).toContain("closed");
    }),
  ];
}
