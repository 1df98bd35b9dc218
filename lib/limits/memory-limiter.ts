import type { Clock } from "../base/clock.ts";
import type { Limits } from "../model/account.ts";
import { banThreshold } from "../model/ban.ts";
import {
  charged,
  crossed,
  endOf,
  givenBack,
  pick,
  viewOf,
  windowAt,
  type Window,
} from "../model/window.ts";
import type { SavedCounter } from "../storage/change.ts";
import { Counter } from "./counter.ts";
import { Ledger } from "./ledger.ts";
import type { Limiter, Spender, Verdict } from "./limiter.ts";
import { Violations } from "./violations.ts";

/** A limiter for one process. Answers at once; what it counts can be saved and taken back. */
export interface MemoryLimiter extends Limiter {
  spend(spender: Spender, limits: Limits): Verdict;
  look(spender: Spender, limits: Limits): Verdict;
  refund(spender: Spender, verdict: Verdict): void;
  pardon(keyId: string): void;
  /** What has changed since the last call, to be saved. */
  drain(): readonly SavedCounter[];
  /** Takes back what an earlier life drained. What is counted here already stays as it is. */
  restore(saved: readonly SavedCounter[]): void;
  /** Forgets some of what has ended; new counters cause that as well. Bounded work. */
  sweep(): void;
  /** Counters and keys it remembers. */
  readonly size: number;
}

const SWEPT_AT_ONCE = 10_000;

/** Counts in memory. Costs what is live: every counter with an open window, every key refused in one. */
export function memoryLimiter({ clock }: { readonly clock: Clock }): MemoryLimiter {
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

  /** True when the key has gone on for too long. */
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

    look: ({ counter: name }, limits) => {
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
          counter[which] = givenBack(counter[which]);
        }
      }
      counters.touch(counter);
    },

    pardon: (keyId) => {
      const offender = offenders.get(keyId);
      if (offender === undefined) return;
      offender.pardon(clock.now());
      offenders.touch(offender);
    },

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
      return counters.size + offenders.size;
    },
  };
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
