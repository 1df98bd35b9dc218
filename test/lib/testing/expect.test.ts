import { expect, test } from "bun:test";

import { expect as demand, type Expectation } from "../../../testing/contract-case.ts";

/** Assertions that pass, each with one that fails. */
const PAIRS: Readonly<
  Record<keyof Expectation, readonly [kept: () => void, broken: () => void][]>
> = {
  toBe: [
    [() => demand(1).toBe(1), () => demand(1).toBe("1")],
    [() => demand(Number.NaN).toBe(Number.NaN), () => demand(0).toBe(-0)],
    [() => demand(undefined).toBe(undefined), () => demand({}).toBe({})],
  ],
  toEqual: [
    [
      () => demand({ a: [1], b: 2 }).toEqual({ b: 2, a: [1] }),
      () => demand([1, 2]).toEqual([2, 1]),
    ],
    [() => demand({ a: undefined }).toEqual({}), () => demand({ a: null }).toEqual({})],
    [() => demand(undefined).toEqual(undefined), () => demand(undefined).toEqual(null)],
    [() => demand([]).toEqual([]), () => demand([]).toEqual({})],
    [
      () => demand(new Uint8Array([1, 2])).toEqual(new Uint8Array([1, 2])),
      () => demand(new Uint8Array([1, 2])).toEqual(new Uint8Array([1, 3])),
    ],
  ],
  toMatchObject: [
    [
      () => demand({ a: 1, b: 2 }).toMatchObject({ a: 1 }),
      () => demand({ b: 2 }).toMatchObject({ a: 1 }),
    ],
    [
      () => demand({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } }),
      () => demand({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } }),
    ],
    [
      () => demand([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }]),
      () => demand([1, 2]).toMatchObject([1]),
    ],
    [
      () => demand({ a: [] }).toMatchObject({ a: [] }),
      () => demand({ a: [1] }).toMatchObject({ a: [] }),
    ],
    [() => demand({}).toMatchObject({}), () => demand(undefined).toMatchObject({})],
  ],
  toBeUndefined: [[() => demand(undefined).toBeUndefined(), () => demand(null).toBeUndefined()]],
  toBeDefined: [[() => demand(null).toBeDefined(), () => demand(undefined).toBeDefined()]],
  toBeGreaterThan: [
    [() => demand(2).toBeGreaterThan(1), () => demand(1).toBeGreaterThan(1)],
    [() => demand(0).toBeGreaterThan(-1), () => demand(undefined).toBeGreaterThan(-1)],
  ],
  toHaveLength: [
    [() => demand([1]).toHaveLength(1), () => demand([1, 2]).toHaveLength(1)],
    [() => demand("ab").toHaveLength(2), () => demand(undefined).toHaveLength(0)],
  ],
  toContain: [
    [() => demand("abc").toContain("b"), () => demand("abc").toContain("d")],
    [() => demand(["ab"]).toContain("ab"), () => demand(["ab"]).toContain("a")],
  ],
  toNotContain: [
    [() => demand("abc").toNotContain("d"), () => demand("abc").toNotContain("b")],
    [() => demand([]).toNotContain("d"), () => demand(undefined).toNotContain("b")],
  ],
};

for (const [name, pairs] of Object.entries(PAIRS)) {
  test(`a contract's ${name} throws exactly where it should`, () => {
    for (const [kept, broken] of pairs) {
      expect(kept).not.toThrow();
      expect(broken).toThrow(/expected .*, got /);
    }
  });
}
