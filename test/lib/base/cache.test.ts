import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { sizedCache } from "../../../lib/base/cache.ts";

const MAX_SIZE = 10;

const key = fc.constantFrom("a", "b", "c", "d", "e");
const step = fc.oneof(
  fc.record({ kind: fc.constant("get" as const), key }),
  fc.record({ kind: fc.constant("set" as const), key, size: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant("delete" as const), key }),
);

/** The same cache as a list, the least recently used value first. */
class Listed {
  values: { readonly key: string; readonly size: number }[] = [];

  get(wanted: string): object | undefined {
    const value = this.values.find((one) => one.key === wanted);
    if (value !== undefined) this.values = [...this.values.filter((one) => one !== value), value];
    return value;
  }

  set(value: { readonly key: string; readonly size: number }): void {
    this.delete(value.key);
    if (value.size > MAX_SIZE) return;
    this.values.push(value);
    while (this.values.reduce((sum, { size }) => sum + size, 0) > MAX_SIZE) this.values.shift();
  }

  delete(wanted: string): void {
    this.values = this.values.filter((one) => one.key !== wanted);
  }
}

test("a cache evicts the least recently used values once their sizes exceed its limit", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = sizedCache<{ readonly size: number }>(MAX_SIZE, ({ size }) => size);
      const listed = new Listed();
      for (const one of steps) {
        if (one.kind === "get") expect(cache.get(one.key)).toBe(listed.get(one.key) as never);
        if (one.kind === "delete") {
          cache.delete(one.key);
          listed.delete(one.key);
        }
        if (one.kind === "set") {
          cache.set(one.key, one);
          listed.set(one);
        }
        expect(cache.size).toBe(listed.values.length);
        expect(new Map(cache.entries())).toEqual(
          new Map(listed.values.map((value) => [value.key, value])),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test("a cache keeps no value whose size is not a number", () => {
  const cache = sizedCache<{ readonly size: number }>(MAX_SIZE, ({ size }) => size);
  cache.set("a", { size: 1 });
  cache.set("a", { size: Number.NaN });
  expect([cache.size, cache.get("a")]).toEqual([0, undefined]);
});
