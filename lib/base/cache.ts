import { LRUCache } from "lru-cache";

/** Keeps what was used last. Not for anything that must not be forgotten. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
  readonly size: number;
}

/** Holds at most `max` values; `onGone` hears of each that leaves, but not of one replaced under its key. */
export function countedCache<Value extends object>(
  max: number,
  onGone: (value: Value, key: string) => void,
): Cache<Value> {
  return wrap(
    new LRUCache<string, Value>({
      max,
      dispose: (value, key, reason) => {
        if (reason !== "set") onGone(value, key);
      },
    }),
  );
}

/** Holds values whose sizes, as `sizeOf` tells them, add up to at most `maxSize`. */
export function sizedCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value, key: string) => number,
): Cache<Value> {
  return wrap(new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf }));
}

function wrap<Value extends object>(cache: LRUCache<string, Value>): Cache<Value> {
  return {
    get: (key) => cache.get(key),
    set: (key, value) => {
      cache.set(key, value);
    },
    delete: (key) => {
      cache.delete(key);
    },
    entries: () => cache.entries(),
    get size() {
      return cache.size;
    },
  };
}
