import type { SavedCounter } from "../storage/change.ts";

/** An expiring counter. */
export interface Tally {
  readonly name: string;
  /** When it becomes equal to a new one and may be removed. */
  readonly endsAt: number;
  /** The integers that restore it. */
  readonly numbers: readonly number[];
}

/**
 * Holds tallies by name and tracks which of them need saving. A live tally is never evicted, because that would forgive
 * its counts. Ended ones are removed a few at a time, which bounds the memory and the work of each call.
 */
export class Ledger<Kept extends Tally> {
  readonly #kind: string;
  readonly #open: (name: string, numbers: readonly number[]) => Kept | undefined;
  readonly #tallies = new Map<string, Kept>();
  readonly #changed = new Set<Kept>();
  #walk: Iterator<Kept> = this.#tallies.values();

  /** `open` restores a tally from its numbers; undefined if they are invalid. */
  constructor(kind: string, open: (name: string, numbers: readonly number[]) => Kept | undefined) {
    this.#kind = kind;
    this.#open = open;
  }

  get size(): number {
    return this.#tallies.size;
  }

  get(name: string): Kept | undefined {
    return this.#tallies.get(name);
  }

  /** Adds a tally, and checks several others so that ended ones cannot accumulate. */
  add(tally: Kept, now: number): void {
    this.sweep(now, 4);
    this.#tallies.set(tally.name, tally);
  }

  /** Marks a tally to be saved by the next `drain`. */
  touch(tally: Kept): void {
    this.#changed.add(tally);
  }

  /** Returns the tallies that changed since the previous call. */
  drain(): readonly SavedCounter[] {
    const saved = Array.from(this.#changed, ({ name, endsAt, numbers }) => ({
      name: `${this.#kind} ${name}`,
      state: JSON.stringify(numbers),
      endsAt,
    }));
    this.#changed.clear();
    return saved;
  }

  /** Restores the saved tallies of this kind that are valid, live and not present yet. */
  restore(saved: readonly SavedCounter[], now: number): void {
    for (const { name, state } of saved) {
      if (!name.startsWith(`${this.#kind} `)) continue;
      const ownName = name.slice(this.#kind.length + 1);
      const numbers = readNumbers(state);
      const tally = numbers && this.#open(ownName, numbers);
      if (tally === undefined || tally.endsAt <= now || this.#tallies.has(ownName)) continue;
      this.#tallies.set(ownName, tally);
    }
  }

  /** Checks `atMost` tallies, continuing after the previous call, and removes the ended ones. */
  sweep(now: number, atMost: number): void {
    for (let checked = 0; checked < atMost; checked++) {
      const next = this.#walk.next();
      if (next.done === true) {
        this.#walk = this.#tallies.values();
        return;
      }
      const tally = next.value;
      if (tally.endsAt > now) continue;
      this.#tallies.delete(tally.name);
      this.#changed.delete(tally);
    }
  }
}

function readNumbers(state: string): readonly number[] | undefined {
  try {
    const value: unknown = JSON.parse(state);
    const whole = (number: unknown): number is number => Number.isSafeInteger(number);
    return Array.isArray(value) && value.every(whole) ? value : undefined;
  } catch {
    // Written by another limiter or a later version: discarded, as after a crash.
    return undefined;
  }
}
