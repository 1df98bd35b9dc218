/** The most entries of a part: to grow it takes less than 3 ms. */
const PART = 16_384;

/**
 * A map for hundreds of thousands of entries, made of smaller maps: one map of that size blocks the process for up to 80 ms
 * when it grows, and after each change, the next garbage collection scans it whole.
 */
export class LargeMap<Key, Value> {
  #last = new Map<Key, Value>();
  readonly #parts = [this.#last];

  get(key: Key): Value | undefined {
    for (const part of this.#parts) {
      const found = part.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  has(key: Key): boolean {
    return this.#parts.some((part) => part.has(key));
  }

  /** Adds an entry unless the key has one. Returns the value of its earlier entry. */
  add(key: Key, value: Value): Value | undefined {
    const earlier = this.get(key);
    if (earlier !== undefined) return earlier;
    if (this.#last.size >= PART) this.#parts.push((this.#last = new Map()));
    this.#last.set(key, value);
    return undefined;
  }
}
