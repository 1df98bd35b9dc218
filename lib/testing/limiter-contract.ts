import { DAY_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Limiter, Spender, Verdict } from "../limits/limiter.ts";
import type { Limits } from "../model/account.ts";
import { pick, retryAfterSeconds } from "../model/window.ts";
import type { ManualClock } from "./clock.ts";
import { contractCase, expectSame, type ContractCase } from "./contract-case.ts";

/** A limiter that has counted nothing yet, and the clock it goes by. */
export interface LimiterUnderTest {
  readonly limiter: Limiter;
  readonly clock: ManualClock;
  close?(): Eventual<void>;
}

const limits: Limits = { perMinute: 5, perDay: 12 };
const shelter: Spender = { counter: "catalogue 1", keyId: "first" };
const colleague: Spender = { counter: "catalogue 1", keyId: "second" };
const stranger: Spender = { counter: "catalogue 2", keyId: "third" };

/** What every limiter must promise, for the makers of one: each case is run with a limiter of its own. */
export function limiterContract(open: () => Eventual<LimiterUnderTest>): readonly ContractCase[] {
  const promise = (
    name: string,
    body: (subject: LimiterUnderTest) => Promise<void>,
  ): ContractCase => contractCase(name, open, body);

  return [
    promise("both windows begin with the whole second of the first request", async (subject) => {
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
    }),

    promise("as many requests pass as the limit says, and not one more", async (subject) => {
      expectSame(await passing(subject, 7), 5, "passed");
    }),

    promise("a request passes when Retry-After is over, and not before", async (subject) => {
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
    }),

    promise("at its reset a window has its whole limit again", async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 3);
      clock.set((await limiter.look(shelter, limits)).windows[0].resetsAt);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 8], "remaining");
      clock.set((await limiter.look(shelter, limits)).windows[1]?.resetsAt ?? 0);
      expectSame(remaining(await limiter.look(shelter, limits)), [5, 12], "remaining");
    }),

    promise("what remains does not grow before the reset", async (subject) => {
      const { limiter, clock } = subject;
      const { windows } = await limiter.spend(shelter, limits);
      clock.set(windows[0].resetsAt - 1);
      expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
    }),

    promise("a refused request is charged to neither window", async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 50);
      expectSame(remaining(await limiter.look(shelter, limits)), [0, 7], "remaining");
      clock.advance(MINUTE_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 6], "a minute later");
    }),

    promise("a refusal by the day does not begin a minute", async (subject) => {
      const { limiter, clock } = subject;
      await exhaustDay(subject);
      await limiter.spend(shelter, limits);
      clock.advance(30 * SECOND_MS);
      const { allowed, at, windows } = await limiter.spend(shelter, limits);
      expectSame(allowed, false, "allowed");
      expectSame(windows[0].remaining, 5, "left of the minute");
      expectSame(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "end of the minute");
    }),

    promise("a look spends nothing and begins nothing", async ({ limiter, clock }) => {
      await limiter.look(shelter, limits);
      clock.advance(30 * SECOND_MS);
      const { at, windows } = await limiter.spend(shelter, limits);
      expectSame(windows[0].remaining, 4, "remaining");
      expectSame(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "reset");
    }),

    promise("of simultaneous requests no more pass than remained", async ({ limiter }) => {
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
    }),

    promise("keys of one counter share it, counters do not meet", async ({ limiter }) => {
      await limiter.spend(shelter, limits);
      expectSame(remaining(await limiter.spend(colleague, limits)), [3, 10], "a colleague's");
      expectSame(remaining(await limiter.spend(stranger, limits)), [4, 11], "a stranger's");
    }),

    promise("a refund gives one back to both windows", async ({ limiter }) => {
      await limiter.spend(shelter, limits);
      await limiter.refund(shelter, await limiter.spend(shelter, limits));
      expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
    }),

    promise("a refusal cannot be given back", async (subject) => {
      const { limiter } = subject;
      await passing(subject, 5);
      await limiter.refund(shelter, await limiter.spend(shelter, limits));
      expectSame(remaining(await limiter.look(shelter, limits)), [0, 7], "remaining");
    }),

    promise(
      "a refund that comes after the minute is not given to the next one",
      async (subject) => {
        const { limiter, clock } = subject;
        const early = await limiter.spend(shelter, limits);
        clock.advance(MINUTE_MS);
        await limiter.spend(shelter, limits);
        await limiter.refund(shelter, early);
        expectSame(remaining(await limiter.look(shelter, limits)), [4, 11], "remaining");
      },
    ),

    promise("a smaller plan leaves nothing, and never less than nothing", async (subject) => {
      const { limiter } = subject;
      await passing(subject, 5);
      const smaller = { perMinute: 2, perDay: 3 };
      expectSame(remaining(await limiter.look(shelter, smaller)), [0, 0], "remaining");
      expectSame((await limiter.spend(shelter, smaller)).allowed, false, "allowed");
    }),

    promise("a larger plan counts at once, and what was used stays used", async (subject) => {
      const { limiter } = subject;
      await passing(subject, 6);
      const larger = { perMinute: 50, perDay: 100 };
      expectSame(remaining(await limiter.spend(shelter, larger)), [44, 94], "remaining");
    }),

    promise(
      "80 and 100 percent of the day are told by the request that takes them",
      async (subject) => {
        const { limiter } = subject;
        const told: unknown[] = [];
        for (let request = 0; request < 12; request++) {
          told.push((await limiter.spend(shelter, { perMinute: 100, perDay: 10 })).reached ?? 0);
        }
        expectSame(told, [0, 0, 0, 0, 0, 0, 0, 80, 0, 100, 0, 0], "told");
      },
    ),

    promise("a percentage is told once, though its request is given back", async ({ limiter }) => {
      const plan = { perMinute: 100, perDay: 5 };
      for (let request = 0; request < 3; request++) await limiter.spend(shelter, plan);
      const fourth = await limiter.spend(shelter, plan);
      await limiter.refund(shelter, fourth);
      const again = await limiter.spend(shelter, plan);
      expectSame([fourth.reached, again.reached ?? 0], [80, 0], "told");
    }),

    promise("refusals within two seconds of the first are no violations", async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 5);
      await hammer(subject, shelter, 100);
      clock.advance(2 * SECOND_MS);
      expectSame(await hammer(subject, shelter, 100), -1, "abusive request");
      expectSame((await limiter.spend(shelter, limits)).abusive, false, "abusive");
    }),

    promise(
      "the 21st violation is abusive, and they are counted anew after it",
      async (subject) => {
        await provoke(subject, shelter);
        expectSame(await hammer(subject, shelter, 30), 20, "abusive request");
        expectSame(await hammer(subject, shelter, 11), -1, "abusive request of the next 11");
        expectSame(await hammer(subject, shelter, 11), 0, "abusive request after 20 more");
      },
    ),

    promise("violations more than a minute old do not count", async (subject) => {
      const { clock } = subject;
      await exhaustDay(subject);
      await provoke(subject, shelter);
      expectSame(await hammer(subject, shelter, 15), -1, "abusive request");
      clock.advance(MINUTE_MS);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request a minute later");
    }),

    promise("a larger plan bears more violations", async (subject) => {
      const { limiter, clock } = subject;
      const plan = { perMinute: 100, perDay: 1_000 };
      for (let request = 0; request < 101; request++) await limiter.spend(shelter, plan);
      clock.advance(2_001);
      const abusive: number[] = [];
      for (let request = 0; request < 40; request++) {
        if ((await limiter.spend(shelter, plan)).abusive) abusive.push(request);
      }
      expectSame(abusive, [25], "abusive request");
    }),

    promise("one key's violations are not another's", async (subject) => {
      await provoke(subject, shelter);
      await provoke(subject, colleague);
      await hammer(subject, shelter, 20);
      expectSame(await hammer(subject, colleague, 20), -1, "abusive request of a colleague");
    }),

    promise("a look is no violation", async (subject) => {
      const { limiter } = subject;
      await provoke(subject, shelter);
      for (let request = 0; request < 50; request++) await limiter.look(shelter, limits);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request");
    }),

    promise("pardon forgets the violations, and grants the two seconds anew", async (subject) => {
      const { limiter, clock } = subject;
      await provoke(subject, shelter);
      await hammer(subject, shelter, 20);
      await limiter.pardon(shelter.keyId);
      clock.advance(2 * SECOND_MS);
      expectSame(await hammer(subject, shelter, 20), -1, "abusive request within the two seconds");
      clock.advance(1);
      expectSame(await hammer(subject, shelter, 30), 20, "abusive request");
    }),

    promise(
      "a clock put back two days gives nothing back and locks nobody out",
      async (subject) => {
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
    ),

    promise("a clock put forward two days opens both windows", async (subject) => {
      const { limiter, clock } = subject;
      await passing(subject, 5);
      clock.advance(2 * DAY_MS);
      expectSame(remaining(await limiter.spend(shelter, limits)), [4, 11], "remaining");
    }),
  ];
}

/** How many of `count` requests pass. */
async function passing({ limiter }: LimiterUnderTest, count: number): Promise<number> {
  let passed = 0;
  for (let request = 0; request < count; request++) {
    if ((await limiter.spend(shelter, limits)).allowed) passed++;
  }
  return passed;
}

/** Uses up the day, so that refusals outlast a minute. */
async function exhaustDay(subject: LimiterUnderTest): Promise<void> {
  for (const requests of [5, 5, 2]) {
    await passing(subject, requests);
    subject.clock.advance(MINUTE_MS);
  }
}

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

function remaining({ windows }: Verdict): readonly number[] {
  return windows.map((window) => window.remaining);
}
