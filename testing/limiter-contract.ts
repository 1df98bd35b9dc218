import type { Charge, Charges, Limiter, Spender } from "../lib/accounts/limiter.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/base/clock.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import type { Limits } from "../lib/model/account.ts";
import { type LimitStatus, pick, retryAfterSeconds } from "../lib/model/window.ts";
import type { ManualClock } from "./clock.ts";
import { contractCase, equal, type ContractCase } from "./contract-case.ts";

/** A new limiter and its clock. */
export interface LimiterUnderTest {
  readonly limiter: Limiter;
  readonly clock: ManualClock;
  close?(): Eventual<void>;
}

type LimiterTests = Readonly<Record<string, (subject: LimiterUnderTest) => Promise<void>>>;

/** Returns the contract of every limiter. Each case runs with a limiter of its own. */
export function limiterContract(open: () => Eventual<LimiterUnderTest>): readonly ContractCase[] {
  const tests = { ...windowTests, ...refundTests, ...planTests, ...violationTests, ...chargeTests };
  return Object.entries(tests).map(([name, run]) => contractCase(name, open, run));
}

/** Small, so that tests reach them quickly. */
const limits: Limits = { perMinute: 5, perDay: 12 };
const shelter: Spender = { counter: "catalogue 1", keyId: "first" };
const colleague: Spender = { counter: "catalogue 1", keyId: "second" };
const stranger: Spender = { counter: "catalogue 2", keyId: "third" };

/** Sends `count` requests and returns how many pass. */
async function passing({ limiter }: LimiterUnderTest, count: number): Promise<number> {
  let passed = 0;
  for (let request = 0; request < count; request++) {
    if ((await limiter.spend(shelter, limits)).allowed) passed++;
  }
  return passed;
}

/** Uses up the day's limit, so that refusals outlast a minute. */
async function exhaustDay(subject: LimiterUnderTest): Promise<void> {
  for (const requests of [5, 5, 2]) {
    await passing(subject, requests);
    subject.clock.advance(MINUTE_MS);
  }
}

/** Returns the remaining requests of each window. */
function remaining({ windows }: LimitStatus): readonly number[] {
  return windows.map((window) => window.remaining);
}

