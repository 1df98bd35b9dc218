import { expect, test } from "bun:test";

import { LargeMap } from "../../../lib/base/large-map.ts";

test("a large map of numbers, and one whose keys are equal in the filter, answer as a map does", () => {
  const large = new LargeMap<number, number>();
  const map = new Map<number, number>();
  for (let at = 0; at < 60_000; at++) {
    const key = (at * 7_919) % 50_021 === 0 ? -at : ((at * 7_919) % 50_021) * 2 ** 32;
    expect(large.add(key, at)).toBe(map.get(key));
    if (!map.has(key)) map.set(key, at);
  }
  for (let at = 0; at < 60_000; at++) {
    for (const key of [at, at * 2 ** 32]) expect(large.has(key)).toBe(map.has(key));
  }
});

test("a large map keeps the first value of each key, across its parts", () => {
  const map = new LargeMap<string, number>();
  for (let at = 0; at < 100_000; at++) expect(map.add(`S${at}`, at)).toBeUndefined();
  for (const at of [0, 16_383, 16_384, 99_999]) {
    expect(map.add(`S${at}`, -1)).toBe(at);
    expect(map.get(`S${at}`)).toBe(at);
    expect(map.has(`S${at}`)).toBe(true);
  }
  expect(map.get("S100000")).toBeUndefined();
  expect(map.has("S100000")).toBe(false);
});
