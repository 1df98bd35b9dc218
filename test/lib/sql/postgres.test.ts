import { describe, expect, test } from "bun:test";

import { assert, constantFrom, oneof, property, string } from "fast-check";

import {
  arrayLiterals,
  decoded,
  encoded,
  failingOf,
  failureOf,
  lockOf,
  manyRowsOf,
  translate,
} from "../../../lib/sql/postgres.ts";
import { StoreUnavailable, UnsuitableDatabase } from "../../../lib/sql/sql.ts";

describe("a statement is translated", () => {
  test("by numbering its placeholders", () => {
    expect(translate("SELECT a FROM b WHERE c = ? AND d IN (?, ?)")).toBe(
      "SELECT a FROM b WHERE c = $1 AND d IN ($2, $3)",
    );
  });

  test("but not within texts, names, comments and dollar quotes", () => {
    const left = `'a?b''?' "?""?" --?\n /* ? */ $$?$$ $tag$ ? $$ ? $tag$`;
    expect(translate(`SELECT ${left} = ?`)).toBe(`SELECT ${left} = $1`);
  });

  test("and defines text columns with the order of code points", () => {
    expect(translate("CREATE TABLE a (id BIGINT, name TEXT NOT NULL DEFAULT 'TEXT')")).toBe(
      `CREATE TABLE a (id BIGINT, name TEXT COLLATE "C" NOT NULL DEFAULT 'TEXT')`,
    );
    expect(translate("ALTER TABLE a ADD COLUMN texts TEXT")).toBe(
      'ALTER TABLE a ADD COLUMN texts TEXT COLLATE "C"',
    );
    expect(translate("SELECT CAST(? AS TEXT)")).toBe("SELECT CAST($1 AS TEXT)");
  });

  test("and deletes the rows of a selection by an array of their keys or addresses", () => {
    const slice = "FROM a WHERE d < ? ORDER BY d LIMIT ?";
    expect(
      translate(`DELETE FROM a WHERE (b, c) IN (\n  SELECT b, c ${slice}\n) RETURNING b`),
    ).toBe(
      "DELETE FROM a WHERE ctid = ANY(ARRAY(SELECT ctid FROM a WHERE d < $1 ORDER BY d LIMIT $2\n)) RETURNING b",
    );
    expect(translate(`DELETE FROM a WHERE b IN (SELECT b ${slice})`)).toBe(
      "DELETE FROM a WHERE b = ANY(ARRAY(SELECT b FROM a WHERE d < $1 ORDER BY d LIMIT $2))",
    );
    for (const other of [
      "DELETE FROM a WHERE b IN ('x', 'y')",
      "DELETE FROM a WHERE (b, c) IN (SELECT c, b FROM a)",
      "DELETE FROM a WHERE (b, c) IN (SELECT b, c FROM e)",
      "DELETE FROM a WHERE b IN (SELECT b FROM a) AND c IN (SELECT c FROM a)",
    ]) {
      expect(translate(other)).toBe(other);
    }
  });
});

const anyText = string({
  unit: oneof(constantFrom("\0", "\u0001", "\u0002", "\u0003", '"', "\\", ",", "{"), string()),
});

test("texts survive encoding, which contains no NUL and keeps their order", () => {
  const encode = (text: string): string => String(encoded([text])[0]);
  assert(
    property(anyText, anyText, (a, b) => {
      expect(encode(a)).not.toContain("\0");
      expect(decoded([{ a: encode(a) }])).toEqual([{ a }]);
      expect(Math.sign(compare(encode(a), encode(b)))).toBe(Math.sign(compare(a, b)));
    }),
  );
});

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

test("values without NUL are not copied", () => {
  const values = ["a", 1, null];
  expect(encoded(values)).toBe(values);
});

test("rows arrive with numbers for integers and booleans", () => {
  expect(decoded([{ a: 9_007_199_254_740_991n, b: true, c: null, d: "x", e: 5 }])).toEqual([
    { a: 9_007_199_254_740_991, b: 1, c: null, d: "x", e: 5 },
  ]);
});

test("an INSERT is sent for many rows as one array per column", () => {
  const many = manyRowsOf("INSERT INTO orders (a, b, c)\n VALUES (?, 'placed', ?)");
  expect(many.table).toBe("orders");
  expect(many.columns).toEqual(["a", "c"]);
  expect(many.text(["bigint", "text"]).replaceAll(/\s+/g, " ")).toBe(
    "INSERT INTO orders (a, b, c) SELECT v1, 'placed', v2 FROM unnest(CAST($1::text AS bigint[]), CAST($2::text AS text[])) AS v(v1, v2)",
  );
  expect(
    arrayLiterals([
      [1, 'a"\\'],
      [null, "NULL"],
    ]),
  ).toEqual(["{1,NULL}", String.raw`{"a\"\\","NULL"}`]);
});

test("only a plain INSERT can add many rows", () => {
  for (const text of ["DELETE FROM a", "INSERT INTO a (b) VALUES (?) ON CONFLICT DO NOTHING"]) {
    expect(() => manyRowsOf(text)).toThrow(TypeError);
  }
});

test("lanes have different locks", () => {
  const lanes = Array.from({ length: 20_000 }, (_, index) => `catalogue ${index}`);
  expect(new Set(lanes.map((lane) => lockOf(lane).join())).size).toBe(lanes.length);
  for (const half of lockOf("a")) expect(half).toBe(half | 0);
});

describe("an error", () => {
  const ofBun = (errno: string): Error =>
    Object.assign(new Error("failed"), { errno, code: "ERR_POSTGRES_SERVER_ERROR" });
  const ofPostgresJs = (code: string): Error => Object.assign(new Error("failed"), { code });

  for (const [name, make] of Object.entries({ "Bun.SQL": ofBun, "postgres.js": ofPostgresJs })) {
    test(`of ${name} is classified by its SQLSTATE`, () => {
      const states = ["57P01", "25006", "08006", "40P01", "40001", "57014", "53300", "23505"];
      expect(states.map((state) => failingOf(make(state)))).toEqual([
        ...["lost", "lost", "lost", "conflict", "conflict", "temporary", "temporary", "wrong"],
      ] as const);
      expect(failureOf(make("53100")).message).toBe("The database has no space left on its disk.");
      expect(failureOf(make("42501"))).toBeInstanceOf(UnsuitableDatabase);
    });
  }

  test("of a connection is an outage", () => {
    for (const code of [
      "CONNECTION_CLOSED",
      "ECONNRESET",
      "EPIPE",
      "ERR_POSTGRES_CONNECTION_CLOSED",
    ]) {
      expect(failingOf(ofPostgresJs(code))).toBe("lost");
      expect(failureOf(ofPostgresJs(code))).toBeInstanceOf(StoreUnavailable);
    }
  });

  test("of our own code is passed on", () => {
    const bug = new TypeError("a bug");
    expect(failureOf(bug)).toBe(bug);
  });
});