/** Windows and counting. */
const windowTests: LimiterTests = {
  "both windows start at the whole second of the first request": async ({ limiter, clock }) => {
    clock.advance(999 - (clock.now() % SECOND_MS));
    const second = clock.now() - 999;
    const { windows } = await limiter.spend(shelter, limits);
    equal(
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

  "exactly as many requests pass as the limit allows": async (subject) => {
    equal(await passing(subject, 7), 5, "passed");
  },

  "a request passes after Retry-After, and not before": async (subject) => {
    const { limiter, clock } = subject;
    clock.advance(1_234);
    await passing(subject, 5);
    const refusal = await limiter.spend(shelter, limits);
    equal(refusal.allowed, false, "the sixth is allowed");
    const waitMs = retryAfterSeconds(refusal) * SECOND_MS;
    clock.set(pick(refusal.windows).resetsAt - 1);
    equal((await limiter.peek(shelter, limits)).allowed, false, "a moment before");
    clock.set(refusal.at + waitMs);
    equal((await limiter.spend(shelter, limits)).allowed, true, "allowed after waiting");
  },

  "a window has its whole limit again at its reset": async (subject) => {
    const { limiter, clock } = subject;
    await passing(subject, 3);
    clock.set((await limiter.peek(shelter, limits)).windows[0].resetsAt);
    equal(remaining(await limiter.spend(shelter, limits)), [4, 8], "remaining");
    clock.set((await limiter.peek(shelter, limits)).windows[1]?.resetsAt ?? 0);
    equal(remaining(await limiter.peek(shelter, limits)), [5, 12], "remaining");
  },

  "the remaining requests do not increase before the reset": async ({ limiter, clock }) => {
    const { windows } = await limiter.spend(shelter, limits);
    clock.set(windows[0].resetsAt - 1);
    equal(remaining(await limiter.peek(shelter, limits)), [4, 11], "remaining");
  },

  "a refused request counts in neither window": async (subject) => {
    const { limiter, clock } = subject;
    await passing(subject, 50);
    equal(remaining(await limiter.peek(shelter, limits)), [0, 7], "remaining");
    clock.advance(MINUTE_MS);
    equal(remaining(await limiter.spend(shelter, limits)), [4, 6], "a minute later");
  },

  "a refusal by the day does not start a minute": async (subject) => {
    const { limiter, clock } = subject;
    await exhaustDay(subject);
    await limiter.spend(shelter, limits);
    clock.advance(30 * SECOND_MS);
    const { allowed, at, windows } = await limiter.spend(shelter, limits);
    equal(allowed, false, "allowed");
    equal(windows[0].remaining, 5, "left of the minute");
    equal(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "end of the minute");
  },

  "`peek` spends nothing and starts no window": async ({ limiter, clock }) => {
    await limiter.peek(shelter, limits);
    clock.advance(30 * SECOND_MS);
    const { at, windows } = await limiter.spend(shelter, limits);
    equal(windows[0].remaining, 4, "remaining");
    equal(windows[0].resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "reset");
  },

  "simultaneous requests do not exceed the limit": async ({ limiter }) => {
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, async () => limiter.spend(shelter, limits)),
    );
    equal(verdicts.filter(({ allowed }) => allowed).length, 5, "passed");
    const left = verdicts.map((verdict) => verdict.windows[0].remaining);
    equal(
      left.toSorted((a, b) => a - b).slice(-5),
      [0, 1, 2, 3, 4],
      "remaining requests of the passed",
    );
  },

  "keys share a counter, and counters are separate": async ({ limiter }) => {
    await limiter.spend(shelter, limits);
    equal(remaining(await limiter.spend(colleague, limits)), [3, 10], "a colleague's");
    equal(remaining(await limiter.spend(stranger, limits)), [4, 11], "a stranger's");
  },

  "setting the clock back two days refunds nothing and locks no key out": async (subject) => {
    const { limiter, clock } = subject;
    await passing(subject, 5);
    clock.advance(-2 * DAY_MS);
    const refusal = await limiter.spend(shelter, limits);
    equal(remaining(refusal), [0, 7], "remaining");
    equal(retryAfterSeconds(refusal) <= 60, true, "Retry-After is within a minute");
    clock.advance(retryAfterSeconds(refusal) * SECOND_MS);
    equal(remaining(await limiter.spend(shelter, limits)), [4, 6], "after waiting");
    clock.advance(DAY_MS);
    equal(remaining(await limiter.spend(shelter, limits)), [4, 11], "a day later");
  },

  "setting the clock forward two days resets both windows": async (subject) => {
    const { limiter, clock } = subject;
    await passing(subject, 5);
    clock.advance(2 * DAY_MS);
    equal(remaining(await limiter.spend(shelter, limits)), [4, 11], "remaining");
  },
};

/** Refunds. */
const refundTests: LimiterTests = {
  "a refund returns one request to both windows": async ({ limiter }) => {
    await limiter.spend(shelter, limits);
    await limiter.refund(shelter, await limiter.spend(shelter, limits));
    equal(remaining(await limiter.peek(shelter, limits)), [4, 11], "remaining");
  },

  "a refused request cannot be refunded": async (subject) => {
    const { limiter } = subject;
    await passing(subject, 5);
    await limiter.refund(shelter, await limiter.spend(shelter, limits));
    equal(remaining(await limiter.peek(shelter, limits)), [0, 7], "remaining");
  },

  "a refund after the minute does not count in the next one": async ({ limiter, clock }) => {
    const early = await limiter.spend(shelter, limits);
    clock.advance(MINUTE_MS);
    await limiter.spend(shelter, limits);
    await limiter.refund(shelter, early);
    equal(remaining(await limiter.peek(shelter, limits)), [4, 11], "remaining");
  },
};

