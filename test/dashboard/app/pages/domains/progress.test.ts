import { expect, test } from "bun:test";

import { progressOf, wasVerified } from "../../../../../dashboard/app/pages/domains/progress.ts";
import { views } from "../../../../helpers/domains/views.ts";

test.each([
  ["checking", "current ahead ahead ahead ahead"],
  ["missing", "done current ahead ahead ahead"],
  ["lagging", "done current ahead ahead ahead"],
  ["unanswered", "done current ahead ahead ahead"],
  ["verified", "done done current ahead ahead"],
  ["issuing", "done done current ahead ahead"],
  ["trying", "done done done current ahead"],
  ["live", "done done done done done"],
  ["remembered", "done done done done done"],
  ["stalled", "done done stuck ahead ahead"],
  ["limited", "done done stuck ahead ahead"],
] as const)("a domain that is %s has come so far: %s", (name, states) => {
  const steps = progressOf(views[name]);
  expect(steps?.map(({ state }) => state).join(" ")).toBe(states);
});

test.each(["removed", "claimed"] as const)("a domain that is %s is on no way", (name) => {
  expect(progressOf(views[name])).toBeUndefined();
});

test("a domain that is served, with records that are wrong by now, is not shown as if it began anew", () => {
  const { dns, ...rest } = views.live;
  const drifting = { ...rest, status: "attention", dns: { ...dns, state: "blocked" } } as const;
  expect(progressOf(drifting)).toBeUndefined();
});

test.each([
  ["missing", false],
  ["checking", false],
  ["verified", true],
  ["stalled", true],
  ["live", true],
] as const)("a domain that is %s was verified before: %p", (name, before) => {
  expect(wasVerified(views[name])).toBe(before);
});
