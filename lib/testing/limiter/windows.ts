import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../base/clock.ts";
import { pick, retryAfterSeconds } from "../../model/window.ts";
import { expectSame } from "../contract-case.ts";
import type { LimiterCase } from "./case.ts";
import {
  colleague,
  exhaustDay,
  limits,
  passing,
  remaining,
  shelter,
  stranger,
} from "./spending.ts";

/** Promises about what is counted, and in which window. */
export const windowCases: readonly LimiterCase[] = [
  {
    name: "both windows begin with the whole second of the first request",
    run: async (subject) => {
      const { limiter, clock } = subject;
      clock.advance(999 - (clock.now() % SECOND_MS));
      const second = clock.now() - 999;
      const { windows } = await limiter.spend(shelter, limits);
      expectSame(
        windows,
        [
          {
            name: "minute",
            limit: 5,
            remaining: 4,
            resetsAt: second + MINUTE_MS,
            lengthSeconds: 60,
          },
          {
            name: "day",
            limit: 12,
            remaining: 11,
            resetsAt: second + DAY_MS,
            lengthSeconds: 86_400,
          },
        ],
        "windows",
      );
    },
  },
  {
    name: "as many requests pass as the limit says, and not one more",
    run: async (subject) => {
      expectSame(await passing(subject, 7), 5, "passed");
    },
  },
  {
    name: "a request passes when Retry-After is over, and not before",
    run: async (subject) => {
      const { limiter, clock } = subject;
      clock.advance(1_234);
      await passing(subject, 5);
      const refusal = await limiter.spend(shelter, limits);
      expectSame(refusal.allowed, false, "the sixth is allowed");
      const waitMs = retryAfterSeconds(refusal) * SECOND_MS;
      clock.set(pick(refusal.windows).resetsAt - 1);
      expectSame((await limiter.look(shelter, limits)).allowed, false, "a moment before");
      clock.set(refusal.at + waitMs);
      expectSame((await limiter.spend(shelter, limits)).allowed, true, "allowed after waiting");
    },
  },
  {
    name: "at its reset a window has its whole limit again",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 3);
      clock.set((await limiter.look(shelter, limits)).windows[0].resetsAt);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 8], "remaining");
      clock.set((await limiter.look(shelter, limits)).windows[1]?.resetsAt ?? 0);
      expectSame(remaining(await limiter.look(shelter, limits)), [5, 12], "remaining");
    },
  },
  {
    name: "what remains does not grow before the reset",
    run: async (subject) => {
      const { limiter, clock } = subject;
      const { windows } = await limiter.spend(shelter, limits);
      clock.set(windows[0].resetsAt - 1);
      expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
    },
  },
  {
    name: "a refused request is charged to neither window",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 50);
      expectSame(remaining(await limiter.look(shelter, limits)), [0, 7], "remaining");
      clock.advance(MINUTE_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 6], "a minute later");
    },
  },
  {
    name: "a refusal by the day does not begin a minute",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await exhaustDay(subject);
      await limiter.spend(shelter, limits);
      clock.advance(30 * SECOND_MS);
      const { allowed, at, windows } = await limiter.spend(shelter, limits);
      expectSame(allowed, false, "allowed");
      expectSame(windows[0].remaining, 5, "left of the minute");
      expectSame(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "end of the minute");
    },
  },
  {
    name: "a look spends nothing and begins nothing",
    run: async ({ limiter, clock }) => {
      await limiter.look(shelter, limits);
      clock.advance(30 * SECOND_MS);
      const { at, windows } = await limiter.spend(shelter, limits);
      expectSame(windows[0].remaining, 4, "remaining");
      expectSame(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "reset");
    },
  },
  {
    name: "of simultaneous requests no more pass than remained",
    run: async ({ limiter }) => {
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, async () => limiter.spend(shelter, limits)),
      );
      expectSame(verdicts.filter(({ allowed }) => allowed).length, 5, "passed");
      const left = verdicts.map((verdict) => verdict.windows[0].remaining);
      expectSame(
        left.toSorted((a, b) => a - b).slice(-5),
        [0, 1, 2, 3, 4],
        "what the passed were told",
      );
    },
  },
  {
    name: "keys of one counter share it, counters do not meet",
    run: async ({ limiter }) => {
      await limiter.spend(shelter, limits);
      expectSame(remaining(await limiter.spend(colleague, limits)), [3, 10], "a colleague's");
      expectSame(remaining(await limiter.spend(stranger, limits)), [4, 11], "a stranger's");
    },
  },
  {
    name: "a clock put back two days gives nothing back and locks nobody out",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 5);
      clock.advance(-2 * DAY_MS);
      const refusal = await limiter.spend(shelter, limits);
      expectSame(remaining(refusal), [0, 7], "remaining");
      expectSame(retryAfterSeconds(refusal) <= 60, true, "Retry-After is within a minute");
      clock.advance(retryAfterSeconds(refusal) * SECOND_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 6], "after waiting");
      clock.advance(DAY_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 11], "a day later");
    },
  },
  {
    name: "a clock put forward two days opens both windows",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 5);
      clock.advance(2 * DAY_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 11], "remaining");
    },
  },
];
