import type { Eventual } from "../lib/base/eventual.ts";

/** One promise of a port, for any test runner. `run` throws with a message when an adapter breaks it. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Returns a case that opens a subject for `body` and closes it afterwards. */
export function contractCase<Subject extends { close?(): Eventual<void> }>(
  name: string,
  open: () => Eventual<Subject>,
  body: (subject: Subject) => Promise<void>,
): ContractCase {
  return {
    name,
    run: async () => {
      const subject = await open();
      try {
        await body(subject);
      } finally {
        await subject.close?.();
      }
    },
  };
}

/** Creates the cases of a contract from its tests by name. `prepare` makes the fixture of each test. */
export function casesOf<Given, Fixture>(
  prepare: (given: Given) => Eventual<Fixture>,
  tests: Readonly<Record<string, (fixture: Fixture) => Promise<void>>>,
): readonly { readonly name: string; readonly run: (given: Given) => Promise<void> }[] {
  return Object.entries(tests).map(([name, test]) => ({
    name,
    run: async (given) => test(await prepare(given)),
  }));
}

/** Thrown when an adapter violates its contract. */
export class BrokenContract extends Error {
  override readonly name = "BrokenContract";
}

/** Throws `BrokenContract` unless both contain the same data. Undefined members count as absent. */
export function equal<Value>(actual: Value, expected: Value, what: string): void {
  if (text(actual) === text(expected)) return;
  throw new BrokenContract(`${what}: expected ${text(expected)}, got ${text(actual)}`);
}

/** Throws `BrokenContract` unless `promise` rejects. */
export async function rejects(promise: Promise<unknown>, what: string): Promise<void> {
  const rejected = await promise.then(
    () => false,
    () => true,
  );
  equal(rejected, true, what);
}

/** Serializes a value with its members sorted by name. */
export function text(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${text(member)}`).join(",")}}`;
}

/** Assertions about a value, each of which throws `BrokenContract` when it fails. */
export interface Expectation {
  /** The same value, or the identical object. */
  toBe(expected: unknown): void;
  /** The same data. Undefined members count as absent. */
  toEqual(expected: unknown): void;
  /** The same data in all members of `expected`, which can omit members of objects but no items of lists. */
  toMatchObject(expected: object): void;
  toBeUndefined(): void;
  toBeDefined(): void;
  toBeGreaterThan(bound: number): void;
  toHaveLength(length: number): void;
  /** A text or a list that contains `part`. */
  toContain(part: string): void;
  toNotContain(part: string): void;
}

/** Assertions for contracts, independent of the test runner. */
export function expect(actual: unknown): Expectation {
  const demand = (kept: boolean, expected: string): void => {
    if (!kept) throw new BrokenContract(`expected ${expected}, got ${text(actual)}`);
  };
  // Undefined for other values, which fails both assertions.
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