/** Changing limits, and warnings near them. */
const planTests: LimiterTests = {
  "after a change to a smaller plan the remaining requests are never negative": async (subject) => {
    const { limiter } = subject;
    await passing(subject, 5);
    const smaller = { perMinute: 2, perDay: 3 };
    equal(remaining(await limiter.peek(shelter, smaller)), [0, 0], "remaining");
    equal((await limiter.spend(shelter, smaller)).allowed, false, "allowed");
  },

  "a larger plan applies at once, and spent requests stay spent": async (subject) => {
    const { limiter } = subject;
    await passing(subject, 6);
    const larger = { perMinute: 50, perDay: 100 };
    equal(remaining(await limiter.spend(shelter, larger)), [44, 94], "remaining");
  },

  "the requests that reach 80 and 100 percent of the day report it": async ({ limiter }) => {
    const reports: unknown[] = [];
    for (let request = 0; request < 12; request++) {
      reports.push((await limiter.spend(shelter, { perMinute: 100, perDay: 10 })).reached ?? 0);
    }
    equal(reports, [0, 0, 0, 0, 0, 0, 0, 80, 0, 100, 0, 0], "reports");
  },

  "a percentage is reported once, even if its request is refunded": async ({ limiter }) => {
    const plan = { perMinute: 100, perDay: 5 };
    for (let request = 0; request < 3; request++) await limiter.spend(shelter, plan);
    const fourth = await limiter.spend(shelter, plan);
    await limiter.refund(shelter, fourth);
    const again = await limiter.spend(shelter, plan);
    equal([fourth.reached, again.reached ?? 0], [80, 0], "reports");
  },
};

/** Violations: requests sent during a refusal. */
const violationTests: LimiterTests = {
  "refusals within two seconds of the first are not violations": async (subject) => {
    const { limiter, clock } = subject;
    await passing(subject, 5);
    await hammer(subject, shelter, 100);
    clock.advance(2 * SECOND_MS);
    equal(await hammer(subject, shelter, 100), -1, "abusive request");
    equal((await limiter.spend(shelter, limits)).abusive, false, "abusive");
  },

  "the 21st violation is abusive, and counting starts over after it": async (subject) => {
    await provoke(subject, shelter);
    equal(await hammer(subject, shelter, 30), 20, "abusive request");
    equal(await hammer(subject, shelter, 11), -1, "abusive request of the next 11");
    equal(await hammer(subject, shelter, 11), 0, "abusive request after 20 more");
  },

  "violations more than a minute old do not count": async (subject) => {
    const { clock } = subject;
    await exhaustDay(subject);
    await provoke(subject, shelter);
    equal(await hammer(subject, shelter, 15), -1, "abusive request");
    clock.advance(MINUTE_MS);
    equal(await hammer(subject, shelter, 20), -1, "abusive request a minute later");
  },

  "a larger plan tolerates more violations": async ({ limiter, clock }) => {
    const plan = { perMinute: 100, perDay: 1_000 };
    for (let request = 0; request < 101; request++) await limiter.spend(shelter, plan);
    clock.advance(2_001);
    const abusive: number[] = [];
    for (let request = 0; request < 40; request++) {
      if ((await limiter.spend(shelter, plan)).abusive) abusive.push(request);
    }
    equal(abusive, [25], "abusive request");
  },

  "violations are counted per key": async (subject) => {
    await provoke(subject, shelter);
    await provoke(subject, colleague);
    await hammer(subject, shelter, 20);
    equal(await hammer(subject, colleague, 20), -1, "abusive request of a colleague");
  },

  "`peek` is not a violation": async (subject) => {
    const { limiter } = subject;
    await provoke(subject, shelter);
    for (let request = 0; request < 50; request++) await limiter.peek(shelter, limits);
    equal(await hammer(subject, shelter, 20), -1, "abusive request");
  },

  "`clearViolations` clears the violations and the two seconds": async (subject) => {
    const { limiter, clock } = subject;
    await provoke(subject, shelter);
    await hammer(subject, shelter, 20);
    await limiter.clearViolations(shelter.keyId);
    clock.advance(2 * SECOND_MS);
    equal(await hammer(subject, shelter, 20), -1, "abusive request within the two seconds");
    clock.advance(1);
    equal(await hammer(subject, shelter, 30), 20, "abusive request");
  },
};

const pair: Charge = { counter: "pair ada@example.org", rates: { minute: 2, hour: 3 } };
const email: Charge = { counter: "email ada@example.org", rates: { hour: 4 } };

