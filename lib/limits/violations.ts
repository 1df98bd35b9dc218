import { MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import type { Tally } from "./ledger.ts";

/** Requests already under way when the first 429 arrives are nobody's fault. */
const GRACE_MS: number = 2 * SECOND_MS;
/** Violations this close count as one instant, so that a tally stays small whatever the plan. */
const SLOT_MS = 100;
const SLOTS: number = MINUTE_MS / SLOT_MS;

/**
 * How a key behaves after it was refused. A violation is a refusal that comes more than two seconds after the
 * first one in the same window. Wherever instants are rounded, it is in favour of the key.
 */
export class Violations implements Tally {
  readonly name: string;
  /** End of the window that refused last: it tells that window from others. */
  #windowEnd: number;
  #firstRefusalAt: number;
  /** Slots in which there were violations, oldest first, and how many in each. */
  #slots: { readonly slot: number; count: number }[] = [];
  #total = 0;

  constructor(name: string, windowEnd: number, firstRefusalAt: number) {
    this.name = name;
    this.#windowEnd = windowEnd;
    this.#firstRefusalAt = firstRefusalAt;
  }

  /** The tally that had these `numbers`; undefined when none can have had them. */
  static from(name: string, numbers: readonly number[]): Violations | undefined {
    const [windowEnd, firstRefusalAt, ...pairs] = numbers;
    if (windowEnd === undefined || firstRefusalAt === undefined) return undefined;
    const violations = new Violations(name, windowEnd, firstRefusalAt);
    for (let index = 0; index < pairs.length; index += 2) {
      const slot = pairs[index];
      const count = pairs[index + 1];
      if (slot === undefined || count === undefined || count < 1) return undefined;
      violations.#slots.push({ slot, count });
      violations.#total += count;
    }
    return violations;
  }

  get endsAt(): number {
    const last = this.#slots.at(-1);
    return last === undefined
      ? this.#windowEnd
      : Math.max(this.#windowEnd, (last.slot + SLOTS) * SLOT_MS);
  }

  get numbers(): readonly number[] {
    const pairs = this.#slots.flatMap(({ slot, count }) => [slot, count]);
    return [this.#windowEnd, this.#firstRefusalAt, ...pairs];
  }

  /**
   * Notes a refusal by the window that ends at `windowEnd`. True when it makes more than `threshold` violations
   * within a minute; they are counted anew from there.
   */
  refused(now: number, windowEnd: number, threshold: number): boolean {
    // Another window, or a clock that was put back: the grace begins again.
    if (windowEnd !== this.#windowEnd || now < this.#firstRefusalAt) {
      this.#windowEnd = windowEnd;
      this.#firstRefusalAt = now;
      return false;
    }
    if (now - this.#firstRefusalAt <= GRACE_MS) return false;
    this.#count(now);
    if (this.#total <= threshold) return false;
    this.#clear();
    return true;
  }

  /** Forgets the violations; the grace begins again. */
  pardon(now: number): void {
    this.#clear();
    this.#firstRefusalAt = now;
  }

  #count(now: number): void {
    const current = Math.floor(now / SLOT_MS);
    let last = this.#slots.at(-1);
    if (last !== undefined && last.slot > current) {
      // The clock was put back: how long ago they were cannot be known.
      this.#clear();
      last = undefined;
    }
    // A slot is as old as the oldest instant in it.
    while (this.#slots[0] !== undefined && this.#slots[0].slot <= current - SLOTS) {
      this.#total -= this.#slots.shift()?.count ?? 0;
    }
    if (last?.slot === current) last.count++;
    else this.#slots.push({ slot: current, count: 1 });
    this.#total++;
  }

  #clear(): void {
    this.#slots = [];
    this.#total = 0;
  }
}
