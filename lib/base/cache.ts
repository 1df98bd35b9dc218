import { LRUCache } from "lru-cache";

/** Keeps the most recently used values. Not for values that must not be lost. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
  readonly size: number;
}

/** Holds at most `max` values. `onGone` receives each evicted value, but none that is replaced. */
export function countedCache<Value extends object>(
  max: number,
  onGone: (value: Value, key: string) => void,
): Cache<Value> {
  return new LRUCache<string, Value>({
    max,
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
