import { expect, test } from "bun:test";

import { csvRow, parseCsvRow } from "../../cli/csv.ts";
import { petReader, type PetFormat } from "../../cli/pet-rows.ts";
import { MAX_ROW_BYTES, records, type RawRecord } from "../../cli/records.ts";
import { chance } from "../helpers/chance.ts";
import { rejection } from "../helpers/rejection.ts";

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? new TextEncoder().encode(text) : text;

/** `text` in pieces of at most `size` bytes. */
async function* pieces(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function cut(text: string | Uint8Array, quotes = true, size = 7): Promise<RawRecord[]> {
  const found: RawRecord[] = [];
  for await (const some of records(pieces(text, size), { quotes })) {
    for (const one of some) found.push("bytes" in one ? { ...one, bytes: one.bytes.slice() } : one);
  }
  return found;
}

const shown = (found: readonly RawRecord[]): (readonly [number, string])[] =>
  found.map((one) => [
    one.line,
    "bytes" in one ? new TextDecoder().decode(one.bytes) : `! ${one.fault}`,
  ]);

async function rows(text: string | Uint8Array, format: PetFormat = "csv") {
  const petOf = petReader(format);
  return (await cut(text, format === "csv")).map(petOf).filter((one) => one !== undefined);
}

test.each([
  [
    "a\nb\n",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  [
    "a\r\nb",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  ["", []],
  [
    "\n\na",
    [
      [1, ""],
      [2, ""],
      [3, "a"],
    ],
  ],
  [
    '"x\ny",1\nb\n',
    [
      [1, '"x\ny",1'],
      [3, "b"],
    ],
  ],
  ['"x\ny",1', [[1, '"x\ny",1']]],
  [
    '"say ""hi""\n",1\nb',
    [
      [1, '"say ""hi""\n",1'],
      [3, "b"],
    ],
  ],
  [
    '5" pipe,1\nb\n',
    [
      [1, '5" pipe,1'],
      [2, "b"],
    ],
  ],
] as const)(
  "the rows of %j are told with their lines, however they are cut",
  async (text, expected) => {
    for (const size of [1, 2, 3, 1_000]) {
      expect(shown(await cut(text, true, size))).toEqual(expected.map((one) => [...one]));
    }
  },
);

test.each([
  '"Bad,1\nb,2\nc,3\n',
  '"Bad,1\n"b",2\nc,3\n',
  '"Bad,1\nb,"2"\nc,3\n',
  'x,"Bad\nb,2\nc,3',
])("after the quote in %j that is never closed the next lines are rows again", async (text) => {
  const found = shown(await cut(text));
  expect(found[0]).toEqual([1, "! a quote is never closed, or the row is longer than 64 KiB"]);
  expect(found.slice(1).map(([line]) => line)).toEqual([2, 3]);
});

test("a line that is too long is one fault, and what follows is read", async () => {
  const long = "x".repeat(MAX_ROW_BYTES + 1);
  for (const quotes of [true, false]) {
    for (const size of [1_000, 1_000_000]) {
      const found = shown(await cut(`a\n${long}\nb\n${long}`, quotes, size));
      expect(found).toEqual([
        [1, "a"],
        [2, "! the line is longer than 64 KiB"],
        [3, "b"],
        [4, "! the line is longer than 64 KiB"],
      ]);
    }
  }
  const longest = "x".repeat(MAX_ROW_BYTES);
  expect(
    shown(await cut(`${longest}\nb`, false, 9_999)).map(([line, text]) => [line, text.length]),
  ).toEqual([
    [1, MAX_ROW_BYTES],
    [2, 1],
  ]);
});

test("no more than a row and a piece is held of a line without end", async () => {
  const piece = new Uint8Array(64 * 1024).fill(120);
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; sent < 500; sent++) yield piece;
  }
  let faults = 0;
  for await (const some of records(endless(), { quotes: true })) faults += some.length;
  expect([sent, faults]).toEqual([500, 1]);
});

test("whatever fields are written are read back", () => {
  const { between, pick } = chance();
  const parts = ['"', ",", "\n", "\r", " ", "a", "é", "🐕", "=1", "\t"] as const;
  for (let round = 0; round < 500; round++) {
    const fields = Array.from({ length: between(1, 5) }, () =>
      Array.from({ length: between(0, 6) }, () => pick(parts)).join(""),
    );
    expect(parseCsvRow(csvRow(fields).slice(0, -2))).toEqual({ ok: true, value: fields });
  }
});

test.each(['a"b', '"a"b', '"a', '"a""', 'a,"b" c'])("the row %s is malformed", (row) => {
  expect(parseCsvRow(row).ok).toBe(false);
});

test("columns may stand in any order, behind a byte order mark; ids and empty fields are left out", async () => {
  const text = '\uFEFFstatus,id,name,categoryId\r\nsold,9,"Rex, the 2nd",2\r\n,,Tom,x\r\n\r\n';
  expect(await rows(text)).toEqual([
    { line: 2, row: { ok: true, value: { status: "sold", name: "Rex, the 2nd", categoryId: 2 } } },
    { line: 3, row: { ok: true, value: { name: "Tom", categoryId: "x" } } },
  ]);
});

test.each([
  ["name,categry\n", 'Line 1: there is no column "categry". Did you mean category?'],
  ["name,name,category\n", "Line 1: the column name stands there twice."],
  ["category\n", "Line 1: the column name is missing."],
  ["name,status\n", "Line 1: one of the columns category and categoryId is needed."],
  ["name,category,categoryId\n", "Line 1: one of the columns category and categoryId is needed."],
])("the heading %j is refused", async (text, message) => {
  expect(String(await rejection(rows(text)))).toContain(message);
});

test("a row with more or fewer fields than columns is a fault", async () => {
  const found = await rows("name,category\nRex,Dogs,1\nTom\n");
  expect(found.map(({ line, row }) => [line, row.ok])).toEqual([
    [2, false],
    [3, false],
  ]);
});

test("bytes that are no UTF-8 are a fault of their row alone", async () => {
  const text = Buffer.concat([
    Buffer.from("name,category\nRex,Dogs\n"),
    Buffer.from([0x54, 0xff, 0x2c, 0x43, 0x0a]),
    Buffer.from("Tom,Cats\n"),
  ]);
  expect((await rows(text)).map(({ line, row }) => [line, row.ok])).toEqual([
    [2, true],
    [3, false],
    [4, true],
  ]);
});

test("a line of NDJSON that names a member twice is refused", async () => {
  const text = '{"name":"Rex","name":"Tom","category":"Dogs"}\n';
  expect((await rows(text, "ndjson")).map(({ row }) => row)).toEqual([
    { ok: false, failure: 'The member "name" appears twice.' },
  ]);
});

test("of NDJSON every line is one object, without its id", async () => {
  const text =
    '{"id":4,"name":"Rex","category":"Dogs"}\n\n[1]\n{"a":\nnull\n{"category":"x","categoryId":1}\n';
  expect((await rows(text, "ndjson")).map(({ line, row }) => [line, row])).toEqual([
    [1, { ok: true, value: { name: "Rex", category: "Dogs" } }],
    [3, { ok: false, failure: "the line must hold one JSON object" }],
    [4, { ok: false, failure: "the line is not valid JSON." }],
    [5, { ok: false, failure: "the line must hold one JSON object" }],
    [6, { ok: false, failure: "give category or categoryId, not both" }],
  ]);
});
