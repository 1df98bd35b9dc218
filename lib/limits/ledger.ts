import type { SavedCounter } from "../storage/change.ts";

/** Something that counts for a while and then may be forgotten. */
export interface Tally {
  readonly name: string;
  /** From then on nobody can tell it from one that was never there. */
  readonly endsAt: number;
  /** Whole numbers from which it can be made again. */
  readonly numbers: readonly number[];
}

/**
 * Tallies by name, and which of them are to be saved. A live one is never evicted, however many there are:
 * to forget is to forgive. Ended ones leave a few at a time, so that memory follows the live ones
 * and no call does much.
 */
export class Ledger<Kept extends Tally> {
  readonly #kind: string;
  readonly #open: (name: string, numbers: readonly number[]) => Kept | undefined;
  readonly #tallies = new Map<string, Kept>();
  readonly #changed = new Set<Kept>();
  #walk: Iterator<Kept> = this.#tallies.values();

  /** `open` makes a tally again from its numbers; undefined when they make no sense. */
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

  /** Each one that comes looks at more than one other, so that the ended cannot pile up. */
  add(tally: Kept, now: number): void {
    this.sweep(now, 4);
    this.#tallies.set(tally.name, tally);
  }

  /** Has the tally saved by the next `drain`. */
  touch(tally: Kept): void {
    this.#changed.add(tally);
  }

  /** What has changed since the last call. */
  drain(): readonly SavedCounter[] {
    const saved = Array.from(this.#changed, ({ name, endsAt, numbers }) => ({
      name: `${this.#kind} ${name}`,
      state: JSON.stringify(numbers),
      endsAt,
    }));
    this.#changed.clear();
    return saved;
  }

  /** Takes back what `drain` gave, where it is of this kind, makes sense, has not ended and is not there already. */
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

  /** Looks at `atMost` tallies, going on where the last call ended, and forgets those that have ended. */
  sweep(now: number, atMost: number): void {
    for (let looked = 0; looked < atMost; looked++) {
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
    // Written by another limiter, or by a later version of this one: forgotten, as after a crash.
    return undefined;
  }
}
