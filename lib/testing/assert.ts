/** What a contract promises and an adapter does not keep. */
export class BrokenContract extends Error {
  override readonly name = "BrokenContract";
}

/** Throws `BrokenContract` unless both hold the same data; members that are undefined count as absent. */
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

/** Text of a value in which members are ordered by name. */
export function text(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${text(member)}`).join(",")}}`;
}
