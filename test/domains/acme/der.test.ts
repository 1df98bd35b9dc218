import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  boolean,
  integer,
  octetString,
  oid,
  sequence,
  tagged,
  time,
  BadDer,
  member,
  oidOf,
  readDer,
  timeOf,
} from "../../../domains/acme/der.ts";
import { hex } from "../../../lib/base/digest.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

describe("what is written", () => {
  test("is what others write", () => {
    expect(hex(oid("1.2.840.10045.2.1"))).toBe("06072a8648ce3d0201");
    expect(hex(integer(bytes("00000080")))).toBe("02020080");
    expect(hex(integer(bytes("7f")))).toBe("02017f");
    expect(hex(integer(new Uint8Array()))).toBe("020100");
    expect(hex(boolean(true))).toBe("0101ff");
    expect(hex(octetString(new Uint8Array(200))).slice(0, 6)).toBe("0481c8");
    expect(hex(octetString(new Uint8Array(70_000))).slice(0, 10)).toBe("0483011170");
  });

  test("of a time is short until 2049, and long from then on", () => {
    expect(Buffer.from(time(Date.UTC(2049, 11, 31, 23, 59, 59))).toString("latin1", 2)).toBe(
      "491231235959Z",
    );
    expect(Buffer.from(time(Date.UTC(2050, 0, 1))).toString("latin1", 2)).toBe("20500101000000Z");
  });

  test("is read as what it was", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.array(fc.nat(2 ** 31), { maxLength: 8 }),
        (content, seconds, arcs) => {
          const id = ["1", "3", ...arcs].join(".");
          const read = readDer(sequence(octetString(content), time(seconds * 1_000), oid(id)));
          expect(member(read, 0).contents).toEqual(content);
          expect(timeOf(member(read, 1))).toBe(seconds * 1_000);
          expect(oidOf(member(read, 2))).toBe(id);
        },
      ),
    );
  });
});

describe("what is not DER is refused:", () => {
  const nested = (depth: number): Uint8Array => {
    let inner = boolean(true);
    for (let level = 0; level < depth; level++) inner = sequence(inner);
    return inner;
  };
  const cases = [
    ["nothing", new Uint8Array()],
    ["a tag alone", bytes("30")],
    ["a value that is cut off", bytes("300501")],
    ["something behind the value", bytes("0101ff00")],
    ["a length without end", bytes("3080010100")],
    ["a length that is longer than all data", bytes("0487ffffffffffffff00")],
    ["a tag of several bytes", bytes("1f8101")],
    ["a nesting of a thousand", nested(1_000)],
    [
      "a hundred thousand values",
      tagged(
        0x30,
        new Uint8Array(200_000).fill(0).map((_, i) => (i % 2 === 0 ? 5 : 0)),
      ),
    ],
  ] as const;
  for (const [what, data] of cases) {
    test(what, () => {
      expect(() => readDer(data)).toThrow(BadDer);
    });
  }

  test("noise, always with the same word for it", () => {
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

  test("a time that there is not", () => {
    for (const odd of ["261321000000Z", "260230000000Z", "2611210000Z", "261121000000+0100"]) {
      expect(() => timeOf(readDer(tagged(0x17, Buffer.from(odd))))).toThrow(BadDer);
    }
  });
});
