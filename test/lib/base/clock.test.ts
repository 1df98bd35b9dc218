import { expect, test } from "bun:test";
import { isoTime, readTime } from "../../../lib/base/clock.ts";

test("a time is parsed in any time zone", () => {
  const at = 1_795_000_000_123;
  expect(readTime(isoTime(at))).toBe(at);
  expect(readTime("2026-11-18T17:26:40.123+01:00")).toBe(readTime("2026-11-18T16:26:40.123Z"));
  expect(readTime("1970-01-01t00:00:00z")).toBe(0);
});

const wrong = [
  "",
  "yesterday",
  "2026-11-18",
  "2026-11-18T16:26:40",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-18T24:30:00Z",
  "2026-11-18T16:26:61Z",
  "2026-11-18T16:26:40+25:00",
  "1969-12-31T23:59:59Z",
  " 2026-11-18T16:26:40Z",
  "2026-11-18T16:26:40.1234567890Z",
];
for (const text of wrong) {
  test(`${JSON.stringify(text)} is not a time`, () => {
    expect(readTime(text)).toBeUndefined();
  });
}
