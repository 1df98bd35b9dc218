import { describe, expect, test } from "bun:test";

import { emergencyAt, orderFloorMs, renewalAt } from "../../../domains/model/renewal.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { chance } from "../../helpers/chance.ts";

const from = Date.UTC(2026, 10, 21);
const lifetime = (ms: number) => ({
  notBefore: from,
  notAfter: from + ms,
  arrivedAt: from,
  activeSince: from,
  timeKnown: true,
});

describe("a certificate is renewed, at the latest,", () => {
  const cases = [
    ["of 90 days", 90 * DAY_MS, 60 * DAY_MS],
    ["of 64 days", 64 * DAY_MS, (64 * DAY_MS * 2) / 3],
    ["of 45 days", 45 * DAY_MS, 30 * DAY_MS],
    ["of 10 days", 10 * DAY_MS, (10 * DAY_MS * 2) / 3],
    ["just under 10 days", 10 * DAY_MS - 1_000, 5 * DAY_MS - 500],
    ["of 160 hours", 160 * HOUR_MS, 80 * HOUR_MS],
  ] as const;
  for (const [what, length, after] of cases) {
    test(`${what}: ${(after / DAY_MS).toFixed(2)} days in`, () => {
      expect(renewalAt(lifetime(length), 0)).toBe(Math.floor(from + after));
    });
  }
});

test("renewals are spread over a fiftieth of the lifetime, and none is late", () => {
  const { next } = chance();
  const days = [90, 64, 45, 10, 160 / 24, 1];
  for (const one of days) {
    const certificate = lifetime(one * DAY_MS);
    const latest = renewalAt(certificate, 0);
    const drawn = Array.from({ length: 1_000 }, () => renewalAt(certificate, next()));
    const width = latest - Math.min(...drawn);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(latest);
    expect(width).toBeWithin((one * DAY_MS) / 60, (one * DAY_MS) / 50 + 2);
  }
});

test("without the CA's time, a renewal counts from the arrival, whatever the dates say", () => {
  for (const arrivedAt of [from - 70 * DAY_MS, from, from + 70 * DAY_MS]) {
    const certificate = { ...lifetime(90 * DAY_MS), arrivedAt, timeKnown: false };
    expect(renewalAt(certificate, 0)).toBe(arrivedAt + 60 * DAY_MS);
  }
});

test("a certificate that was old on arrival is renewed by its dates", () => {
  const arrivedAt = from + 20 * HOUR_MS;
  expect(renewalAt({ ...lifetime(DAY_MS), arrivedAt }, 0)).toBe(from + 12 * HOUR_MS);
});

test.each([
  ["24 hours", DAY_MS, 8 * HOUR_MS],
  ["6 hours", 6 * HOUR_MS, 2 * HOUR_MS],
  ["6 days", 6 * DAY_MS, 8 * HOUR_MS],
  ["90 days", 90 * DAY_MS, 4.5 * DAY_MS],
  ["no time at all", 0, 10 * SECOND_MS],
] as const)("automatic orders of certificates of %s keep their distance", (_, lives, floor) => {
  expect(orderFloorMs(lifetime(lives))).toBe(floor);
});

test("an emergency starts with a twentieth of the lifetime left, after the renewal", () => {
  const certificate = lifetime(60 * DAY_MS);
  expect(emergencyAt(certificate)).toBe(from + 57 * DAY_MS);
  expect(emergencyAt(certificate)).toBeGreaterThan(renewalAt(certificate, 0));
});
