import type { Clock } from "../base/clock.ts";
import type { Limits } from "../model/account.ts";
import { banThreshold } from "../model/ban.ts";
import {
  charged,
  crossed,
  endOf,
  refunded,
  pick,
  viewOf,
  windowAt,
  windowsOf,
  type Window,
} from "../model/window.ts";
import type { SavedCounter } from "../storage/change.ts";
import { BoundedNames } from "./bounded-names.ts";
import { Ledger, type Tally } from "./ledger.ts";
import { decisionOf, endsOf, isAllowed, longest } from "./decision.ts";
import type { Charge, Charges, Decision, Limiter, Spender, Verdict } from "./limiter.ts";
import { Violations } from "./violations.ts";

/** The two windows of a counter. */
class Counter implements Tally {
  readonly name: string;
  minute: Window;
  day: Window;

  constructor(name: string, minute: Window, day: Window) {
    this.name = name;
    this.minute = minute;
    this.day = day;
  }

  /** Restores a counter from its `numbers`; undefined if they are invalid. */
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

  /** Restarts windows that lie in the future because the clock was set back; otherwise they would never end. */
  follow(now: number): boolean {
    if (now >= this.minute.startAt && now >= this.day.startAt) return false;
    this.minute = windowAt(this.minute, "minute", now);
    this.day = windowAt(this.day, "day", now);
    return true;
  }
}

/** A synchronous limiter for one process, whose counters can be saved and restored. */
export interface MemoryLimiter extends Limiter {
  spend(spender: Spender, limits: Limits): Verdict;
  peek(spender: Spender, limits: Limits): Verdict;
  refund(spender: Spender, verdict: Verdict): void;
  clearViolations(keyId: string): void;
  spendAll(charges: Charges): Decision;
  peekAll(charges: Charges): Decision;
  refundAll(charges: Charges, decision: Decision): void;
  /** Returns the counters changed since the previous call. */
  drain(): readonly SavedCounter[];
  /** Restores counters drained by an earlier process. Leaves existing counters unchanged. */
  restore(saved: readonly SavedCounter[]): void;
  /** Removes some ended counters. The work per call is bounded. */
  sweep(): void;
  /** The number of counters and offending keys in memory. */
  readonly size: number;
}

const SWEPT_AT_ONCE = 10_000;

/**
 * Creates a limiter that keeps in memory every counter with an open window and every key refused in one. `maxHolders`
 * bounds the counters of each kind of charge.
 */
export function memoryLimiter({
  clock,
  maxHolders = 100_000,
}: {
  readonly clock: Clock;
  readonly maxHolders?: number;
}): MemoryLimiter {
  const counters = new Ledger("windows", (name, numbers) => Counter.from(name, numbers));
  const offenders = new Ledger("violations", (keyId, numbers) => Violations.from(keyId, numbers));

  const open = (name: string, now: number): Counter => {
    const known = counters.get(name);
    if (known !== undefined) {
      if (known.follow(now)) counters.touch(known);
      return known;
    }
    const counter = new Counter(
      name,
      windowAt(undefined, "minute", now),
      windowAt(undefined, "day", now),
    );
    counters.add(counter, now);
    return counter;
  };

  /** Records a refusal. Returns true if the key has ignored too many. */
  const noteRefusal = (keyId: string, limits: Limits, { at, windows }: Verdict): boolean => {
    const { resetsAt } = pick(windows);
    let offender = offenders.get(keyId);
    if (offender === undefined) {
      offender = new Violations(keyId, resetsAt, at);
      offenders.add(offender, at);
    }
    offenders.touch(offender);
    return offender.refused(at, resetsAt, banThreshold(limits));
  };

  const charges = new Charging(maxHolders);

  return {
    spend: ({ counter: name, keyId }, limits) => {
      const now = clock.now();
      const counter = open(name, now);
      const minute = windowAt(counter.minute, "minute", now);
      const day = windowAt(counter.day, "day", now);
      if (minute.used >= limits.perMinute || day.used >= limits.perDay) {
        const refusal = verdictOf(minute, day, limits, { at: now, allowed: false });
        return noteRefusal(keyId, limits, refusal) ? { ...refusal, abusive: true } : refusal;
      }
      counter.minute = charged(minute);
      counter.day = charged(day);
      counters.touch(counter);
      const verdict = verdictOf(counter.minute, counter.day, limits, { at: now, allowed: true });
      const reached = crossed(day, counter.day, limits.perDay);
      return reached === undefined ? verdict : { ...verdict, reached };
    },

    peek: ({ counter: name }, limits) => {
      const now = clock.now();
      const counter = counters.get(name);
      if (counter?.follow(now) === true) counters.touch(counter);
      const minute = windowAt(counter?.minute, "minute", now);
      const day = windowAt(counter?.day, "day", now);
      const allowed = minute.used < limits.perMinute && day.used < limits.perDay;
      return verdictOf(minute, day, limits, { at: now, allowed });
    },

    refund: ({ counter: name }, { allowed, windows }) => {
      const counter = counters.get(name);
      if (counter === undefined || !allowed) return;
      for (const { name: which, resetsAt } of windows) {
        if (endOf(counter[which], which) === resetsAt) {
          counter[which] = refunded(counter[which]);
        }
      }
      counters.touch(counter);
    },

    clearViolations: (keyId) => {
      const offender = offenders.get(keyId);
      if (offender === undefined) return;
      offender.clear(clock.now());
      offenders.touch(offender);
    },

    spendAll: (asked) => charges.spend(asked, clock.now()),
    peekAll: (asked) => charges.peek(asked, clock.now()),
    refundAll: (asked, decision) => charges.refund(asked, decision, clock.now()),

    drain: () => [...counters.drain(), ...offenders.drain()],

    restore: (saved) => {
      counters.restore(saved, clock.now());
      offenders.restore(saved, clock.now());
    },

    sweep: () => {
      counters.sweep(clock.now(), SWEPT_AT_ONCE);
      offenders.sweep(clock.now(), SWEPT_AT_ONCE);
    },

    get size() {
      return counters.size + offenders.size + charges.size;
    },
  };
}

