/** The most ended names that one call removes, which is more than it can add. */
const SWEPT_AT_ONCE = 100;

/**
 * The names of counters that any client may create, at most so many of each kind. A name in use is never evicted, because
 * that would forgive its counts: beyond the bound, all further names of a kind are counted together.
 */
export class BoundedNames {
  readonly #most: number;
  readonly #forget: (name: string) => void;
  /** When each name was last used, by kind, oldest first. */
  readonly #kinds = new Map<string, Map<string, number>>();

  /** `forget` is called with each name that has ended. */
  constructor(most: number, forget: (name: string) => void = () => undefined) {
    this.#most = most;
    this.#forget = forget;
  }

  get size(): number {
    let size = 0;
    for (const names of this.#kinds.values()) size += names.size;
    return size;
  }

  /**
   * Returns the name to count `counter` under: its own, or that of its kind, the word before the first space. All counters
   * of a kind have the same `lengthMs`, after which an unused one has ended.
   */
  find(counter: string, lengthMs: number, now: number): string {
    const kind = kindOf(counter);
    const names = this.#swept(kind, lengthMs, now);
    return names === undefined || names.has(counter) || names.size < this.#most ? counter : kind;
  }

  /** Returns the name like `find`, and notes that it was used. */
  use(counter: string, lengthMs: number, now: number): string {
    const name = this.find(counter, lengthMs, now);
    if (name !== counter) return name;
    const kind = kindOf(counter);
    let names = this.#kinds.get(kind);
    if (names === undefined) this.#kinds.set(kind, (names = new Map()));
    names.delete(counter);
    names.set(counter, now);
    return counter;
  }

  #swept(kind: string, lengthMs: number, now: number): ReadonlyMap<string, number> | undefined {
    const names = this.#kinds.get(kind);
    if (names === undefined) return undefined;
    let checked = 0;
    for (const [name, usedAt] of names) {
      const ahead = now < usedAt;
      if (checked++ === SWEPT_AT_ONCE || (!ahead && now < usedAt + lengthMs)) break;
      names.delete(name);
      // The clock was set back: the name may be in use until a whole window from now has passed.
      if (ahead) names.set(name, now);
      else this.#forget(name);
    }
    return names;
  }
}

function kindOf(counter: string): string {
  const space = counter.indexOf(" ");
  return space === -1 ? counter : counter.slice(0, space);
}
