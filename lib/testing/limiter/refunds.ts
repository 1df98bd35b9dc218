import { MINUTE_MS } from "../../base/clock.ts";
import { expectSame } from "../contract-case.ts";
import type { LimiterCase } from "./case.ts";
import { limits, passing, remaining, shelter } from "./spending.ts";

/** Promises about requests that are given back. */
export const refundCases: readonly LimiterCase[] = [
  {
    name: "a refund gives one back to both windows",
    run: async ({ limiter }) => {
      await limiter.spend(shelter, limits);
      await limiter.refund(shelter, await limiter.spend(shelter, limits));
      expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
    },
  },
  {
    name: "a refusal cannot be given back",
    run: async (subject) => {
      const { limiter } = subject;
      await passing(subject, 5);
      await limiter.refund(shelter, await limiter.spend(shelter, limits));
      expectSame(remaining(await limiter.look(shelter, limits)), [0, 7], "remaining");
    },
  },
  {
    name: "a refund that comes after the minute is not given to the next one",
    run: async (subject) => {
      const { limiter, clock } = subject;
      const early = await limiter.spend(shelter, limits);
      clock.advance(MINUTE_MS);
      await limiter.spend(shelter, limits);
      await limiter.refund(shelter, early);
      expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
    },
  },
];
