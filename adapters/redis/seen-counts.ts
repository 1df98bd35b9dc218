import type { Applied, CounterStep, SpendOutcome } from "../../lib/accounts/shared-counters.ts";
import type { SeenCounter } from "../postgres/limits.ts";

const NOTHING: SpendOutcome = [0, 0];

/** The counters that a node has seen in Redis and that the database does not know yet. */
export class SeenCounts {
  #seen = new Map<string, SeenCounter>();

  /** Notes the counters of a reply. */
  note(steps: readonly CounterStep[], { outcomes }: Applied): void {
    for (const [index, step] of steps.entries()) {
      const [granted, , ...windows] = outcomes[index] || NOTHING;
      if (step[0] !== "spend" || granted === 0) continue;
      const [, , , , ...counters] = step;
      for (const [place, [name, saved, length, , secondLength]] of counters.entries()) {
        const [start = 0, used = 0, peak = 0, ...second] = windows[place] ?? [];
        const [secondStart = 0, secondUsed = 0, secondPeak = 0] = second;
        const first = charged(start, used, peak, granted);
        this.#seen.set(name, {
          name,
          saved,
          endsAt: Math.max(start + length, secondStart + secondLength),
          numbers:
            second.length === 0
              ? first
              : [...first, ...charged(secondStart, secondUsed, secondPeak, granted)],
        });
      }
    }
  }

  /** Adds them to the database with `report`. What the database did not take is kept, unless it was seen again meanwhile. */
  async report(report: (counters: readonly SeenCounter[]) => Promise<void>): Promise<void> {
    const reported = this.#seen;
    this.#seen = new Map();
    try {
      await report([...reported.values()]);
    } catch (error) {
      this.#seen = new Map([...reported, ...this.#seen]);
      throw error;
    }
  }

  get size(): number {
    return this.#seen.size;
  }
}

function charged(start: number, used: number, peak: number, times: number): readonly number[] {
  return [start, used + times, Math.max(peak, used + times)];
}
