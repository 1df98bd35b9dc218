/** Seeded random numbers. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  true(probability: number): boolean;
}

/** The seed of this run; the runner prints it. */
export const runSeed: number = Number(process.env["TEST_SEED"] ?? 1);

/** True if long tests are requested. */
export const torture: boolean = process.env["TEST_TORTURE"] === "1";

export function chance(seed: number = runSeed): Chance {
  // A Weyl sequence and an integer hash, which is enough for tests.
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    true: (probability) => next() < probability,
  };
}