/** Charges that are made together. */
const chargeTests: LimiterTests = {
  "a charge has windows of its own, from the whole second of the first one": async (subject) => {
    const { limiter, clock } = subject;
    const second = clock.now() - (clock.now() % SECOND_MS);
    const { at, windows } = await limiter.spendAll([pair]);
    equal(at, clock.now(), "at");
    equal(
      windows,
      [
        {
          name: "minute",
          limit: 2,
          remaining: 1,
          resetsAt: second + MINUTE_MS,
          lengthSeconds: 60,
        },
        { name: "hour", limit: 3, remaining: 2, resetsAt: second + HOUR_MS, lengthSeconds: 3_600 },
      ],
      "windows",
    );
  },

  "charges are made together, or none is": async ({ limiter, clock }) => {
    const both: Charges = [pair, email];
    equal(remaining(await limiter.spendAll(both)), [1, 2, 3], "first");
    equal((await limiter.spendAll(both)).allowed, true, "second");
    const refused = await limiter.spendAll(both);
    equal([refused.allowed, ...remaining(refused)], [false, 0, 1, 2], "third");
    equal(remaining(await limiter.peekAll([email])), [2], "the other counter");
    clock.advance(MINUTE_MS);
    equal(remaining(await limiter.spendAll(both)), [1, 0, 1], "a minute later");
    equal(retryAfterSeconds(await limiter.spendAll(both)) > 3_000, true, "waits for the hour");
  },

  "a charge is refused until its window ends": async ({ limiter, clock }) => {
    await limiter.spendAll([pair]);
    await limiter.spendAll([pair]);
    clock.advance(30 * SECOND_MS);
    const refused = await limiter.spendAll([pair]);
    equal(refused.allowed, false, "allowed");
    clock.set((refused.windows[0]?.resetsAt ?? 0) - 1);
    equal((await limiter.peekAll([pair])).allowed, false, "a moment before");
    clock.advance(1);
    equal((await limiter.spendAll([pair])).allowed, true, "at the reset");
  },

  "`peekAll` charges nothing and starts no window": async ({ limiter, clock }) => {
    equal(remaining(await limiter.peekAll([pair, email])), [2, 3, 4], "remaining");
    clock.advance(30 * SECOND_MS);
    const { at, windows } = await limiter.spendAll([pair]);
    equal(windows[0]?.resetsAt, at - (at % SECOND_MS) + MINUTE_MS, "reset");
  },

  "refunded charges count in no open window": async ({ limiter, clock }) => {
    const both: Charges = [pair, email];
    const early = await limiter.spendAll(both);
    await limiter.refundAll(both, await limiter.spendAll(both));
    equal(remaining(await limiter.peekAll(both)), [1, 2, 3], "remaining");
    clock.advance(MINUTE_MS);
    await limiter.spendAll(both);
    await limiter.refundAll(both, early);
    equal(remaining(await limiter.peekAll(both)), [1, 2, 3], "a minute later");
    await limiter.refundAll(both, { ...early, allowed: false });
    equal(remaining(await limiter.peekAll(both)), [1, 2, 3], "after a refusal's");
  },

  "simultaneous charges do not exceed the limit": async ({ limiter }) => {
    const decisions = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        limiter.spendAll(index % 2 === 0 ? [pair] : [pair, email]),
      ),
    );
    equal(decisions.filter(({ allowed }) => allowed).length, 2, "made");
  },

  "counters of charges are separate": async ({ limiter }) => {
    await limiter.spendAll([pair]);
    const other = { ...pair, counter: "pair grace@example.org" };
    const longer = { ...pair, counter: "pair ada@example.org.uk" };
    equal(remaining(await limiter.peekAll([other, longer])), [2, 3, 2, 3], "others");
  },

  "setting the clock back keeps the charges, and no wait is longer than a window": async (
    subject,
  ) => {
    const { limiter, clock } = subject;
    await limiter.spendAll([pair]);
    await limiter.spendAll([pair]);
    clock.advance(-2 * DAY_MS);
    const refused = await limiter.spendAll([pair]);
    equal(refused.allowed, false, "allowed");
    equal(retryAfterSeconds(refused) <= 60, true, "Retry-After is within a minute");
    clock.advance(MINUTE_MS);
    equal(remaining(await limiter.spendAll([pair])), [1, 0], "a minute later");
  },
};

/** Spends until every further request of the key is a violation. */
async function provoke({ limiter, clock }: LimiterUnderTest, spender: Spender): Promise<void> {
  for (let request = 0; request < 6; request++) await limiter.spend(spender, limits);
  clock.advance(2_001);
}

/** Sends `count` requests and returns the index of the first abusive one; −1 without one. */
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
