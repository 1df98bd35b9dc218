import { MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import type { Tally } from "./ledger.ts";

/** How long refusals after the first 429 do not count: they may have been sent before it arrived. */
const GRACE_MS: number = 2 * SECOND_MS;
/** The length of the slots in which violations are counted, so that a tally stays small whatever the limit. */
const SLOT_MS = 100;
const SLOTS: number = MINUTE_MS / SLOT_MS;

/**
 * Counts a key's violations. A violation is a refusal more than two seconds after the first one in the same window.
 * Times are rounded in the key's favor.
 */
export class Violations implements Tally {
  readonly name: string;
  /** The end of the window that refused last, which identifies the window. */
  #windowEnd: number;
  #firstRefusalAt: number;
  /** Violations per slot, oldest first. */
  #slots: { readonly slot: number; count: number }[] = [];
  #total = 0;

  constructor(name: string, windowEnd: number, firstRefusalAt: number) {
    this.name = name;
    this.#windowEnd = windowEnd;
    this.#firstRefusalAt = firstRefusalAt;
  }

  /** Restores a tally from its `numbers`; undefined if they are invalid. */
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
   * Records a refusal by the window that ends at `windowEnd`. Returns true if it makes more than `threshold` violations
   * within a minute; the count then restarts.
   */
  refused(now: number, windowEnd: number, threshold: number): boolean {
    // In another window, or after the clock was set back, the grace period restarts.
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

  /** Clears the violations; the grace period restarts. */
  clear(now: number): void {
    this.#clear();
    this.#firstRefusalAt = now;
  }

  #count(now: number): void {
    const current = Math.floor(now / SLOT_MS);
    let last = this.#slots.at(-1);
    if (last !== undefined && last.slot > current) {
      // The clock was set back, so the violations' age is unknown.
      this.#clear();
      last = undefined;
    }
    // A slot is as old as its first millisecond.
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
