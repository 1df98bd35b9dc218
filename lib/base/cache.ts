/** Keeps the most recently used values. Not for values that must not be lost. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
  readonly size: number;
}

/** A cached value, and its neighbours in the order of use. A new one has none but itself. */
class Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly size: number;
  newer: Entry<Value> = this;
  older: Entry<Value> = this;

  constructor(key: string, value: Value, size: number) {
    this.key = key;
    this.value = value;
    this.size = size;
  }
}

/**
 * Holds values whose sizes by `sizeOf` add up to at most `maxSize`; the least recently used is evicted first. A value whose
 * size is larger, or no number, is not kept. `lru-cache` would be a tenth of the code that an edge function loads first.
 */
export function sizedCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value, key: string) => number,
): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let newest: Entry<Value> | undefined;
  let total = 0;

  // The entries form a circle, so that the least recently used one is the newer neighbour of the newest.
  const enter = (entry: Entry<Value>): void => {
    if (newest !== undefined) {
      entry.older = newest;
      entry.newer = newest.newer;
      newest.newer.older = entry;
      newest.newer = entry;
    }
    newest = entry;
  };
  const leave = (entry: Entry<Value>): void => {
    const { newer, older } = entry;
    newer.older = older;
    older.newer = newer;
    if (newest === entry) newest = older === entry ? undefined : older;
  };
  const remove = (entry: Entry<Value>): void => {
    leave(entry);
    entries.delete(entry.key);
    total -= entry.size;
  };

  const makeRoomFor = (size: number): void => {
    for (;;) {
      const oldest = newest?.newer;
      if (oldest === undefined || total + size <= maxSize) return;
      remove(oldest);
    }
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry !== newest) {
        leave(entry);
        enter(entry);
      }
      return entry.value;
    },
    set: (key, value) => {
      const size = sizeOf(value, key);
      const replaced = entries.get(key);
      if (replaced !== undefined) remove(replaced);
      if (!(size <= maxSize)) return;
      makeRoomFor(size);
      const entry = new Entry(key, value, size);
      entries.set(key, entry);
      total += size;
      enter(entry);
    },
    delete: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) remove(entry);
    },
    *entries() {
      for (const { key, value } of entries.values()) yield [key, value];
    },
    get size() {
      return entries.size;
    },
  };
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
