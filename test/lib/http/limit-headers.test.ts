import { expect, test } from "bun:test";

import { limitHeaders } from "../../../lib/http/answer.ts";
import type { Verdict } from "../../../lib/accounts/limiter.ts";
import { memoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import type { Limits } from "../../../lib/model/account.ts";
import { retryAfterSeconds } from "../../../lib/model/window.ts";
import { chance } from "../../helpers/chance.ts";
import { manualClock } from "../../helpers/clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);

function verdictAfter(requests: number, limits: Limits): Verdict {
  const limiter = memoryLimiter({ clock: manualClock(START + 400) });
  const spender = { counter: "catalogue 1", keyId: "key" };
  let verdict = limiter.peek(spender, limits);
  for (let request = 0; request < requests; request++) verdict = limiter.spend(spender, limits);
  return verdict;
}

test("five headers describe both windows", () => {
  expect(limitHeaders(verdictAfter(1, { perMinute: 60, perDay: 1_000 }))).toEqual({
    limit: 60,
    remaining: "59",
    reset: START / 1_000 + 60,
    rateLimit: '"minute";r=59;t=60, "day";r=999;t=86400',
    policy: '"minute";q=60;w=60, "day";q=1000;w=86400',
  });
});

test("the three X-RateLimit headers describe the most restrictive window", () => {
  const headers = limitHeaders(verdictAfter(2, { perMinute: 60, perDay: 3 }));
  expect(headers.limit).toBe(3);
  expect(headers.remaining).toBe("1");
  expect(headers.reset).toBe(START / 1_000 + 86_400);
});

test("a single window is described alone", () => {
  const { at, windows } = verdictAfter(1, { perMinute: 60, perDay: 1_000 });
  const headers = limitHeaders({ at, windows: [windows[0]] });
  expect(headers.rateLimit).toBe('"minute";r=59;t=60');
  expect(headers.policy).toBe('"minute";q=60;w=60');
});

test("a policy is never another plan's, in any order", () => {
  const random = chance();
  for (let request = 0; request < 20_000; request++) {
    const limits = { perMinute: random.between(1, 3_000), perDay: random.between(1, 3) };
    const both = verdictAfter(0, limits);
    const alone = random.true(0.3);
    const { policy } = limitHeaders(alone ? { ...both, windows: [both.windows[0]] } : both);
    const minute = `"minute";q=${limits.perMinute};w=60`;
    expect(policy).toBe(alone ? minute : `${minute}, "day";q=${limits.perDay};w=86400`);
  }
});

test("the policy of an account's minute is never that of a day, nor the reverse", () => {
  const { at, windows } = verdictAfter(0, { perMinute: 600, perDay: 3_000 });
  const [minute] = windows;
  const shared = { ...minute, name: "account", limit: 3_000 } as const;
  for (let time = 0; time < 2; time++) {
    expect(limitHeaders({ at, windows }).policy).toBe('"minute";q=600;w=60, "day";q=3000;w=86400');
    expect(limitHeaders({ at, windows: [minute, shared] }).policy).toBe(
      '"minute";q=600;w=60, "account";q=3000;w=60',
    );
  }
});

test("Retry-After is not before the `t` of a refusing window", () => {
  const verdict = verdictAfter(4, { perMinute: 5, perDay: 3 });
  expect(limitHeaders(verdict).rateLimit).toBe('"minute";r=2;t=60, "day";r=0;t=86400');
  expect(retryAfterSeconds(verdict)).toBe(86_400);
});
