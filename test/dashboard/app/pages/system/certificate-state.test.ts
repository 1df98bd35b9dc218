import { expect, test } from "bun:test";

import { stateOf } from "../../../../../dashboard/app/pages/system/certificate-state.ts";
import { DAY_MS } from "../../../../../lib/base/clock.ts";

const NOW = 100 * DAY_MS;

test("a certificate with time left is valid", () => {
  expect(stateOf({ notAfter: NOW + 10 * DAY_MS, reason: null }, NOW)).toBe("valid");
});

test("one that could not be renewed yet is told so while there is time", () => {
  expect(stateOf({ notAfter: NOW + 20 * DAY_MS, reason: "refused" }, NOW)).toBe("failing");
});

test("one with less than ten days left expires soon, whatever the reason", () => {
  const notAfter = NOW + 10 * DAY_MS - 1;
  expect(stateOf({ notAfter, reason: null }, NOW)).toBe("expiresSoon");
  expect(stateOf({ notAfter, reason: "refused" }, NOW)).toBe("expiresSoon");
});

test("one whose end has come has expired", () => {
  expect(stateOf({ notAfter: NOW, reason: null }, NOW)).toBe("expired");
});
