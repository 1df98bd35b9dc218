import { describe, expect, test } from "bun:test";

import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { memoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import { createAttempts } from "../../../lib/members/attempts.ts";
import { manualClock } from "../../helpers/clock.ts";
import { must } from "../../helpers/outcome.ts";

function open(maxHolders = 1_000) {
  const clock = manualClock(1_000_000);
  const attempts = createAttempts({ limiter: memoryLimiter({ clock, maxHolders }) });
  /** Returns true if the attempt is accepted; otherwise the wait. */
  const attempt = async (
    subject: string,
    address: string,
    familiar = false,
  ): Promise<true | number> => {
    const begun = await attempts.begin({ subject, address, familiar });
    return begun.ok ? true : (begun.failure.retryAfterSeconds ?? -1);
  };
  const many = async (count: number, make: (index: number) => Promise<true | number>) => {
    let heard = 0;
    for (let index = 0; index < count; index++) if ((await make(index)) === true) heard++;
    return heard;
  };
  return { clock, attempts, attempt, many };
}

const ADA = "ada@example.org";

describe("password attempts:", () => {
  test("five a minute for an email address from one client, and the wait is exact", async () => {
    const { clock, attempt, many } = open();
    expect(await many(9, () => attempt(ADA, "192.0.2.1"))).toBe(5);
    expect(await attempt(ADA, "192.0.2.1")).toBe(60);
    clock.advance(59_000);
    expect(await attempt(ADA, "192.0.2.1")).toBe(1);
    clock.advance(1_000);
    expect(await attempt(ADA, "192.0.2.1")).toBe(true);
  });

  test("twenty an hour for an email address from one client", async () => {
    const { clock, attempt, many } = open();
    let heard = 0;
    for (let minute = 0; minute < 10; minute++) {
      heard += await many(5, () => attempt(ADA, "192.0.2.1"));
      clock.advance(MINUTE_MS);
    }
    expect(heard).toBe(20);
    expect(await attempt(ADA, "192.0.2.1")).toBe(50 * 60);
    clock.advance(50 * MINUTE_MS);
    expect(await attempt(ADA, "192.0.2.1")).toBe(true);
  });

  test("attempts from one client do not count against another", async () => {
    const { attempt, many } = open();
    await many(100, () => attempt(ADA, "192.0.2.1"));
    expect(await attempt(ADA, "192.0.2.2")).toBe(true);
    expect(await attempt("grace@example.org", "192.0.2.1")).toBe(true);
  });

  test("clients of one IPv6 network are counted together", async () => {
    const { attempt, many } = open();
    expect(await many(9, (index) => attempt(ADA, `2001:db8::${index + 1}`))).toBe(5);
    expect(await attempt(ADA, "2001:db8:0:1::1")).toBe(true);
  });

  test("a hundred an hour for an email address from all clients, except familiar ones", async () => {
    const { clock, attempt, many } = open();
    expect(await many(150, (index) => attempt(ADA, `192.0.2.${index}`))).toBe(100);
    expect(await attempt(ADA, "198.51.100.1")).toBe(3_600);
    expect(await attempt(ADA, "198.51.100.1", true)).toBe(true);
    clock.advance(HOUR_MS);
    expect(await attempt(ADA, "198.51.100.1")).toBe(true);
  });

  test("thirty a minute from one client for all email addresses", async () => {
    const { attempts, many } = open();
    const admission = async (): Promise<true | number> =>
      (await attempts.admit("192.0.2.1")).ok || 0;
    expect(await many(99, admission)).toBe(30);
    expect((await attempts.admit("192.0.2.2")).ok).toBe(true);
  });

  test("a full table of strangers does not limit familiar clients", async () => {
    const { attempt, many } = open();
    const strangers = (count: number) =>
      many(count, (index) => attempt(`${index}@example.org`, `2001:db8:${index.toString(16)}::1`));
    expect(await strangers(1_200)).toBeLessThan(1_100);
    expect(await attempt(ADA, "192.0.2.1")).toBeGreaterThan(0);
    expect(await attempt(ADA, "192.0.2.1", true)).toBe(true);
  });

  test("forgiven attempts do not count", async () => {
    const { attempts } = open();
    for (let count = 0; count < 200; count++) {
      const begun = must(
        await attempts.begin({ subject: ADA, address: "192.0.2.1", familiar: false }),
      );
      await begun.forgive();
    }
  });
});
