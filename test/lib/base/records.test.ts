import { expect, test } from "bun:test";

import { csvRow, parseCsvRow, separatorOf } from "../../../lib/base/csv.ts";
import { MAX_ROW_BYTES, records, type RawRecord } from "../../../lib/base/records.ts";
import { chance } from "../../helpers/chance.ts";

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
  "the rows of %j are returned with their line numbers, wherever chunks end",
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
  expect(found[0]).toEqual([1, "! open_quote"]);
  expect(found.slice(1).map(([line]) => line)).toEqual([2, 3]);
});

test("an overlong line is one fault, and the following lines are read", async () => {
  const long = "x".repeat(MAX_ROW_BYTES + 1);
  for (const quotes of [true, false]) {
    for (const size of [1_000, 1_000_000]) {
      const found = shown(await cut(`a\n${long}\nb\n${long}`, quotes, size));
      expect(found).toEqual([
        [1, "a"],
        [2, "! too_long"],
        [3, "b"],
        [4, "! too_long"],
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

test("an endless line takes no more memory than a row and a chunk", async () => {
  const piece = new Uint8Array(64 * 1024).fill(120);
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; sent < 500; sent++) yield piece;
  }
  let faults = 0;
  for await (const some of records(endless(), { quotes: true })) faults += some.length;
  expect([sent, faults]).toEqual([500, 1]);
});

test("written fields are read back unchanged", () => {
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

test("a row is split at its own separator", () => {
  expect(parseCsvRow('a,b;"c;d";', ";")).toEqual({ ok: true, value: ["a,b", "c;d", ""] });
  expect(parseCsvRow('"a";b', ",").ok).toBe(false);
});

test.each([
  ["name,category", ","],
  ["name;category", ";"],
  ["name\tcategory", "\t"],
  ["name", ","],
] as const)("the columns %j are separated by %j", (header, separator) => {
  expect(separatorOf(header)).toBe(separator);
});

test.each([";", "\t"])(
  "a line break between quotes belongs to a field after %j too",
  async (separator) => {
    const text = `x${separator}"a\nb"${separator}y\nz\n`;
    expect((await cut(text)).map(({ line }) => line)).toEqual([1, 3]);
  },
);
