import { expect, test } from "bun:test";

import { DAY_MS, httpTime, SECOND_MS } from "../../../lib/base/clock.ts";
import { retryAfterMs, retryAfterSecondsIn } from "../../../lib/base/retry-after.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MAX = 30 * DAY_MS;

/** Every way in which servers and proxies write the header, and the wait in milliseconds; undefined: unreadable. */
const HEADERS: readonly (readonly [string | null | undefined, number | undefined])[] = [
  [undefined, undefined],
  [null, undefined],
  ["", undefined],
  ["0", 0],
  [" 120 ", 120 * SECOND_MS],
  ["007", 7 * SECOND_MS],
  ["-5", undefined],
  ["+5", undefined],
  ["1.5", undefined],
  ["1e20", undefined],
  ["100000000000000000000", MAX],
  ["9".repeat(32), MAX],
  ["9".repeat(33), undefined],
  ["31536000", MAX],
  ["Infinity", undefined],
  ["NaN", undefined],
  ["soon", undefined],
  ["5, 10", undefined],
  ["5 seconds", undefined],
  ["٥", undefined],
  [httpTime(NOW + 90 * SECOND_MS), 90 * SECOND_MS],
  [httpTime(NOW - DAY_MS), 0],
  [httpTime(NOW + 365 * DAY_MS), MAX],
  ["Sat, 31 Feb 2026 13:00:00 GMT", undefined],
  ["2026-11-21T13:00:00Z", undefined],
];

for (const [header, expected] of HEADERS) {
  test(`Retry-After ${JSON.stringify(header)} waits ${expected} ms`, () => {
    expect(retryAfterMs(header, { maxMs: MAX, theirNow: NOW })).toBe(expected);
  });
}

test("a date needs the sender's clock, seconds do not", () => {
  expect(retryAfterMs(httpTime(NOW), { maxMs: MAX })).toBeUndefined();
  expect(retryAfterMs("3", { maxMs: MAX })).toBe(3 * SECOND_MS);
});

test("in a response, a date is compared with the response's own", () => {
  const seconds = (headers: Record<string, string>) =>
    retryAfterSecondsIn(new Headers(headers), 3_600);
  const later = httpTime(NOW + 90 * SECOND_MS);
  expect(seconds({ "retry-after": later, date: httpTime(NOW) })).toBe(90);
  expect(seconds({ "retry-after": later })).toBeUndefined();
  expect(seconds({ "retry-after": "31536000" })).toBe(3_600);
  expect(seconds({})).toBeUndefined();
});
