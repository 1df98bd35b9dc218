import { expect, test } from "bun:test";

import {
  choiceOf,
  effectsOf,
  freeChoice,
  limitIn,
  planIn,
} from "../../../../../dashboard/app/pages/accounts/plan-rules.ts";
import { planLimits } from "../../../../../lib/model/account.ts";

test("a plan with fixed limits is sent without limits", () => {
  expect(planIn({ plan: "pro", perMinute: "7", perDay: "nonsense" })).toEqual({ plan: "pro" });
  expect(planIn(freeChoice)).toEqual({ plan: "free" });
});

test("Enterprise needs both limits", () => {
  expect(planIn({ plan: "enterprise", perMinute: "5", perDay: "" })).toBeUndefined();
  expect(planIn({ plan: "enterprise", perMinute: " 5 ", perDay: "90" })).toEqual({
    plan: "enterprise",
    limits: { perMinute: 5, perDay: 90 },
  });
});

test.each(["", "0", "-1", "1.5", "1e3", "0x10", "1000000001", "99999999999", "five"])(
  "%p is not a limit",
  (text) => {
    expect(limitIn(text)).toBeUndefined();
  },
);

test("the largest limit is one billion", () => {
  expect(limitIn("1000000000")).toBe(1_000_000_000);
});

test("the choice starts with the account's plan", () => {
  const account = { plan: "enterprise", limits: { perMinute: 5, perDay: 90 } } as const;
  expect(planIn(choiceOf(account))).toEqual(account);
});

const free = { plan: "free", limits: planLimits.free } as const;
const pro = { plan: "pro", limits: planLimits.pro } as const;
const agreed = { plan: "enterprise", limits: { perMinute: 300, perDay: 10_000 } } as const;

test("the same plan changes nothing", () => {
  expect(effectsOf(pro, { plan: "pro" })).toBeUndefined();
  expect(effectsOf(agreed, agreed)).toBeUndefined();
});

test("a larger plan raises the limits and adds domains", () => {
  expect(effectsOf(free, { plan: "pro" })).toEqual({
    limits: { from: planLimits.free, to: planLimits.pro },
    domains: "gains",
  });
});

test("a change to Free removes domains", () => {
  expect(effectsOf(pro, { plan: "free" })?.domains).toBe("loses");
});

test("a change between paid plans keeps domains", () => {
  expect(effectsOf(pro, { plan: "business" })?.domains).toBe("same");
});

test("another plan with the same limits is a change", () => {
  expect(effectsOf(pro, agreed)).toEqual({ limits: undefined, domains: "same" });
});

test("other limits of Enterprise are a change", () => {
  const limits = { perMinute: 300, perDay: 20_000 };
  expect(effectsOf(agreed, { plan: "enterprise", limits })).toEqual({
    limits: { from: agreed.limits, to: limits },
    domains: "same",
  });
});
