import { endOf, windowAt, type Window } from "../model/window.ts";
import type { Tally } from "./ledger.ts";

/** The two windows of one counter. */
export class Counter implements Tally {
  readonly name: string;
  minute: Window;
  day: Window;

  constructor(name: string, minute: Window, day: Window) {
    this.name = name;
    this.minute = minute;
    this.day = day;
  }

  /** The counter that had these `numbers`; undefined when none can have had them. */
  static from(name: string, numbers: readonly number[]): Counter | undefined {
    if (numbers.length !== 6 || numbers.some((number) => number < 0)) return undefined;
    const [minuteStart = 0, minuteUsed = 0, minutePeak = 0] = numbers;
    const [, , , dayStart = 0, dayUsed = 0, dayPeak = 0] = numbers;
    return new Counter(
      name,
      { startAt: minuteStart, used: minuteUsed, peak: minutePeak },
      { startAt: dayStart, used: dayUsed, peak: dayPeak },
    );
  }

  get endsAt(): number {
    return Math.max(endOf(this.minute, "minute"), endOf(this.day, "day"));
  }

  get numbers(): readonly number[] {
    return [this.minute, this.day].flatMap(({ startAt, used, peak }) => [startAt, used, peak]);
  }

  /** Windows that lie ahead of a clock that was put back begin now, for good: else waiting would not count. */
  follow(now: number): boolean {
    if (now >= this.minute.startAt && now >= this.day.startAt) return false;
    this.minute = windowAt(this.minute, "minute", now);
    this.day = windowAt(this.day, "day", now);
    return true;
  }
}
