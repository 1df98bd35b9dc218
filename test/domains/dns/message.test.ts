import { describe, expect, test } from "bun:test";

import { decodeMessage } from "../../../domains/dns/message.ts";
import { encodeQuery, loadCodec } from "../../../domains/dns/packet.ts";
import { readName } from "../../../domains/dns/wire.ts";
import { chance, runSeed, torture } from "../../helpers/chance.ts";
import { effortMs } from "../../helpers/effort.ts";

await loadCodec();

/** Encodes a response to a query for `shelter.org` A, with the given records. */
function message(records: readonly (readonly number[])[], counts: readonly number[]): Uint8Array {
  const question = [7, ...ascii("shelter"), 3, ...ascii("org"), 0, 0, 1, 0, 1];
  const header = [
    0x12,
    0x34,
    0x81,
    0x80,
    0,
    1,
    ...counts.flatMap((count) => [count >> 8, count & 0xff]),
  ];
  return Uint8Array.from([...header, ...question, ...records.flat()]);
}

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, "latin1")];
}

/** Encodes a record of `shelter.org`, with a pointer to the question. */
function record(type: number, data: readonly number[], ttl: readonly number[] = [0, 0, 0, 60]) {
  return [
    0xc0,
    12,
    type >> 8,
    type & 0xff,
    0,
    1,
    ...ttl,
    data.length >> 8,
    data.length & 0xff,
    ...data,
  ];
}

const address = record(1, [192, 0, 2, 1]);

describe("a message", () => {
  test("is decoded with its records", () => {
    expect(decodeMessage(message([address], [1, 0, 0]))).toEqual({
      id: 0x1234,
      isResponse: true,
      authoritative: false,
      truncated: false,
      authenticated: false,
      rcode: 0,
      question: { name: "shelter.org", type: 1 },
      answers: [{ name: "shelter.org", type: "A", ttlSeconds: 60, data: "192.0.2.1" }],
      authorities: [],
      additionals: [],
      signed: false,
      signatures: [],
    });
  });

  test("that announces more records than it contains is invalid", () => {
    expect(decodeMessage(message([address], [2, 0, 0]))).toBeUndefined();
    expect(decodeMessage(message([address], [1, 0, 1]))).toBeUndefined();
  });

  test("with a malformed record is invalid", () => {
    const broken: Readonly<Record<string, readonly number[]>> = {
      "short address": record(1, [192, 0, 2]),
      "long address": record(1, [192, 0, 2, 1, 1]),
      "short IPv6 address": record(28, [1, 2, 3, 4]),
      "text beyond its end": record(16, [9, 65]),
      "empty alias": record(5, []),
      "alias with something behind it": record(5, [1, 65, 0, 0]),
      "CAA without a tag": record(257, [0, 0, 65]),
      "CAA with a tag beyond its end": record(257, [0, 9, 65]),
      "mail exchange without a name": record(15, [0, 10]),
      "head of a zone cut off": record(6, [0, 0, 1, 2, 3]),
    };
    for (const [what, octets] of Object.entries(broken)) {
      expect([what, decodeMessage(message([octets], [1, 0, 0]))]).toEqual([what, undefined]);
      expect([what, decodeMessage(message([octets], [0, 1, 0]))]).toEqual([what, undefined]);
    }
  });

  test("distinguishes records of other types and classes", () => {
    const chaos = [...address];
    chaos[5] = 3;
    const result = decodeMessage(message([record(99, [1]), chaos, address], [3, 0, 0]));
    expect(result?.answers).toHaveLength(1);
  });

  test("with the highest bit of a TTL set counts it as 0", () => {
    const long = record(1, [192, 0, 2, 1], [0x80, 0, 0, 1]);
    const longest = record(1, [192, 0, 2, 1], [0x7f, 0xff, 0xff, 0xff]);
    const ttls = decodeMessage(message([long, longest], [2, 0, 0]))?.answers;
    expect(ttls?.map(({ ttlSeconds }) => ttlSeconds)).toEqual([0, 0x7fff_ffff]);
  });

  test("takes the high bits of its rcode from EDNS, and detects signatures", () => {
    const opt = [0, 0, 41, 4, 208, 1, 0, 0, 0, 0, 0];
    const result = decodeMessage(message([record(46, [1, 2]), opt], [1, 0, 1]));
    expect(result).toMatchObject({ rcode: 16, signed: true });
  });

  test("with a malformed or repeated OPT record is invalid", () => {
    const opt = [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0];
    const broken = [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 3, 0, 15, 0];
    expect(decodeMessage(message([opt, opt], [0, 0, 2]))).toBeUndefined();
    expect(decodeMessage(message([broken], [0, 0, 1]))).toBeUndefined();
    expect(decodeMessage(message([opt], [0, 0, 1]))).toBeDefined();
  });

  test("with more than a thousand records is rejected at once", () => {
    const many = Array.from({ length: 1_001 }, () => address);
    expect(decodeMessage(message(many, [1_001, 0, 0]))).toBeUndefined();
    expect(decodeMessage(message(many.slice(1), [1_000, 0, 0]))).toBeDefined();
  });

  test("that is truncated has no records", () => {
    const octets = message([address.slice(0, 5)], [1, 0, 0]);
    octets[2] = 0x83;
    expect(decodeMessage(octets)).toMatchObject({ truncated: true, answers: [] });
  });

  test("has its sender's explanation, printable and of limited length", () => {
    const text = [...ascii("\u001b[2J"), ...ascii("x".repeat(400))];
    const option = [0, 15, (text.length + 2) >> 8, (text.length + 2) & 0xff, 0, 6, ...text];
    const opt = [0, 0, 41, 4, 208, 0, 0, 0, 0, option.length >> 8, option.length & 0xff, ...option];
    const result = decodeMessage(message([opt], [0, 0, 1]))?.explanation;
    expect(result?.code).toBe(6);
    expect(result?.text).toStartWith(String.raw`\027[2Jxxx`);
    expect(result?.text).toHaveLength(200);
  });

  test("of random bytes neither throws nor takes long", async () => {
    const dice = chance(runSeed);
    const proper = message([address, record(5, [0xc0, 12]), record(16, [2, 65, 66])], [3, 0, 0]);
    const effort = await effortMs(() => {
      for (let times = 0; times < (torture ? 200_000 : 5_000); times++) {
        const octets = Uint8Array.from(proper);
        for (let change = dice.between(1, 6); change > 0; change--) {
          octets[dice.between(0, octets.length - 1)] = dice.between(0, 255);
        }
        decodeMessage(octets.subarray(0, dice.between(0, octets.length)));
      }
    });
    expect(effort).toBeLessThan(torture ? 60_000 : 3_000);
  });
});

