import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { webDigest } from "../../../lib/base/digest.ts";
import { cursorSeal, type CursorSeal, type Place } from "../../../lib/http/cursor.ts";
import { runSeed } from "../../helpers/chance.ts";

function sealWith(byte: number): CursorSeal {
  return cursorSeal(webDigest, () => new Uint8Array(32).fill(byte));
}

const place = fc.record({
  direction: fc.constantFrom("next", "prev"),
  id: fc.maxSafeInteger().map(Math.abs),
});
const runs = { seed: runSeed, numRuns: 200 };

test("a cursor opens for the list it was sealed for", async () => {
  const { seal, open } = sealWith(1);
  await fc.assert(
    fc.asyncProperty(fc.string(), place, async (list, place) => {
      expect(await open(list, await seal(list, place))).toEqual(place);
    }),
    runs,
  );
});

test("a cursor opens for no other list and with no other key", async () => {
  const { seal, open } = sealWith(1);
  const place: Place = { direction: "next", id: 42 };
  const cursor = await seal("1 pets -id ", place);
  for (const list of [
    "2 pets -id ",
    "1 pets id ",
    "1 pets -id status=sold",
    "1 categories -id ",
    "",
  ]) {
    expect(await open(list, cursor)).toBeUndefined();
  }
  expect(await sealWith(2).open("1 pets -id ", cursor)).toBeUndefined();
});

test("a cursor with one changed character does not open", async () => {
  const { seal, open } = sealWith(1);
  const cursor = await seal("list", { direction: "prev", id: 123_456 });
  for (let index = 0; index < cursor.length; index++) {
    for (const other of ["a", "0", "_", ".", "p", "n", "\u0000", "é"]) {
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      if (changed !== cursor) expect(await open("list", changed)).toBeUndefined();
    }
  }
});

test("other text does not open", async () => {
  const { open } = sealWith(1);
  for (const text of ["", "n", "n1", "n1.", ".", "x1.aaaaaaaaaaaaaaaa", "n1.aaaaaaaaaaaaaaaa"]) {
    expect(await open("list", text)).toBeUndefined();
  }
  expect(await open("list", `n${"z".repeat(100_000)}.aaaaaaaaaaaaaaaa`)).toBeUndefined();
});

test("a cursor is short and needs no escaping in a URL", async () => {
  const { seal } = sealWith(1);
  const cursor = await seal("list", { direction: "next", id: Number.MAX_SAFE_INTEGER });
  expect(cursor).toMatch(/^[\w.-]{1,30}$/);
});
