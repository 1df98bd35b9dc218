import { expect, test } from "bun:test";

import { effectsOf } from "../../../../../dashboard/app/pages/accounts/plan-effects.ts";
import { planLimits } from "../../../../../lib/model/account.ts";

const free = { plan: "free", limits: planLimits.free } as const;
const pro = { plan: "pro", limits: planLimits.pro } as const;
const agreed = { plan: "enterprise", limits: { perMinute: 300, perDay: 10_000 } } as const;

test("the same plan changes nothing", () => {
  expect(effectsOf(pro, { plan: "pro" })).toBeUndefined();
  expect(effectsOf(agreed, agreed)).toBeUndefined();
});

test("a bigger plan raises the limits and brings domains", () => {
  expect(effectsOf(free, { plan: "pro" })).toEqual({
    limits: { from: planLimits.free, to: planLimits.pro },
    domains: "gains",
  });
});

test("going back to Free loses domains", () => {
  expect(effectsOf(pro, { plan: "free" })?.domains).toBe("loses");
});

test("between paid plans domains stay as they are", () => {
  expect(effectsOf(pro, { plan: "business" })?.domains).toBe("same");
});

test("another plan with the same numbers is a change all the same", () => {
  expect(effectsOf(pro, agreed)).toEqual({ limits: undefined, domains: "same" });
});

test("other numbers of Enterprise are a change", () => {
  const limits = { perMinute: 300, perDay: 20_000 };
  expect(effectsOf(agreed, { plan: "enterprise", limits })).toEqual({
    limits: { from: agreed.limits, to: limits },
    domains: "same",
  });
});
