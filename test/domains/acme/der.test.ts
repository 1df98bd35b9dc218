import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { BadDer, oidOf, readDer, timeOf } from "../../../domains/acme/der.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

/** A value of at most 65,535 bytes. */
const tagged = (tag: number, contents: Uint8Array): Uint8Array =>
  Uint8Array.of(tag, 0x82, contents.length >> 8, contents.length & 0xff, ...contents);

describe("the DER reader", () => {
  test("reads a value with its members", () => {
    const { tag, members } = readDer(bytes("300804030102030101ff"));
    expect(tag).toBe(0x30);
    expect(members.map(({ contents }) => [...contents])).toEqual([[1, 2, 3], [0xff]]);
  });

  test.each([
    ["06072a8648ce3d0201", "1.2.840.10045.2.1"],
    ["0603551d11", "2.5.29.17"],
    ["06042a87ff7f", "1.2.131071"],
  ])("reads the object identifier %s as %s", (encoded, id) => {
    expect(oidOf(readDer(bytes(encoded)))).toBe(id);
  });

  test.each([
    [0x17, "491231235959Z", "2049-12-31T23:59:59Z"],
    [0x17, "261121120000Z", "2026-11-21T12:00:00Z"],
    [0x18, "20500101000000Z", "2050-01-01T00:00:00Z"],
  ])("reads the time %p %s", (tag, text, instant) => {
    expect(timeOf(readDer(tagged(tag, Buffer.from(text))))).toBe(Date.parse(instant));
  });
});

describe("malformed DER is refused:", () => {
  const nested = (depth: number): Uint8Array => {
    let inner: Uint8Array = bytes("0101ff");
    for (let level = 0; level < depth; level++) inner = tagged(0x30, inner);
    return inner;
  };
  const cases = [
    ["no data", new Uint8Array()],
    ["only a tag", bytes("30")],
    ["a truncated value", bytes("300501")],
    ["data after the value", bytes("0101ff00")],
    ["an indefinite length", bytes("3080010100")],
    ["a length beyond the data", bytes("0487ffffffffffffff00")],
    ["a tag of several bytes", bytes("1f8101")],
    ["a thousand nested values", nested(1_000)],
    [
      "thirty thousand values",
      tagged(
        0x30,
        new Uint8Array(60_000).map((_, index) => (index % 2 === 0 ? 5 : 0)),
      ),
    ],
  ] as const;
  for (const [what, data] of cases) {
    test(what, () => {
      expect(() => readDer(data)).toThrow(BadDer);
    });
  }

  test("random bytes, with no error other than BadDer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          readDer(noise);
        } catch (error) {
          expect(error).toBeInstanceOf(BadDer);
        }
      }),
    );
  });

  test("an impossible time", () => {
    for (const impossible of [
      "261321000000Z",
      "260230000000Z",
      "2611210000Z",
      "261121000000+0100",
    ]) {
      expect(() => timeOf(readDer(tagged(0x17, Buffer.from(impossible))))).toThrow(BadDer);
    }
  });
});
