import { describe, expect, test } from "bun:test";

import { applyOutcome, newDomain, restored } from "../../../domains/model/apply-outcome.ts";
import { clockCorrected } from "../../../domains/model/clock-correction.ts";
import { destinationUntil, type Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { driftStage } from "../../../domains/model/drift-facts.ts";
import {
  countedLook,
  isLookMissed,
  driftStandsStill,
  needsCheck,
  nextLookAt,
  type Seen,
} from "../../../domains/model/drift.ts";
import { nextTask } from "../../../domains/model/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";

const START = 1_795_000_000_000;

function freshDomain(name: string, at: number): Domain {
  return newDomain(
    {
      id: "dom_000000000001",
      name,
      unicode: name,
      projectId: "prj_1",
      accountId: "acc_1",
      role: { kind: "primary" },
      targetLabel: "0".repeat(32),
      ownershipToken: "t".repeat(22),
      attachedBefore: false,
    },
    at,
  );
}

function liveDomain(name = "pets.shelter.org", at = START): Domain {
  return {
    ...freshDomain(name, at),
    heldSince: at,
    liveSince: at,
    dns: { state: "verified", codes: [], checkedAt: at, passedAt: at },
    certificate: {
      id: "crt_1",
      authority: "test",
      notBefore: at,
      notAfter: at + 90 * DAY_MS,
      renewAt: at + 60 * DAY_MS,
      activeSince: at,
    },
  };
}

interface Looking {
  readonly domain: Domain;
  readonly at: number;
  readonly news: readonly string[];
}

/** What the looks at a name see at an instant, and what else decides about them. */
interface Sight {
  readonly seen: Seen;
  readonly doubted?: boolean;
  readonly mayLeave?: boolean;
}

/** Performs the looks that are due up to `until`. */
function looking(from: Domain, until: number, sight: (at: number) => Sight): Looking {
  let domain = from;
  const news: string[] = [];
  for (let at = START; ;) {
    const due = nextLookAt(domain);
    if (due === undefined || domain.removal !== undefined || due > until) {
      return { domain, at, news };
    }
    at = Math.max(at, due);
    const applied = lookAt(domain, at, sight(at));
    domain = applied.domain;
    news.push(...applied.news.map(({ kind, code }) => `${kind} ${code ?? ""}`.trim()));
  }
}

/** One look, with the check that follows it. */
function lookAt(domain: Domain, now: number, sight: Sight): ReturnType<typeof applyOutcome> {
  const look = { doubted: false, mayLeave: true, ...sight, now };
  if (!needsCheck(domain, look)) return applyOutcome(domain, { kind: "looked", ...look }, now);
  const here = sight.seen === "here";
  return applyOutcome(
    domain,
    {
      kind: "checked",
      state: here ? "verified" : "blocked",
      codes: here ? [] : ["cname_mismatch"],
      leadsHere: here,
      name: "free",
      look,
    },
    now,
  );
}

const here: Sight = { seen: "here" };
const away: Sight = { seen: "away" };

describe("looks", () => {
  test("are once a day for each live name, at its own time, however long one takes", () => {
    let domain = liveDomain();
    const times: number[] = [];
    for (let day = 0; day < 30; day++) {
      const due = nextLookAt(domain) ?? 0;
      times.push(due);
      // Up to ten minutes late.
      domain = lookAt(domain, due + (day % 11) * MINUTE_MS, here).domain;
    }
    const [first = 0] = times;
    expect(first).toBeGreaterThan(START);
    expect(first).toBeLessThanOrEqual(START + DAY_MS);
    expect(times).toEqual(times.map((_, day) => first + day * DAY_MS));
  });

  test("at 100,000 names are at most 1.2 a second over any minute of the day, also after a pause of a week", () => {
    const minutes = new Uint32Array(24 * 60);
    const last = START + 7 * DAY_MS;
    for (let number = 0; number < 100_000; number++) {
      const name = `pets${number}.shelter${number % 977}.org`;
      let domain = liveDomain(name);
      // The service was not running for a week: overdue looks wait for the time of their name.
      if (isLookMissed(domain, last)) {
        domain = applyOutcome(domain, { kind: "look_missed" }, last).domain;
      }
      const due = Math.max(last, nextLookAt(domain) ?? 0);
      expect(due).toBeLessThanOrEqual(last + DAY_MS);
      const minute = Math.floor((due - last) / MINUTE_MS);
      if (due > last) minutes[minute] = (minutes[minute] ?? 0) + 1;
    }
    const most = Math.max(...minutes);
    // 69.4 a minute on average; a minute differs by chance from that.
    const perHour = Array.from({ length: 24 }, (_, hour) =>
      minutes.slice(hour * 60, hour * 60 + 60).reduce((sum, one) => sum + one, 0),
    );
    expect(Math.max(...perHour) / 3_600).toBeLessThanOrEqual(1.2);
    expect(most / 60).toBeLessThan(2);
  });

  test("follow a failed renewal within ten minutes", () => {
    const domain = liveDomain();
    const failed = applyOutcome(
      domain,
      { kind: "order_failed", failure: "outage", code: "ca_unavailable", message: "" },
      START + 60 * DAY_MS,
    ).domain;
    const looked = { ...failed, look: { at: START + 60 * DAY_MS - SECOND_MS } };
    const due = nextLookAt(looked) ?? 0;
    expect(due).toBeGreaterThanOrEqual(START + 60 * DAY_MS);
    expect(due).toBeLessThanOrEqual(START + 60 * DAY_MS + 10 * MINUTE_MS);
    const after = lookAt(looked, due, here).domain;
    expect(nextLookAt(after)).toBeGreaterThan(due + 10 * MINUTE_MS);
  });

  test("are not for names that are not live", () => {
    const { liveSince: _live, ...domain } = liveDomain();
    expect(nextLookAt(domain)).toBeUndefined();
    const removed = applyOutcome(liveDomain(), { kind: "removed", reason: "removed" }, START);
    expect(nextTask(removed.domain, START)?.kind).toBe("forget");
  });
});

describe("a name whose record is removed", () => {
  const gone = START + 10 * DAY_MS;
  const sight = (at: number): Sight => (at < gone ? here : away);

  test("drifts after three bad looks over two hours, moves after 7 days, and is released after 30", () => {
    const { domain, at, news } = looking(liveDomain(), START + 60 * DAY_MS, sight);
    expect(news).toEqual(["drifting cname_mismatch", "moved cname_mismatch", "released released"]);
    const { removal, certificate, heldSince, liveSince, drift } = domain;
    expect(removal).toEqual({ at, reason: "released" });
    expect([certificate, heldSince, liveSince, drift]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(at - gone).toBeGreaterThan(30 * DAY_MS);
    expect(at - gone).toBeLessThan(31 * DAY_MS + HOUR_MS);
    expect(statusOf(domain, at)).toBe("removed");
  });

  test("is shown as live until it drifts, then needs attention", () => {
    for (const [hours, status] of [
      [0, "live"],
      [1, "live"],
      [2, "attention"],
    ] as const) {
      const first = firstBad();
      const { domain } = looking(liveDomain(), first + hours * HOUR_MS, sight);
      expect([hours, statusOf(domain, first), domain.drift?.looks]).toEqual([
        hours,
        status,
        hours + 1,
      ]);
    }
  });

  test("is looked at every ten minutes while it drifts, and ordered for no more", () => {
    const { domain, at } = looking(liveDomain(), firstBad() + 2 * HOUR_MS, sight);
    expect(nextLookAt(domain)).toBe(at + 10 * MINUTE_MS);
    const due = { ...domain, certificate: { ...expectCertificate(domain), renewAt: at } };
    const tasks = ["order", "check"];
    expect(tasks).not.toContain(nextTask(due, at)?.kind);
    expect(destinationUntil(domain)).toBe(0);
  });

  function firstBad(): number {
    return nextLookAt({ ...liveDomain(), look: { at: gone } }) ?? 0;
  }

  for (const [stage, days] of [
    ["suspected", 0.04],
    ["drifting", 1],
    ["moved", 8],
    ["moved", 29],
  ] as const) {
    test(`is live again at the next good look after ${days} days, ${stage}`, () => {
      const back = firstBad() + days * DAY_MS;
      const before = looking(liveDomain(), back, sight);
      expect(driftStage(before.domain) ?? "suspected").toBe(stage);
      const { domain, news } = lookAt(before.domain, nextLookAt(before.domain) ?? 0, here);
      expect(statusOf(domain, before.at)).toBe("live");
      expect(domain.drift).toBeUndefined();
      expect(news.map(({ kind }) => kind)).toEqual(stage === "suspected" ? [] : ["returned"]);
      expect(destinationUntil(domain)).toBeGreaterThan(0);
    });

    test(`is live again when its owner verifies it after ${days} days, ${stage}`, () => {
      const before = looking(liveDomain(), firstBad() + days * DAY_MS, sight);
      const passed = {
        kind: "checked",
        state: "verified",
        codes: [],
        leadsHere: true,
        name: "free",
      } as const;
      const { domain, news } = applyOutcome(before.domain, passed, before.at + MINUTE_MS);
      expect(statusOf(domain, before.at)).toBe("live");
      expect(news.map(({ kind }) => kind)).toEqual(stage === "suspected" ? [] : ["returned"]);
    });
  }

  test("can be added again for thirty days, with the same target and without a certificate", () => {
    const { domain, at } = looking(liveDomain(), START + 60 * DAY_MS, sight);
    const { name, targetLabel } = domain;
    const again = restored(domain, freshDomain(name, at + DAY_MS), at + DAY_MS);
    expect(again.targetLabel).toBe(targetLabel);
    expect([again.certificate, again.removal, again.heldSince]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(nextTask(domain, at)).toEqual({ kind: "forget", at: at + 30 * DAY_MS });
  });

  test("never moves while servers do not answer, and what was seen before counts on", () => {
    const silent = looking(liveDomain(), START + 60 * DAY_MS, (at) =>
      at < gone ? here : { seen: "unseen" },
    );
    expect(silent.domain.drift).toBeUndefined();
    expect(statusOf(silent.domain, silent.at)).toBe("live");
    // An hour of silence in each day.
    const { news, at } = looking(liveDomain(), START + 60 * DAY_MS, (now) =>
      now >= gone && now % DAY_MS < HOUR_MS ? { seen: "unseen" } : sight(now),
    );
    expect(news.at(-1)).toBe("released released");
    expect(at - gone).toBeGreaterThan(30 * DAY_MS);
  });

  test("neither moves nor is released while the time is in doubt", () => {
    const { domain, news } = looking(liveDomain(), START + 89 * DAY_MS, (at) => ({
      ...sight(at),
      mayLeave: false,
    }));
    expect(news).toEqual(["drifting cname_mismatch"]);
    expect(domain.removal).toBeUndefined();
  });

  for (const days of [40, 400, -40]) {
    test(`comes no closer to its release by a clock that is wrong by ${days} days`, () => {
      const { domain, at } = looking(liveDomain(), firstBad() + DAY_MS, sight);
      // A clock that is set back has every domain reviewed first.
      const reviewed = clockCorrected(domain, at + days * DAY_MS, true);
      const wrong = lookAt(reviewed, at + days * DAY_MS, away).domain;
      expect(wrong.removal).toBeUndefined();
      expect(driftStage(wrong)).toBe("drifting");
      expect((wrong.drift?.seenMs ?? 0) - (domain.drift?.seenMs ?? 0)).toBeLessThanOrEqual(HOUR_MS);
      // So does the next start, when the clock is right again.
      const corrected = clockCorrected(wrong, at + 10 * MINUTE_MS, true);
      const next = nextLookAt(corrected) ?? 0;
      expect(next).toBeLessThanOrEqual(at + 20 * MINUTE_MS + HOUR_MS);
      expect(statusOf(lookAt(corrected, next, here).domain, next)).toBe("live");
    });
  }

  test("whose row a process of the version before wrote after a passed check does not drift", () => {
    const { domain, at } = looking(liveDomain(), firstBad() + DAY_MS, sight);
    const dns = { state: "verified", codes: [], checkedAt: at + 1, passedAt: at + 1 } as const;
    const written: Domain = { ...domain, dns };
    expect(statusOf(written, at + 1)).toBe("live");
    expect(destinationUntil(written)).toBeGreaterThan(0);
    expect(nextLookAt(written)).toBeGreaterThan(at + 10 * MINUTE_MS);
    expect(lookAt(written, at + DAY_MS, away).domain.drift?.looks).toBe(1);
  });
});

describe("when it is us", () => {
  test("more than a tenth of the looks, and at least five, are needed", () => {
    const turned = (looks: number, bad: number) => driftStandsStill({ looks, bad, lasting: 0 });
    expect(turned(4, 4)).toBe(false);
    expect(turned(20, 5)).toBe(true);
    expect(turned(50, 5)).toBe(false);
    expect(turned(50, 6)).toBe(true);
    expect(turned(4_166, 416)).toBe(false);
    expect(turned(4_166, 417)).toBe(true);
  });

  test("names that have been bad for a week count only if they are most of all", () => {
    // Five of forty moved a while ago; that holds up none of those that move now.
    expect(driftStandsStill({ looks: 40, bad: 5, lasting: 5 })).toBe(false);
    expect(driftStandsStill({ looks: 40, bad: 9, lasting: 5 })).toBe(false);
    expect(driftStandsStill({ looks: 40, bad: 10, lasting: 5 })).toBe(true);
    expect(driftStandsStill({ looks: 40, bad: 20, lasting: 20 })).toBe(false);
    // Wrong records of our targets, however long.
    expect(driftStandsStill({ looks: 40, bad: 21, lasting: 21 })).toBe(true);
    expect(driftStandsStill({ looks: 4, bad: 4, lasting: 4 })).toBe(false);
  });

  test("nothing moves on, and the time does not count afterwards", () => {
    const fixed = START + 50 * DAY_MS;
    const { domain, news } = looking(liveDomain(), fixed, (at) => ({
      seen: at < START + 10 * DAY_MS ? "here" : "away",
      doubted: true,
    }));
    expect(news).toEqual([]);
    expect(statusOf(domain, fixed)).toBe("live");
    expect(domain.drift?.seenMs).toBe(0);
    // It is looked at once a day, as before.
    const due = nextLookAt(domain) ?? 0;
    expect(due - (domain.drift?.lookedAt ?? 0)).toBeGreaterThan(23 * HOUR_MS);
    const after = lookAt(domain, due, away).domain;
    expect([after.drift?.looks, after.drift?.seenMs, after.drift?.stage]).toEqual([
      1,
      0,
      undefined,
    ]);
  });

  test("a name that drifts already stays where it is", () => {
    const drifting = looking(liveDomain(), START + 2 * DAY_MS, () => away);
    expect(driftStage(drifting.domain)).toBe("drifting");
    const { domain, news } = looking(drifting.domain, START + 40 * DAY_MS, () => ({
      seen: "away",
      doubted: true,
    }));
    expect(news).toEqual([]);
    expect(domain.drift?.seenMs).toBe(drifting.domain.drift?.seenMs ?? 0);
  });

  test("a bad name counts at its first bad look, a moved one not at all", () => {
    const good = looking(liveDomain(), START + 2 * DAY_MS, () => here).domain;
    expect(countedLook(good)).toEqual({ at: good.look?.at ?? 0, bad: false });
    const drifting = looking(liveDomain(), START + 3 * DAY_MS, () => away).domain;
    expect(countedLook(drifting)).toEqual({ at: drifting.drift?.since ?? 0, bad: true });
    const moved = looking(liveDomain(), START + 12 * DAY_MS, () => away).domain;
    expect(driftStage(moved)).toBe("moved");
    expect(countedLook(moved)).toBeNull();
    expect(countedLook({ ...good, removal: { at: START, reason: "removed" } })).toBeNull();
  });
});

function expectCertificate({ certificate }: Domain): NonNullable<Domain["certificate"]> {
  if (certificate === undefined) throw new Error("no certificate");
  return certificate;
}
