/** The most entries of a part: to grow it takes less than 3 ms. */
const PART = 16_384;
/** The bits of the filter. A million keys set one in nine. */
const FILTER_BITS = 2 ** 23;

/**
 * A map for hundreds of thousands of entries, made of smaller maps: one map of that size blocks the process for up to 80 ms
 * when it grows, and after each change, the next garbage collection scans it whole. Made for keys that are mostly new: one
 * that has an entry is searched in every part.
 */
export class LargeMap<Key extends string | number, Value extends NonNullable<unknown>> {
  #last = new Map<Key, Value>();
  readonly #parts = [this.#last];
  /** Has a bit for each key, from the second part on: without it, the time for a key would grow with the parts. */
  #filter: Uint32Array | undefined;

  get(key: Key): Value | undefined {
    if (!this.#mayHave(key)) return undefined;
    for (const part of this.#parts) {
      const found = part.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds an entry unless the key has one. Returns the value of its earlier entry. */
  add(key: Key, value: Value): Value | undefined {
    const earlier = this.get(key);
    if (earlier !== undefined) return earlier;
    if (this.#last.size >= PART) {
      if (this.#filter === undefined) {
        this.#filter = new Uint32Array(FILTER_BITS / 32);
        for (const known of this.#last.keys()) note(this.#filter, known);
      }
      this.#parts.push((this.#last = new Map()));
    }
    this.#last.set(key, value);
    if (this.#filter !== undefined) note(this.#filter, key);
    return undefined;
  }

  #mayHave(key: Key): boolean {
    if (this.#filter === undefined) return true;
    const bit = bitOf(key);
    return ((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

function note(filter: Uint32Array, key: string | number): void {
  const bit = bitOf(key);
  filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

/** Returns the bit of a key in the filter. */
function bitOf(key: string | number): number {
  let hash = 0x811c_9dc5;
  if (typeof key === "number") hash = Math.imul((key % 0x1_0000_0000) ^ hash, 0x9e37_79b1);
  else
    for (let at = 0; at < key.length; at++)
      hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  return Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b) >>> 9;
}
