import { expect, test } from "bun:test";

import { stateOf } from "../../../../../dashboard/app/pages/system/certificate-state.ts";
import { DAY_MS } from "../../../../../lib/base/clock.ts";

const NOW = 100 * DAY_MS;

test("a certificate with time left is valid", () => {
  expect(stateOf({ notAfter: NOW + 10 * DAY_MS, reason: null }, NOW)).toBe("valid");
});

test("a certificate whose renewal fails is failing while time is left", () => {
  expect(stateOf({ notAfter: NOW + 20 * DAY_MS, reason: "refused" }, NOW)).toBe("failing");
});

test("a certificate with less than ten days left expires soon, whatever the reason", () => {
  const notAfter = NOW + 10 * DAY_MS - 1;
  expect(stateOf({ notAfter, reason: null }, NOW)).toBe("expiresSoon");
  expect(stateOf({ notAfter, reason: "refused" }, NOW)).toBe("expiresSoon");
});

test("a certificate past its end has expired", () => {
  expect(stateOf({ notAfter: NOW, reason: null }, NOW)).toBe("expired");
});
