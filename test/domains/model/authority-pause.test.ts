import { describe, expect, test } from "bun:test";

import {
  causeOf,
  DOWN_AFTER,
  looksAgainAt,
  mayOrder,
  pausedUntil,
  probeableAt,
  type AuthorityPause,
} from "../../../domains/model/authority-pause.ts";
import type { ActiveCertificate } from "../../../domains/model/domain.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";

const NOW = 1_795_000_000_000;

/** A pause that the CA began now, for `ms`. */
const limited = (ms: number, more: Partial<AuthorityPause> = {}): AuthorityPause => ({
  authority: "https://ca.test",
  until: NOW + ms,
  message: "slow down",
  probedAt: NOW,
  ...more,
});

const down = (more: Partial<AuthorityPause> = {}): AuthorityPause =>
  limited(-NOW, { failures: DOWN_AFTER, ...more });

/** A certificate with so much life left. */
function certified(leftMs: number): { readonly certificate: ActiveCertificate } {
  const certificate = {
    id: "crt_1",
    authority: "https://ca.test",
    notBefore: NOW - 90 * DAY_MS,
    activeSince: NOW - 90 * DAY_MS,
    notAfter: NOW + leftMs,
    renewAt: NOW,
  };
  return { certificate };
}

/** When the first probe may be sent, in minutes from now. */
function probeIn(pause: AuthorityPause, asking: object = {}): number {
  const permission = mayOrder(pause, { id: "dom_1", ...asking }, NOW);
  return permission.kind === "wait" ? (permission.until - NOW) / MINUTE_MS : 0;
}

describe("a CA that is paused is probed", () => {
  test.each([
    [10 * MINUTE_MS, 80 * DAY_MS, 10],
    [365 * DAY_MS, 80 * DAY_MS, 24 * 60],
    [365 * DAY_MS, 8 * HOUR_MS, 60],
    [365 * DAY_MS, 80 * MINUTE_MS, 10],
    [365 * DAY_MS, 2 * MINUTE_MS, 1],
    [365 * DAY_MS, -DAY_MS, 1],
    [SECOND_MS, 80 * DAY_MS, 1],
  ])(
    "after %d ms named by it, with %d ms of a certificate left, in %d minutes",
    (ms, left, minutes) => {
      expect(probeIn(limited(ms), certified(left))).toBe(minutes);
    },
  );

  test("after what it named, or a day, for a name without a certificate", () => {
    expect(probeIn(limited(3 * HOUR_MS))).toBe(180);
    expect(probeIn(limited(30 * DAY_MS))).toBe(24 * 60);
  });

  test("as soon as it is due, by one domain, which passes for five minutes", () => {
    const pause = limited(3 * HOUR_MS, { probedAt: NOW - 25 * HOUR_MS, until: NOW + HOUR_MS });
    expect(mayOrder(pause, { id: "dom_1" }, NOW)).toEqual({ kind: "probe", pause });
    const taken = { ...pause, probedAt: NOW, probedBy: "dom_1" };
    expect(mayOrder(taken, { id: "dom_1" }, NOW + 4 * MINUTE_MS).kind).toBe("open");
    expect(mayOrder(taken, { id: "dom_2" }, NOW + 4 * MINUTE_MS).kind).toBe("wait");
    expect(mayOrder(taken, { id: "dom_1" }, NOW + 6 * MINUTE_MS).kind).toBe("wait");
  });

  test("no later if our clock was set back", () => {
    const later = NOW - 70 * DAY_MS;
    const permission = mayOrder(limited(-NOW, { failures: DOWN_AFTER }), { id: "dom_1" }, later);
    expect(permission).toMatchObject({ kind: "wait", until: later + MINUTE_MS });
    expect(probeableAt(limited(3 * HOUR_MS), later)).toBe(later + MINUTE_MS);
  });
});

describe("a CA that does not answer", () => {
  test("is open to all names until three failures in a row", () => {
    expect(mayOrder(down({ failures: DOWN_AFTER - 1 }), { id: "dom_1" }, NOW).kind).toBe("open");
    expect(causeOf(down(), NOW)).toBe("down");
  });

  test("is probed each minute, and each five minutes after an hour", () => {
    expect(probeIn(down())).toBe(1);
    expect(probeIn(down({ failures: 59 }))).toBe(1);
    expect(probeIn(down({ failures: 60 }))).toBe(5);
    expect(probeIn(down({ failures: 60 }), certified(16 * MINUTE_MS))).toBe(2);
  });
});

describe("until when a CA is paused", () => {
  test("is never in the past", () => {
    expect(pausedUntil(undefined, NOW)).toBeUndefined();
    expect(pausedUntil(limited(0), NOW)).toBeUndefined();
    expect(pausedUntil(limited(HOUR_MS), NOW)).toBe(NOW + HOUR_MS);
    expect(pausedUntil(down({ probedAt: NOW - DAY_MS }), NOW)).toBe(NOW);
    expect(pausedUntil(down(), NOW)).toBe(NOW + MINUTE_MS);
  });
});

describe("a domain that waits looks again", () => {
  const looks = (pause: AuthorityPause, asking: object, probed: boolean, spread = 0): number => {
    const permission = mayOrder(pause, { id: "dom_1", ...asking }, NOW);
    if (permission.kind !== "wait") throw new Error(permission.kind);
    const { certificate }: { readonly certificate?: ActiveCertificate } = asking;
    return (looksAgainAt(permission, { certificate, probed, spread }, NOW) - NOW) / MINUTE_MS;
  };

  test("when it may probe, if it was the one whose order was refused", () => {
    expect(looks(down(), certified(80 * DAY_MS), true)).toBe(1);
    expect(looks(limited(9 * HOUR_MS), {}, true)).toBe(540);
  });

  test("now and then otherwise, spread, and never after the pause or an eighth of its life", () => {
    expect(looks(down(), {}, false)).toBe(5);
    expect(looks(down(), certified(80 * DAY_MS), false)).toBe(60);
    expect(looks(down(), certified(80 * DAY_MS), false, 0.5)).toBe(50);
    expect(looks(down(), certified(80 * MINUTE_MS), false)).toBe(10);
    expect(looks(limited(2 * MINUTE_MS), {}, false)).toBe(2);
  });
});
