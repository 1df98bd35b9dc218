import { systemClock, type Clock } from "../base/clock.ts";
import { banThreshold } from "../model/ban.ts";
import {
  crossed,
  type Rates,
  viewOf,
  type Window,
  windowLengthMs,
  windowsOf,
} from "../model/window.ts";
import { BoundedNames } from "./bounded-names.ts";
import { decisionOf, endsOf, isAllowed, longest } from "./decision.ts";
import type { Charges, Decision, Limiter, Spender, Verdict } from "./limiter.ts";
import type { Limits } from "../model/account.ts";
import type {
  CounterStep,
  SharedCounters,
  SpendOutcome,
  StepCounter,
  WindowNumbers,
} from "./shared-counters.ts";

/** Creates the limiter of one of several processes that share counters. Concurrent decisions share a call. */
export function sharedLimiter({
  counters,
  clock = systemClock,
  maxHolders = 100_000,
}: {
  readonly counters: SharedCounters;
  /** Only for the bound of `maxHolders`. */
  readonly clock?: Pick<Clock, "now">;
  /** Bounds the counters of each kind of charge that this process uses at the same time. */
  readonly maxHolders?: number;
}): Limiter {
  const calls = new Calls(counters);
  const names = new BoundedNames(maxHolders);

  const spend = async (
    { counter, keyId }: Spender,
    limits: Limits,
    times: 0 | 1,
  ): Promise<Verdict> => {
    const rates = { minute: limits.perMinute, day: limits.perDay };
    const counted = stepCounter(nameOf(counter), 1, rates);
    const offender = times === 0 ? "" : `violations ${keyId}`;
    const threshold = Math.floor(banThreshold(limits));
    const { at, outcome, turn } = await calls.add(
      times === 0 ? `peek ${counted.join(" ")}` : `spend ${keyId} ${counted.join(" ")}`,
      (together) => ["spend", times * together, offender, threshold, counted],
    );
    const [granted, abusive, numbers = []] = outcome;
    return verdictOf(numbers, limits, {
      at,
      taken: times === 0 ? 0 : Math.min(turn + 1, granted),
      allowed: times === 0 ? undefined : turn < granted,
      abusive: isAbusive(turn - granted + 1, abusive, threshold),
    });
  };

  const charge = async (charges: Charges, times: 0 | 1): Promise<Decision> => {
    const now = clock.now();
    const counted = charges.map(({ counter, rates }) => {
      const length = longest(rates);
      const name = times === 0 ? names.find(counter, length, now) : names.use(counter, length, now);
      return stepCounter(name, 0, rates);
    });
    const { at, outcome, turn } = await calls.add(
      `${times === 0 ? "peek" : "charge"} ${counted.join(" ")}`,
      (together) => ["spend", times * together, "", 0, ...counted],
    );
    const [granted, , ...numbers] = outcome;
    const taken = times === 0 ? 0 : Math.min(turn + 1, granted);
    const windows = numbers.map((some) =>
      windowsIn(some).map((window) => chargedTimes(window, taken)),
    );
    const allowed = times === 0 ? isAllowed(charges, windows) : turn < granted;
    return decisionOf(charges, windows, { at, allowed });
  };

  return {
    spend: (spender, limits) => spend(spender, limits, 1),
    peek: (spender, limits) => spend(spender, limits, 0),
    refund: async ({ counter }, { allowed, windows }) => {
      if (!allowed) return;
      const [minute = 0, day = 0] = windows.map(
        ({ name, resetsAt }) => resetsAt - windowLengthMs[name],
      );
      await calls.addAlone(["refund", [nameOf(counter), minute, day]]);
    },
    clearViolations: (keyId) => calls.addAlone(["clear", `violations ${keyId}`]),
    spendAll: (charges) => charge(charges, 1),
    peekAll: (charges) => charge(charges, 0),
    refundAll: async (charges, decision) => {
      if (!decision.allowed) return;
      const ends = endsOf(charges, decision);
      const refunds = charges.map(({ counter, rates }, index) => {
        const [start = 0, second = 0] = windowsOf(rates).map(
          ({ name }, at) => (ends[index]?.[at] ?? 0) - windowLengthMs[name],
        );
        return [names.find(counter, longest(rates), clock.now()), start, second] as const;
      });
      await calls.addAlone(["refund", ...refunds]);
    },
  };
}

