import { LRUCache } from "lru-cache";

import type { Cache } from "./cache.ts";

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
