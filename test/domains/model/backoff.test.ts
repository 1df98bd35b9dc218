import { describe, expect, test } from "bun:test";

import {
  budgetedAt,
  countFailure,
  longestWaitMs,
  MAX_FAILED_VALIDATIONS,
  nextOrderAt,
  type FailureClass,
} from "../../../domains/model/backoff.ts";
import { pollAt } from "../../../domains/model/order-state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";

const NOW = 1_795_000_000_000;

const wait = (failure: FailureClass, failures: number, more = {}): number =>
  (nextOrderAt({ failure, failures, now: NOW, longestMs: DAY_MS, ...more }) - NOW) / MINUTE_MS;

describe("the next order", () => {
  for (const [failure, waits] of [
    ["validation", [1, 10, 100, 1_440, 1_440]],
    ["outage", [1, 2, 5, 10, 30, 60, 60]],
    ["rate_limited", [1, 5, 10, 30, 60, 60]],
    ["refused", [1_440, 1_440]],
    ["restart", [1, 10, 60, 60]],
  ] as const) {
    test(`waits ${waits.join(", ")} minutes after ${failure}`, () => {
      expect(waits.map((_, index) => wait(failure, index + 1))).toEqual([...waits]);
    });
  }

  test("starts exactly when a rate limit ends, within a day", () => {
    expect(wait("rate_limited", 1, { until: NOW + 7 * MINUTE_MS })).toBe(7);
    expect(wait("rate_limited", 1, { until: NOW + 23 * HOUR_MS })).toBe(23 * 60);
    expect(wait("rate_limited", 1, { until: NOW + 34 * HOUR_MS })).toBe(24 * 60);
    expect(wait("rate_limited", 1, { until: NOW - HOUR_MS })).toBe(1);
  });

  test("waits as long as a failing CA asks", () => {
    expect(wait("outage", 1, { until: NOW + HOUR_MS })).toBe(60);
    expect(wait("outage", 5, { until: NOW + MINUTE_MS })).toBe(30);
  });

  test("for an expiring certificate waits an hour at most, or as long as the CA asks within its life", () => {
    expect(wait("validation", 4, { urgent: true })).toBe(60);
    expect(wait("validation", 1, { urgent: true })).toBe(1);
    expect(wait("rate_limited", 1, { urgent: true, until: NOW + 2 * HOUR_MS })).toBe(120);
    const longestMs = longestWaitMs(
      { notBefore: NOW - 8 * HOUR_MS, activeSince: NOW - 8 * HOUR_MS, notAfter: NOW + 8 * HOUR_MS },
      NOW,
    );
    expect(wait("rate_limited", 1, { until: NOW + 2 * HOUR_MS, longestMs })).toBe(60);
  });
});

describe("failed validations", () => {
  test("count for an hour, up to the limit", () => {
    let failedAt: readonly number[] = [];
    for (let minute = 0; minute < 200; minute++) {
      failedAt = countFailure(failedAt, NOW + minute * MINUTE_MS);
    }
    expect(failedAt).toHaveLength(MAX_FAILED_VALIDATIONS);
    expect(countFailure(failedAt, NOW + 300 * MINUTE_MS)).toEqual([NOW + 300 * MINUTE_MS]);
  });

  test("allow the next order when the oldest is an hour old", () => {
    const failedAt = [0, 1, 2, 3].map((minute) => NOW + minute * MINUTE_MS);
    expect(budgetedAt(failedAt.slice(1), NOW + 5 * MINUTE_MS)).toBe(NOW + 5 * MINUTE_MS);
    expect(budgetedAt(failedAt, NOW + 5 * MINUTE_MS)).toBe(NOW + HOUR_MS);
    expect(budgetedAt(failedAt, NOW + HOUR_MS)).toBe(NOW + HOUR_MS);
  });
});

describe("polling a busy CA", () => {
  test("starts after a quarter of a second and slows down", () => {
    const nextAfter = (ms: number) => pollAt(NOW, NOW + ms, undefined) - NOW;
    expect([0, 250, 500, 1_000].map(nextAfter)).toEqual([250, 500, 1_000, 2_000]);
    expect([4_000, 20_000, 60_000, 600_000].map(nextAfter)).toEqual([
      5_000, 25_000, 75_000, 630_000,
    ]);
  });

  test("waits for a minute at most, unless it is limited", () => {
    expect(pollAt(NOW, NOW, NOW + 86_400_000)).toBe(NOW + MINUTE_MS);
    expect(pollAt(NOW, NOW, NOW + 86_400_000, Infinity)).toBe(NOW + 86_400_000);
  });

  test("respects the CA's time, but never polls at once", () => {
    expect(pollAt(NOW, NOW, NOW + 45_000)).toBe(NOW + 45_000);
    expect(pollAt(NOW, NOW, NOW - 90_000)).toBe(NOW + 250);
  });
});