/** Returns whether the refusal of this number should ban, if the `first` one that should is given. The count then restarts. */
function isAbusive(refusal: number, first: number, threshold: number): boolean {
  return first > 0 && refusal >= first && (refusal - first) % (threshold + 1) === 0;
}

/** The name under which the memory of one process saves the counter too. */
function nameOf(counter: string): string {
  return `windows ${counter}`;
}

function stepCounter(name: string, saved: 0 | 1, rates: Rates): StepCounter {
  const [first, second] = windowsOf(rates);
  if (first === undefined) throw new TypeError("A charge needs a window.");
  return [
    name,
    saved,
    windowLengthMs[first.name],
    first.limit,
    second === undefined ? 0 : windowLengthMs[second.name],
    second?.limit ?? 0,
  ];
}

function windowsIn(numbers: WindowNumbers): readonly Window[] {
  const [startAt = 0, used = 0, peak = 0, secondStartAt, secondUsed = 0, secondPeak = 0] = numbers;
  const first = { startAt, used, peak };
  return secondStartAt === undefined
    ? [first]
    : [first, { startAt: secondStartAt, used: secondUsed, peak: secondPeak }];
}

function chargedTimes({ startAt, used, peak }: Window, times: number): Window {
  return { startAt, used: used + times, peak: times === 0 ? peak : Math.max(peak, used + times) };
}

/** Returns the verdict of the request that was `taken`th. `allowed` is undefined for a request that spends nothing. */
function verdictOf(
  numbers: WindowNumbers,
  { perMinute, perDay }: Limits,
  {
    at,
    taken,
    allowed,
    abusive,
  }: {
    readonly at: number;
    readonly taken: number;
    readonly allowed: boolean | undefined;
    readonly abusive: boolean;
  },
): Verdict {
  const [first, second] = windowsIn(numbers);
  if (first === undefined || second === undefined)
    throw new TypeError("A counter has two windows.");
  const minute = chargedTimes(first, taken);
  const day = chargedTimes(second, taken);
  const verdict: Verdict = {
    allowed: allowed ?? (minute.used < perMinute && day.used < perDay),
    at,
    windows: [viewOf(minute, "minute", perMinute), viewOf(day, "day", perDay)],
    abusive,
  };
  if (allowed !== true) return verdict;
  const reached = crossed(chargedTimes(second, taken - 1), day, perDay);
  return reached === undefined ? verdict : { ...verdict, reached };
}

/** What one caller receives of an outcome that several share. */
interface Turn {
  readonly at: number;
  readonly outcome: SpendOutcome;
  /** The caller's place among those that share the step, from 0. */
  readonly turn: number;
}

interface Group {
  readonly step: (together: number) => CounterStep;
  readonly callers: {
    readonly resolve: (turn: Turn) => void;
    readonly reject: (failure: unknown) => void;
  }[];
}

/** The most steps in a call. */
const MAX_STEPS = 500;

/** Joins the steps of concurrent callers in calls, of which one is under way at a time. */
class Calls {
  readonly #counters: SharedCounters;
  #waiting = new Map<string, Group>();
  #alone = 0;
  #calling = false;

  constructor(counters: SharedCounters) {
    this.#counters = counters;
  }

  /** Adds a step, shared by all callers that wait with the same key. */
  add(key: string, step: Group["step"]): Promise<Turn> {
    return new Promise((resolve, reject) => {
      let group = this.#waiting.get(key);
      if (group === undefined) this.#waiting.set(key, (group = { step, callers: [] }));
      group.callers.push({ resolve, reject });
      if (this.#calling) return;
      this.#calling = true;
      void this.#call();
    });
  }

  async addAlone(step: CounterStep): Promise<void> {
    await this.add(`alone ${this.#alone++}`, () => step);
  }

  async #call(): Promise<void> {
    // After the other callers of this moment.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting];
      const groups = all.slice(0, MAX_STEPS).map(([, group]) => group);
      this.#waiting = new Map(all.slice(MAX_STEPS));
      try {
        const steps = groups.map(({ step, callers }) => step(callers.length));
        const { at, outcomes } = await this.#counters.apply(steps);
        for (const [index, { callers }] of groups.entries()) {
          const outcome = outcomes[index] || NOTHING;
          for (const [turn, { resolve }] of callers.entries()) resolve({ at, outcome, turn });
        }
      } catch (error) {
        for (const { callers } of groups) for (const { reject } of callers) reject(error);
      }
    }
    this.#calling = false;
  }
}

const NOTHING: SpendOutcome = [0, 0];
