import { describe, expect, test } from "bun:test";

import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { createAttempts } from "../../../lib/members/attempts.ts";
import { manualClock } from "../../helpers/clock.ts";

function open() {
  const clock = manualClock(1_000_000);
  const attempts = createAttempts({ clock });
  /** Returns true if the attempt is accepted; otherwise the wait. */
  const attempt = (subject: string, address: string, familiar = false): true | number => {
    const begun = attempts.begin({ subject, address, familiar });
    return begun.ok ? true : (begun.failure.retryAfterSeconds ?? -1);
  };
  const many = (count: number, make: (index: number) => true | number) =>
    Array.from({ length: count }, (_, index) => make(index)).filter((heard) => heard === true)
      .length;
  return { clock, attempts, attempt, many };
}

const ADA = "ada@example.org";

describe("password attempts:", () => {
  test("five a minute for an email address from one client, and the wait is exact", () => {
    const { clock, attempt, many } = open();
    expect(many(9, () => attempt(ADA, "192.0.2.1"))).toBe(5);
    expect(attempt(ADA, "192.0.2.1")).toBe(60);
    clock.advance(59_000);
    expect(attempt(ADA, "192.0.2.1")).toBe(1);
    clock.advance(1_000);
    expect(attempt(ADA, "192.0.2.1")).toBe(true);
  });

  test("twenty an hour for an email address from one client", () => {
    const { clock, attempt, many } = open();
    let heard = 0;
    for (let minute = 0; minute < 10; minute++) {
      heard += many(5, () => attempt(ADA, "192.0.2.1"));
      clock.advance(MINUTE_MS);
    }
    expect(heard).toBe(20);
    expect(attempt(ADA, "192.0.2.1")).toBe(50 * 60);
    clock.advance(50 * MINUTE_MS);
    expect(attempt(ADA, "192.0.2.1")).toBe(true);
  });

  test("attempts from one client do not count against another", () => {
    const { attempt, many } = open();
    many(100, () => attempt(ADA, "192.0.2.1"));
    expect(attempt(ADA, "192.0.2.2")).toBe(true);
    expect(attempt("grace@example.org", "192.0.2.1")).toBe(true);
  });

  test("clients of one IPv6 network are counted together", () => {
    const { attempt, many } = open();
    expect(many(9, (index) => attempt(ADA, `2001:db8::${index + 1}`))).toBe(5);
    expect(attempt(ADA, "2001:db8:0:1::1")).toBe(true);
  });

  test("a hundred an hour for an email address from all clients, except familiar ones", () => {
    const { clock, attempt, many } = open();
    expect(many(150, (index) => attempt(ADA, `192.0.2.${index}`))).toBe(100);
    expect(attempt(ADA, "198.51.100.1")).toBe(3_600);
    expect(attempt(ADA, "198.51.100.1", true)).toBe(true);
    clock.advance(HOUR_MS);
    expect(attempt(ADA, "198.51.100.1")).toBe(true);
  });

  test("thirty a minute from one client for all email addresses", () => {
    const { attempts, many } = open();
    const admission = (): true | number => attempts.admit("192.0.2.1").ok || 0;
    expect(many(99, admission)).toBe(30);
    expect(attempts.admit("192.0.2.2").ok).toBe(true);
  });

  test("a full table of strangers does not limit familiar clients", () => {
    const { attempt, many } = open();
    const strangers = (count: number) =>
      many(count, (index) => attempt(`${index}@example.org`, `2001:db8:${index.toString(16)}::1`));
    expect(strangers(60_000)).toBeLessThan(50_100);
    expect(attempt(ADA, "192.0.2.1")).toBeGreaterThan(0);
    expect(attempt(ADA, "192.0.2.1", true)).toBe(true);
  });

  test("forgiven attempts do not count", () => {
    const { attempts } = open();
    for (let count = 0; count < 200; count++) {
      const begun = attempts.begin({ subject: ADA, address: "192.0.2.1", familiar: false });
      if (!begun.ok) throw new Error(`The attempt ${count} was refused.`);
      begun.value.forgive();
    }
  });
});
