import { MINUTE_MS, SECOND_MS } from "../../base/clock.ts";
import type { Spender } from "../../accounts/limiter.ts";
import { expectSame } from "../contract-case.ts";
import type { LimiterCase, LimiterUnderTest } from "./case.ts";
import { colleague, exhaustDay, limits, passing, shelter } from "./spending.ts";

/** Promises about those who go on asking after they were told to wait. */
export const violationCases: readonly LimiterCase[] = [
  {
    name: "refusals within two seconds of the first are no violations",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 5);
      await hammer(subject, shelter, 100);
      clock.advance(2 * SECOND_MS);
      expectSame(await hammer(subject, shelter, 100), -1, "abusive request");
      expectSame((await limiter.spend(shelter, limits)).abusive, false, "abusive");
    },
  },
  {
    name: "the 21st violation is abusive, and they are counted anew after it",
    run: async (subject) => {
      await provoke(subject, shelter);
      expectSame(await hammer(subject, shelter, 30), 20, "abusive request");
      expectSame(await hammer(subject, shelter, 11), -1, "abusive request of the next 11");
      expectSame(await hammer(subject, shelter, 11), 0, "abusive request after 20 more");
    },
  },
  {
    name: "violations more than a minute old do not count",
    run: async (subject) => {
      const { clock } = subject;
      await exhaustDay(subject);
      await provoke(subject, shelter);
      expectSame(await hammer(subject, shelter, 15), -1, "abusive request");
      clock.advance(MINUTE_MS);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request a minute later");
    },
  },
  {
    name: "a larger plan bears more violations",
    run: async (subject) => {
      const { limiter, clock } = subject;
      const plan = { perMinute: 100, perDay: 1_000 };
      for (let request = 0; request < 101; request++) await limiter.spend(shelter, plan);
      clock.advance(2_001);
      const abusive: number[] = [];
      for (let request = 0; request < 40; request++) {
        if ((await limiter.spend(shelter, plan)).abusive) abusive.push(request);
      }
      expectSame(abusive, [25], "abusive request");
    },
  },
  {
    name: "one key's violations are not another's",
    run: async (subject) => {
      await provoke(subject, shelter);
      await provoke(subject, colleague);
      await hammer(subject, shelter, 20);
      expectSame(await hammer(subject, colleague, 20), -1, "abusive request of a colleague");
    },
  },
  {
    name: "a look is no violation",
    run: async (subject) => {
      const { limiter } = subject;
      await provoke(subject, shelter);
      for (let request = 0; request < 50; request++) await limiter.look(shelter, limits);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request");
    },
  },
  {
    name: "pardon forgets the violations, and grants the two seconds anew",
    run: async (subject) => {
      const { limiter, clock } = subject;
      await provoke(subject, shelter);
      await hammer(subject, shelter, 20);
      await limiter.pardon(shelter.keyId);
      clock.advance(2 * SECOND_MS);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request within the two seconds");
      clock.advance(1);
      expectSame(await hammer(subject, shelter, 30), 20, "abusive request");
    },
  },
];

/** Leads to where every further request of the key is a violation. */
async function provoke({ limiter, clock }: LimiterUnderTest, spender: Spender): Promise<void> {
  for (let request = 0; request < 6; request++) await limiter.spend(spender, limits);
  clock.advance(2_001);
}

/** Which of `count` requests is the first that is called abusive; −1 for none. */
async function hammer(
  { limiter }: LimiterUnderTest,
  spender: Spender,
  count: number,
): Promise<number> {
  let found = -1;
  for (let request = 0; request < count; request++) {
    const { abusive } = await limiter.spend(spender, limits);
    if (abusive && found === -1) found = request;
  }
  return found;
}
