import { expectSame } from "../contract-case.ts";
import type { LimiterCase } from "./case.ts";
import { passing, remaining, shelter } from "./spending.ts";

/** Promises about limits that change, and about how near they are. */
export const planCases: readonly LimiterCase[] = [
  {
    name: "a smaller plan leaves nothing, and never less than nothing",
    run: async (subject) => {
      const { limiter } = subject;
      await passing(subject, 5);
      const smaller = { perMinute: 2, perDay: 3 };
      expectSame(remaining(await limiter.look(shelter, smaller)), [0, 0], "remaining");
      expectSame((await limiter.spend(shelter, smaller)).allowed, false, "allowed");
    },
  },
  {
    name: "a larger plan counts at once, and what was used stays used",
    run: async (subject) => {
      const { limiter } = subject;
      await passing(subject, 6);
      const larger = { perMinute: 50, perDay: 100 };
      expectSame(remaining(await limiter.spend(shelter, larger)), [44, 94], "remaining");
    },
  },
  {
    name: "80 and 100 percent of the day are told by the request that takes them",
    run: async (subject) => {
      const { limiter } = subject;
      const told: unknown[] = [];
      for (let request = 0; request < 12; request++) {
        told.push((await limiter.spend(shelter, { perMinute: 100, perDay: 10 })).reached ?? 0);
      }
      expectSame(told, [0, 0, 0, 0, 0, 0, 0, 80, 0, 100, 0, 0], "told");
    },
  },
  {
    name: "a percentage is told once, though its request is given back",
    run: async ({ limiter }) => {
      const plan = { perMinute: 100, perDay: 5 };
      for (let request = 0; request < 3; request++) await limiter.spend(shelter, plan);
      const fourth = await limiter.spend(shelter, plan);
      await limiter.refund(shelter, fourth);
      const again = await limiter.spend(shelter, plan);
      expectSame([fourth.reached, again.reached ?? 0], [80, 0], "told");
    },
  },
];
