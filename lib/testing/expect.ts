import { BrokenContract, equal, text } from "./assert.ts";

/** What can be demanded of a value. Each throws `BrokenContract` where the value is otherwise. */
export interface Expectation {
  /** The same value; for objects, the very same. */
  toBe(expected: unknown): void;
  /** The same data; members that are undefined count as absent. */
  toEqual(expected: unknown): void;
  /** The same data where `expected` has any: it may leave out members of objects, but no item of a list. */
  toMatchObject(expected: object): void;
  toBeUndefined(): void;
  toBeDefined(): void;
  toBeGreaterThan(bound: number): void;
  toHaveLength(length: number): void;
  /** A text or a list in which `part` occurs. */
  toContain(part: string): void;
  toNotContain(part: string): void;
}

/** Assertions for contracts, which any test runner runs: named as those of the runners are. */
export function expect(actual: unknown): Expectation {
  const demand = (kept: boolean, expected: string): void => {
    if (!kept) throw new BrokenContract(`expected ${expected}, got ${text(actual)}`);
  };
  // Of anything else nothing can be said.
  const contains = (part: string): boolean | undefined =>
    typeof actual === "string" || Array.isArray(actual) ? actual.includes(part) : undefined;
  return {
    toBe: (expected) => demand(Object.is(actual, expected), text(expected)),
    toEqual: (expected) => equal(actual, expected, "value"),
    toMatchObject: (expected) => demand(matches(actual, expected), text(expected)),
    toBeUndefined: () => demand(actual === undefined, "nothing"),
    toBeDefined: () => demand(actual !== undefined, "something"),
    toBeGreaterThan: (bound) =>
      demand(typeof actual === "number" && actual > bound, `more than ${bound}`),
    toHaveLength: (length) =>
      demand(
        (typeof actual === "string" || Array.isArray(actual)) && actual.length === length,
        `a length of ${length}`,
      ),
    toContain: (part) => demand(contains(part) === true, `${text(part)} in it`),
    toNotContain: (part) => demand(contains(part) === false, `no ${text(part)} in it`),
  };
}

function matches(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(expected) || Array.isArray(actual)) {
    if (!Array.isArray(expected) || !Array.isArray(actual)) return false;
    return (
      actual.length === expected.length && expected.every((item, i) => matches(actual[i], item))
    );
  }
  const members = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(expected).every(([name, member]) => matches(members.get(name), member));
}
