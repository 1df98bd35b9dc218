import { LRUCache } from "lru-cache";

/** Keeps the most recently used values. Not for values that must not be lost. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
  readonly size: number;
}

/**
 * Holds at most `max` values. `onGone` receives each evicted value, but none that is replaced. The room is taken as values
 * are added: the library's own limit by number would allocate it at once, which takes milliseconds of a start.
 */
export function countedCache<Value extends object>(
  max: number,
  onGone: (value: Value, key: string) => void,
): Cache<Value> {
  return new LRUCache<string, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    dispose: (value, key, reason) => {
      if (reason !== "set") onGone(value, key);
    },
  });
}

/** Holds values whose sizes by `sizeOf` add up to at most `maxSize`. */
export function sizedCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value, key: string) => number,
): Cache<Value> {
  return new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf });
}

/** Longer texts are rare, and would take room. */
const MAX_REMEMBERED_LENGTH = 300;

/** Remembers the results of a pure function for `max` texts of at most `maxLength` characters, then starts over. */
export function remembered<Value extends {}>(
  make: (text: string) => Value,
  max = 1_000,
  maxLength: number = MAX_REMEMBERED_LENGTH,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const made = make(text);
    if (text.length <= maxLength) {
      if (known.size >= max) known.clear();
      known.set(text, made);
    }
    return made;
  };
}
