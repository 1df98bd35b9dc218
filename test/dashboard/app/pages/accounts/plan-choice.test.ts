import { expect, test } from "bun:test";

import {
  choiceOf,
  freeChoice,
  limitIn,
  planIn,
} from "../../../../../dashboard/app/pages/accounts/plan-choice.ts";

test("a plan with fixed numbers is sent without any", () => {
  expect(planIn({ plan: "pro", perMinute: "7", perDay: "nonsense" })).toEqual({ plan: "pro" });
  expect(planIn(freeChoice)).toEqual({ plan: "free" });
});

test("Enterprise needs both numbers", () => {
  expect(planIn({ plan: "enterprise", perMinute: "5", perDay: "" })).toBeUndefined();
  expect(planIn({ plan: "enterprise", perMinute: " 5 ", perDay: "90" })).toEqual({
    plan: "enterprise",
    limits: { perMinute: 5, perDay: 90 },
  });
});

test.each(["", "0", "-1", "1.5", "1e3", "0x10", "1000000001", "99999999999", "five"])(
  "%p is no limit",
  (text) => {
    expect(limitIn(text)).toBeUndefined();
  },
);

test("the largest limit is a thousand million", () => {
  expect(limitIn("1000000000")).toBe(1_000_000_000);
});

test("what an account has is what the choice begins with", () => {
  const account = { plan: "enterprise", limits: { perMinute: 5, perDay: 90 } } as const;
  expect(planIn(choiceOf(account))).toEqual(account);
});
