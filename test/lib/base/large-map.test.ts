import { expect, test } from "bun:test";

import { LargeMap } from "../../../lib/base/large-map.ts";

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
