import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { webDigest, type Digest } from "../../../lib/base/digest.ts";
import { cursorSeal, type Cursors, type Place } from "../../../lib/http/cursor.ts";
import { runSeed } from "../../helpers/chance.ts";

async function cursorsOf(list: string, byte = 1): Promise<Cursors> {
  return cursorSeal(webDigest, () => new Uint8Array(32).fill(byte))(list);
}

const place = fc.record({
  direction: fc.constantFrom("next", "prev"),
  id: fc.maxSafeInteger().map(Math.abs),
});
const runs = { seed: runSeed, numRuns: 200 };

test("a cursor opens for the list it was sealed for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), place, async (list, place) => {
      const { seal, open } = await cursorsOf(list);
      expect(await open(seal(place))).toEqual(place);
    }),
    runs,
  );
});

test("a cursor opens for no other list and with no other key", async () => {
  const place: Place = { direction: "next", id: 42 };
  const cursor = (await cursorsOf("1 pets -id ")).seal(place);
  for (const list of [
    "2 pets -id ",
    "1 pets id ",
    "1 pets -id status=sold",
    "1 categories -id ",
    "",
  ]) {
    expect(await (await cursorsOf(list)).open(cursor)).toBeUndefined();
  }
  expect(await (await cursorsOf("1 pets -id ", 2)).open(cursor)).toBeUndefined();
});

test("a cursor with one changed character does not open", async () => {
  const { seal, open } = await cursorsOf("list");
  const cursor = seal({ direction: "prev", id: 123_456 });
  for (let index = 0; index < cursor.length; index++) {
    for (const other of ["a", "0", "_", ".", "p", "n", "\u0000", "é"]) {
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      if (changed !== cursor) expect(await open(changed)).toBeUndefined();
    }
  }
});

test("other text does not open", async () => {
  const { open } = await cursorsOf("list");
  for (const text of ["", "n", "n1", "n1.", ".", "x1.aaaaaaaaaaaaaaaa", "n1.aaaaaaaaaaaaaaaa"]) {
    expect(await open(text)).toBeUndefined();
  }
  expect(await open(`n${"z".repeat(100_000)}.aaaaaaaaaaaaaaaa`)).toBeUndefined();
});

test("the same place with the other direction has another signature", async () => {
  const { seal } = await cursorsOf("list");
  const signature = (direction: Place["direction"]): string =>
    seal({ direction, id: 42 }).slice(-16);
  expect(signature("next")).not.toBe(signature("prev"));
});

test("cursors are the same however many lists were requested in between", async () => {
  let derived = 0;
  const digest: Digest = {
    ...webDigest,
    hmac: (key, data) => {
      derived++;
      return webDigest.hmac(key, data);
    },
  };
  const seal = cursorSeal(digest, () => new Uint8Array(32).fill(1));
  const place: Place = { direction: "next", id: 7 };
  const before = (await seal("list 0")).seal(place);
  expect((await seal("list 0")).open(before)).toEqual(place);
  expect(derived).toBe(1);
  // More than are remembered.
  for (let index = 1; index <= 1_000; index++) await seal(`list ${index}`);
  expect((await seal("list 0")).seal(place)).toBe(before);
  expect(derived).toBe(1_002);
});

test("a cursor is short and needs no escaping in a URL", async () => {
  const { seal } = await cursorsOf("list");
  const cursor = seal({ direction: "next", id: Number.MAX_SAFE_INTEGER });
  expect(cursor).toMatch(/^[\w.-]{1,30}$/);
});
