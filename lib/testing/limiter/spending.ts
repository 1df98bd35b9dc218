import { MINUTE_MS } from "../../base/clock.ts";
import type { Spender, Verdict } from "../../accounts/limiter.ts";
import type { Limits } from "../../model/account.ts";
import type { LimiterUnderTest } from "./case.ts";

/** Small, so that their end is near. */
export const limits: Limits = { perMinute: 5, perDay: 12 };
export const shelter: Spender = { counter: "catalogue 1", keyId: "first" };
export const colleague: Spender = { counter: "catalogue 1", keyId: "second" };
export const stranger: Spender = { counter: "catalogue 2", keyId: "third" };

/** How many of `count` requests pass. */
export async function passing({ limiter }: LimiterUnderTest, count: number): Promise<number> {
  let passed = 0;
  for (let request = 0; request < count; request++) {
    if ((await limiter.spend(shelter, limits)).allowed) passed++;
  }
  return passed;
}

/** Uses up the day, so that refusals outlast a minute. */
export async function exhaustDay(subject: LimiterUnderTest): Promise<void> {
  for (const requests of [5, 5, 2]) {
    await passing(subject, requests);
    subject.clock.advance(MINUTE_MS);
  }
}

/** What is left of each window. */
export function remaining({ windows }: Verdict): readonly number[] {
  return windows.map((window) => window.remaining);
}
