import { expect } from "bun:test";

import type { Charges, Decision, Limiter, Verdict } from "../../lib/accounts/limiter.ts";
import { memoryLimiter } from "../../lib/accounts/memory-limiter.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import type { Chance } from "./chance.ts";
import type { ManualClock } from "./clock.ts";

/**
 * Compares a limiter with the one in memory, which other tests compare with a log of all requests: each of `steps` random
 * calls must have the same result.
 */
export async function agreeWithMemory(
  limiter: Limiter,
  clock: ManualClock,
  random: Chance,
  steps: number,
): Promise<void> {
  const model = memoryLimiter({ clock });
  const life = random.between(1, 1_000_000_000);
  // The model forgets ended counters of charges, so a clock that is set back would tell the two apart.
  const mayGoBack = random.true(0.3);
  let limits = { perMinute: random.between(1, 40), perDay: random.between(1, 200) };
  let spent: Verdict | undefined;
  let charged: readonly [Charges, Decision] | undefined;
  const refusals = { limiter: 0, charges: 0, abusive: 0 };

  for (let step = 0; step < steps; step++) {
    clock.advance(
      random.pick([0, 0, 0, 1, 40, 700, random.between(0, 5_000), random.between(0, 70_000)]),
    );
    if (random.true(0.02)) clock.advance(random.pick([MINUTE_MS, HOUR_MS, 24 * HOUR_MS]));
    if (mayGoBack && random.true(0.03)) clock.advance(-random.between(0, 2 * HOUR_MS));
    if (random.true(0.03)) {
      limits = { perMinute: random.between(1, 40), perDay: random.between(1, 200) };
    }
    const spender = {
      counter: `catalogue ${life + random.between(0, 1)}`,
      keyId: `${life} ${random.between(0, 2)}`,
    };
    const pair = { counter: `pair ${life} ${random.between(0, 2)}`, rates: { minute: 3, hour: 9 } };
    const email = { counter: `email ${life} ${random.between(0, 1)}`, rates: { hour: 12 } };
    const charges = random.pick<Charges>([[pair], [pair, email], [email]]);
    const what = random.pick(
      mayGoBack ? (["spend", "many", "peek", "refund", "clear"] as const) : ALL_CALLS,
    );
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    if (what === "spend" || what === "many") {
      const times = what === "many" ? random.between(2, 60) : 1;
      const verdicts = await Promise.all(
        Array.from({ length: times }, async () => limiter.spend(spender, limits)),
      );
      seen.push(...verdicts);
      for (let time = 0; time < times; time++) {
        const verdict = model.spend(spender, limits);
        spent = verdict;
        expected.push(verdict);
        if (!verdict.allowed) refusals.limiter++;
        if (verdict.abusive) refusals.abusive++;
      }
      if (spent?.allowed === true && random.true(0.2)) {
        await limiter.refund(spender, spent);
        model.refund(spender, spent);
      }
    } else if (what === "refund") {
      if (spent !== undefined) {
        await limiter.refund(spender, spent);
        model.refund(spender, spent);
      }
    } else if (what === "clear") {
      if (random.true(0.2)) {
        await limiter.clearViolations(spender.keyId);
        model.clearViolations(spender.keyId);
      }
    } else if (what === "charge") {
      seen.push(await limiter.spendAll(charges));
      const decision = model.spendAll(charges);
      charged = [charges, decision];
      expected.push(decision);
      if (!decision.allowed) refusals.charges++;
    } else if (what === "refund charges" && charged !== undefined) {
      await limiter.refundAll(...charged);
      model.refundAll(...charged);
    }
    seen.push(await limiter.peek(spender, limits));
    expected.push(model.peek(spender, limits));
    if (!mayGoBack) {
      seen.push(await limiter.peekAll(charges));
      expected.push(model.peekAll(charges));
    }
    expect({ step, what, results: seen }).toEqual({ step, what, results: expected });
  }
  // The comparison is worth something only if limits were reached.
  expect(refusals.limiter).toBeGreaterThan(0);
}

const ALL_CALLS = [
  "spend",
  "many",
  "peek",
  "refund",
  "clear",
  "charge",
  "charge",
  "refund charges",
] as const;