/** The counters of charges, which are not saved. */
class Charging {
  readonly #windows = new Map<string, readonly Window[]>();
  readonly #names: BoundedNames;

  constructor(most: number) {
    this.#names = new BoundedNames(most, (name) => this.#windows.delete(name));
  }

  get size(): number {
    return this.#names.size;
  }

  spend(charges: Charges, now: number): Decision {
    const opened = charges.map((charge) => this.#open(charge, now));
    if (!isAllowed(charges, opened))
      return decisionOf(charges, opened, { at: now, allowed: false });
    const spent = opened.map((windows) => windows.map(charged));
    for (const [index, { counter, rates }] of charges.entries()) {
      const name = this.#names.use(counter, longest(rates), now);
      this.#windows.set(name, spent[index] ?? []);
    }
    return decisionOf(charges, spent, { at: now, allowed: true });
  }

  peek(charges: Charges, now: number): Decision {
    const opened = charges.map((charge) => this.#open(charge, now));
    return decisionOf(charges, opened, { at: now, allowed: isAllowed(charges, opened) });
  }

  refund(charges: Charges, decision: Decision, now: number): void {
    if (!decision.allowed) return;
    const ends = endsOf(charges, decision);
    for (const [index, { counter, rates }] of charges.entries()) {
      const name = this.#names.find(counter, longest(rates), now);
      const windows = this.#windows.get(name);
      if (windows === undefined) continue;
      const after = windowsOf(rates).flatMap(({ name: period }, at) => {
        const window = windows[at];
        if (window === undefined) return [];
        return [endOf(window, period) === ends[index]?.[at] ? refunded(window) : window];
      });
      this.#windows.set(name, after);
    }
  }

  /** Returns the windows of a charge's counter as they are at `now`. */
  #open({ counter, rates }: Charge, now: number): readonly Window[] {
    const name = this.#names.find(counter, longest(rates), now);
    const windows = this.#windows.get(name);
    const opened = windowsOf(rates).map(({ name: period }, index) =>
      windowAt(windows?.[index], period, now),
    );
    // The clock was set back: the restarted windows must end.
    if (windows?.some(({ startAt }) => startAt > now)) this.#windows.set(name, opened);
    return opened;
  }
}

function verdictOf(
  minute: Window,
  day: Window,
  { perMinute, perDay }: Limits,
  { at, allowed }: { readonly at: number; readonly allowed: boolean },
): Verdict {
  return {
    allowed,
    at,
    windows: [viewOf(minute, "minute", perMinute), viewOf(day, "day", perDay)],
    abusive: false,
  };
}