describe("a name in a message", () => {
  test("with a pointer to itself, forwards or in a loop is rejected", () => {
    expect(readName(Uint8Array.from([0xc0, 0]), 0)).toBeUndefined();
    expect(readName(Uint8Array.from([0xc0, 2, 0]), 0)).toBeUndefined();
    expect(readName(Uint8Array.from([1, 65, 0xc0, 4, 0xc0, 0]), 4)).toBeUndefined();
    expect(readName(Uint8Array.from([0xc0, 2, 0xc0, 0, 0xc0, 2]), 4)).toBeUndefined();
  });

  test("may contain backward pointers", () => {
    const octets = Uint8Array.from([3, ...ascii("org"), 0, 1, 65, 0xc0, 0, 1, 66, 0xc0, 5]);
    expect(readName(octets, 9)).toEqual({ text: "B.A.org", end: 13 });
  });

  test("has at most 255 octets", () => {
    const labels = (count: number) => Array.from({ length: count }, () => [1, 65]).flat();
    expect(readName(Uint8Array.from([...labels(127), 0]), 0)?.text).toHaveLength(253);
    expect(readName(Uint8Array.from([...labels(128), 0]), 0)).toBeUndefined();
  });

  test("is read along 127 pointers, and not along more", () => {
    const octets = Uint8Array.from([
      0,
      ...Array.from({ length: 128 }, (_, i) => [0xc0, i === 0 ? 0 : 2 * i - 1]).flat(),
    ]);
    expect(readName(octets, 1 + 2 * 126)?.text).toBe("");
    expect(readName(octets, 1 + 2 * 127)).toBeUndefined();
  });

  test("does not make a message of a thousand names along thousands of pointers slow", async () => {
    const ladder = Array.from({ length: 8_000 }, (_, i) => (i === 0 ? 23 : 22 + 2 * i));
    const pointer = (to: number) => [0xc0 | (to >> 8), to & 0xff];
    const data = [0, ...ladder.flatMap(pointer)];
    const first = [0, 0xff, 0, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 0xff, ...data];
    const record = [...pointer(22 + 2 * 8_000), 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1];
    const octets = Uint8Array.from([
      ...[0, 1, 0x80, 0, 0, 0, 0x03, 0xe8, 0, 0, 0, 0],
      ...first,
      ...Array.from({ length: 999 }, () => record).flat(),
    ]);
    const effort = await effortMs(() => {
      for (let times = 0; times < 10; times++) expect(decodeMessage(octets)).toBeUndefined();
    });
    expect(effort).toBeLessThan(1_000);
  });

  test("cannot be expanded by thousands of pointers", async () => {
    const octets = new Uint8Array(0x4000);
    for (let at = 2; at + 1 < octets.length; at += 2) {
      octets[at] = 0xc0 + ((at - 2) >> 8);
      octets[at + 1] = (at - 2) & 0xff;
    }
    const effort = await effortMs(() => {
      for (let times = 0; times < 100; times++) readName(octets, 0x3ffe);
    });
    expect(effort).toBeLessThan(1_000);
  });
});

test("encoding a query for an invalid name throws", () => {
  const flags = { id: 1, recursionDesired: true, checkingDisabled: false, edns: true };
  expect(() => encodeQuery({ name: "é.org", type: "A" }, flags)).toThrow(TypeError);
});
