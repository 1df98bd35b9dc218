import { describe, expect, test } from "bun:test";

import {
  CLAIM_WAIT_MS,
  GRACE_MS,
  REMOVED_KEPT_MS,
  UNVERIFIED_KEPT_MS,
  type Domain,
} from "../../../domains/model/domain.ts";
import {
  newDomain,
  restored,
  applyOutcome,
  type Outcome,
} from "../../../domains/model/apply-outcome.ts";
import { needsCheck } from "../../../domains/model/drift.ts";
import { renewalAt } from "../../../domains/model/renewal.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { nextTask, PREFLIGHT_MS, STALLED_MS } from "../../../domains/model/schedule.ts";
import type { News } from "../../../domains/model/timeline.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { isServed } from "../../helpers/domains/rows.ts";

const START = 1_795_000_000_000;

function fresh(at = START): Domain {
  return newDomain(
    {
      id: "dom_000000000001",
      name: "pets.shelter.org",
      unicode: "pets.shelter.org",
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

const passes: Outcome = {
  kind: "checked",
  state: "verified",
  codes: [],
  leadsHere: true,
  name: "free",
};
const blocks: Outcome = {
  kind: "checked",
  state: "blocked",
  codes: ["no_record"],
  leadsHere: false,
  name: "free",
};
const unknown: Outcome = { ...blocks, state: "unknown", codes: [] };
const open: Outcome = { kind: "gates", plan: true, deploy: true, project: true };
const wrongAnswer: Outcome = {
  kind: "order_failed",
  failure: "validation",
  code: "validation_failed",
  message: "not us",
};

/** The outcome of each task. */
interface World {
  readonly check: (now: number) => Outcome;
  /** The end of an order, a second after its start. */
  readonly order: (now: number) => Outcome;
  readonly gates: (now: number) => Outcome;
}

interface Step {
  readonly at: number;
  readonly task: string;
  readonly domain: Domain;
  readonly news: readonly News[];
}

/** Simulates from `from` to `until` with the two functions only. */
function live(from: Domain, until: number, world: Partial<World> = {}): readonly Step[] {
  const { check = () => passes, order = (now) => issued(now, 90), gates = () => open } = world;
  const steps: Step[] = [];
  let domain = from;
  let now = from.addedAt;
  for (;;) {
    const task = nextTask(domain, now);
    if (task === undefined || Math.max(task.at, now) > until || task.kind === "forget")
      return steps;
    now = Math.max(task.at, now);
    const settled = applyOutcome(domain, outcomeOf(task.kind, domain, now), now);
    domain = settled.domain;
    steps.push({ at: now, task: task.kind, domain, news: settled.news });
    if (steps.length > 20_000) throw new Error(`no end of ${task.kind}`);
  }

  function outcomeOf(kind: string, of: Domain, at: number): Outcome {
    const { certificate, issuance } = of;
    switch (kind) {
      // Without renewal windows, the CA is checked daily.
      case "renewal_info":
        return {
          kind: "renewal_info",
          certificateId: certificate?.id ?? "",
          checkAt: at + DAY_MS,
          spread: 0,
        };
      case "check":
        return check(at);
      case "look":
        return lookedAt(check(at), of, at);
      case "gates":
        return gates(at);
      case "prove":
        return { kind: "probed", answered: true };
      case "warn":
        return { kind: "warned" };
      case "stop":
        return { kind: "stopped" };
      case "expire":
        return { kind: "removed", reason: "expired" };
      default:
        return issuance.order === undefined
          ? { kind: "order_begun", resumeAt: at + SECOND_MS }
          : order(at);
    }
  }
}

const SEEN = { verified: "here", propagating: "here", blocked: "away", unknown: "unseen" } as const;

/** A look that sees what a check would, followed by that check when the policy asks for one. */
function lookedAt(checked: Outcome, domain: Domain, at: number): Outcome {
  if (checked.kind !== "checked") throw new Error(checked.kind);
  const look = { seen: SEEN[checked.state], doubted: false, mayLeave: true, now: at };
  return needsCheck(domain, look) ? { ...checked, look } : { kind: "looked", ...look };
}

let certificates = 0;
function issued(now: number, days: number): Outcome {
  const lifetime = days * DAY_MS;
  return {
    kind: "issued",
    certificate: {
      id: `crt_${++certificates}`,
      authority: "test",
      notBefore: now - HOUR_MS,
      notAfter: now - HOUR_MS + lifetime,
      renewAt: renewalAt(
        {
          notBefore: now - HOUR_MS,
          notAfter: now - HOUR_MS + lifetime,
          arrivedAt: now,
          timeKnown: true,
        },
        0.5,
      ),
    },
    authorizationUrls: [],
  };
}

const at = (steps: readonly Step[], task: string): readonly number[] =>
  steps.filter((step) => step.task === task).map((step) => step.at - START);
const kindsOf = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ news }) => news.map(({ kind }) => kind));
const last = (steps: readonly Step[]): Domain => {
  const step = steps.at(-1);
  if (step === undefined) throw new Error("nothing happened");
  return step.domain;
};

describe("a year of a domain", () => {
  for (const [days, least, most] of [
    [90, 6, 7],
    [64, 8, 9],
    [45, 12, 13],
    [6, 115, 128],
  ] as const) {
    test(`with certificates of ${days} days has no gap, and ${least} to ${most} of them`, () => {
      const year = START + 365 * DAY_MS;
      const steps = live(fresh(), year, { order: (now) => issued(now, days) });
      const issues = steps.filter(({ news }) =>
        news.some(({ kind }) => kind === "issued" || kind === "renewed"),
      );
      expect(issues.length).toBeGreaterThanOrEqual(least);
      expect(issues.length).toBeLessThanOrEqual(most);
      for (const [index, { domain }] of issues.entries()) {
        const next = issues[index + 1]?.at ?? year;
        expect(domain.certificate?.notAfter ?? 0).toBeGreaterThan(next);
      }
      expect(kindsOf(steps)).not.toContain("expiring");
      expect(statusOf(last(steps), year)).toBe("live");
    });
  }

  test("is scheduled in whole milliseconds, as stored by databases", () => {
    const steps = live(fresh(), START + 365 * DAY_MS, {
      order: (now) => issued(now, 89.99999),
    });
    for (const { domain, at: when } of steps) {
      const task = nextTask(domain, when);
      expect(Number.isInteger(task?.at ?? 0)).toBe(true);
    }
  });

  test("costs a gate check, a renewal poll and a look a day, and three tasks per certificate", () => {
    const steps = live(fresh(), START + 365 * DAY_MS);
    const daily = ["gates", "renewal_info", "look"].map((task) => at(steps, task).length);
    // Each new certificate is polled once more.
    expect(Math.max(...daily)).toBeLessThanOrEqual(365 + 7);
    expect(steps.length - daily.reduce((sum, one) => sum + one, 0)).toBeLessThan(7 * 4);
  });

  test("with a CA outage of a week during renewal ends with a new certificate", () => {
    const down = [START + 60 * DAY_MS, START + 67 * DAY_MS] as const;
    const steps = live(fresh(), START + 75 * DAY_MS, {
      order: (now) =>
        now >= down[0] && now < down[1]
          ? { kind: "order_failed", failure: "outage", code: "ca_unavailable", message: "" }
          : issued(now, 90),
    });
    expect(kindsOf(steps).filter((kind) => kind === "renewed")).toHaveLength(1);
    // Hourly after the first few.
    expect(at(steps, "order").length).toBeLessThan(2 * (7 * 24 + 10));
    expect(statusOf(last(steps), START + 75 * DAY_MS)).toBe("live");
  });

  test("with failing renewals warns at every quarter of the rest and once more at the expiry, and continues serving", () => {
    let first = true;
    const steps = live(fresh(), START + 95 * DAY_MS, {
      order: (now) => {
        const outcome = first ? issued(now, 90) : wrongAnswer;
        first = false;
        return outcome;
      },
    });
    const warned = at(steps, "warn");
    const { renewAt = 0 } = last(steps).certificate ?? {};
    const left = START + 90 * DAY_MS - renewAt;
    expect(warned.map((ms) => Math.round((ms - (renewAt - START)) / (left / 4)))).toEqual([
      1, 2, 3, 4,
    ]);
    // The timeline and events have the three stages only.
    expect(kindsOf(steps).filter((kind) => kind === "expiring")).toHaveLength(3);
    for (const days of [89, 95]) {
      expect(isServed(last(steps), START + days * DAY_MS)).toBe(true);
      expect(statusOf(last(steps), START + days * DAY_MS)).toBe("attention");
    }
  });

  test("whose DNS moved away is not renewed, and released after thirty days", () => {
    const gone = START + 30 * DAY_MS;
    const steps = live(fresh(), START + 89 * DAY_MS, {
      check: (now) => (now < gone ? passes : blocks),
    });
    expect(at(steps, "order")).toHaveLength(2);
    expect(kindsOf(steps).slice(-3)).toEqual(["drifting", "moved", "released"]);
    const { removal, certificate } = last(steps);
    expect(removal?.reason).toBe("released");
    expect(certificate).toBeUndefined();
  });
});

describe("checks", () => {
  test("run every 20 s for ten minutes, then less often, and stop after 48 hours", () => {
    const steps = live(fresh(), START + 6 * DAY_MS, { check: () => blocks });
    const checks = at(steps, "check");
    expect(checks.filter((when) => when < 10 * MINUTE_MS)).toHaveLength(30);
    expect(checks).toContain(10 * MINUTE_MS);
    expect(checks).toContain(11 * MINUTE_MS);
    expect(checks).toContain(35 * MINUTE_MS);
    expect(checks.at(-1)).toBe(48 * HOUR_MS);
    expect(checks.length).toBeLessThan(140);
    expect(statusOf(last(steps), START + 6 * DAY_MS)).toBe("attention");
  });

  test("restart on request", () => {
    const paused = last(live(fresh(), START + 3 * DAY_MS, { check: () => blocks }));
    const { domain } = applyOutcome(paused, { kind: "check_requested" }, START + 3 * DAY_MS);
    expect(nextTask(domain, START + 3 * DAY_MS)).toEqual({
      kind: "check",
      at: START + 3 * DAY_MS,
    });
    expect(statusOf(domain, START + 3 * DAY_MS)).toBe("checking");
  });

  test("run a second after the last cached old answer expires, if that is earlier", () => {
    const { domain } = applyOutcome(
      { ...fresh(), watch: { since: START - 5 * HOUR_MS } },
      { ...blocks, kind: "checked", state: "propagating", codes: [], eta: START + 90_000 },
      START,
    );
    expect(nextTask(domain, START)).toEqual({ kind: "check", at: START + 91_000 });
  });

  test("end with the removal of an unverified name after seven days", () => {
    const steps = live(fresh(), START + 30 * DAY_MS, { check: () => blocks });
    expect(steps.at(-1)).toMatchObject({
      at: START + UNVERIFIED_KEPT_MS,
      domain: { removal: { reason: "expired" } },
    });
  });

  test("that fail do not affect a verified name", () => {
    const verified = last(live(fresh(), START + MINUTE_MS));
    const { domain, news } = applyOutcome(verified, unknown, START + MINUTE_MS);
    expect(news).toEqual([]);
    expect(statusOf(domain, START + MINUTE_MS)).toBe("live");
  });
});

describe("orders", () => {
  test("do not start while the DNS blocks, even on request", () => {
    let domain = fresh();
    for (let click = 0; click < 100; click++) {
      domain = applyOutcome(domain, { kind: "check_requested" }, START + click).domain;
      expect(nextTask(domain, START + click)?.kind).toBe("check");
      domain = applyOutcome(domain, blocks, START + click).domain;
      expect(nextTask(domain, START + click)?.kind).not.toBe("order");
    }
  });

  test("start at once after a passed check, but not after five minutes", () => {
    const { domain } = applyOutcome(fresh(), passes, START);
    expect(nextTask(domain, START)).toEqual({ kind: "order", at: START });
    expect(nextTask(domain, START + PREFLIGHT_MS)?.kind).toBe("check");
  });

  test("retry failed validations after 1, 10 and 100 minutes, then daily", () => {
    const steps = live(fresh(), START + 5 * DAY_MS, { order: () => wrongAnswer });
    const begun = steps
      .filter(({ task, domain }) => task === "order" && domain.issuance.order !== undefined)
      .map((step) => step.at);
    const waits = begun.slice(1).map((when, index) => when - (begun[index] ?? 0) - SECOND_MS);
    expect(waits.slice(0, 5)).toEqual([MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS, DAY_MS, DAY_MS]);
  });

  test("alternate between challenges after failed validations", () => {
    const { domain } = applyOutcome(fresh(), passes, START);
    const once = applyOutcome(domain, wrongAnswer, START).domain;
    const twice = applyOutcome(once, wrongAnswer, START).domain;
    expect([once, twice].map(({ issuance }) => issuance.challenge)).toEqual([
      "tls-alpn-01",
      "http-01",
    ]);
  });

  test("fail at most four times an hour, even on request", () => {
    let domain = applyOutcome(fresh(), passes, START).domain;
    let now = START;
    const failures: number[] = [];
    while (now < START + 6 * HOUR_MS) {
      domain = applyOutcome(domain, { kind: "check_requested" }, now).domain;
      domain = applyOutcome(domain, passes, now).domain;
      const task = nextTask(domain, now);
      if (task?.kind === "order" && task.at <= now) {
        domain = applyOutcome(domain, wrongAnswer, now).domain;
        failures.push(now);
      }
      now += 10 * SECOND_MS;
    }
    for (const failure of failures) {
      const within = failures.filter((other) => other >= failure && other < failure + HOUR_MS);
      expect(within.length).toBeLessThanOrEqual(4);
    }
    expect(failures.length).toBeGreaterThan(12);
  });

  test("wait exactly for a rate limit, even on request, but not for an outage", () => {
    const until = START + 14 * HOUR_MS;
    const verified = applyOutcome(fresh(), passes, START).domain;
    const notBefore = (failure: "rate_limited" | "outage", at: number) => {
      const failed = {
        kind: "order_failed",
        failure,
        code: "ca_said",
        message: "",
        until,
      } as const;
      const issuer = { authority: "https://ca.test", digest: "" };
      const waiting = applyOutcome(verified, { ...failed, issuer }, START).domain;
      expect(waiting.issuance.notBefore).toBe(until);
      const eager = applyOutcome(waiting, { kind: "check_requested" }, at).domain;
      return applyOutcome(eager, passes, at).domain.issuance.notBefore;
    };
    expect(notBefore("rate_limited", START + HOUR_MS)).toBe(until);
    expect(notBefore("outage", START + MINUTE_MS)).toBe(START + 5 * MINUTE_MS);
    expect(notBefore("outage", START + HOUR_MS)).toBe(START + HOUR_MS);
  });

  test("report half an hour without a certificate once", () => {
    const steps = live(fresh(), START + 2 * DAY_MS, {
      order: () => ({
        kind: "order_failed",
        failure: "outage",
        code: "ca_unavailable",
        message: "",
      }),
    });
    expect(kindsOf(steps).filter((kind) => kind === "stalled")).toHaveLength(1);
    const stalled = steps.find(({ news }) => news.some(({ kind }) => kind === "stalled"));
    expect(stalled?.at).toBeGreaterThanOrEqual(START + STALLED_MS);
    expect(stalled?.at).toBeLessThan(START + STALLED_MS + 10 * MINUTE_MS);
  });
});

describe("a lapsed plan", () => {
  const paidUntil =
    (until: number, again = Infinity) =>
    (now: number): Outcome => ({
      kind: "gates",
      plan: now < until || now >= again,
      deploy: true,
      project: true,
    });

  test("ends serving after seven days, and reserves the name", () => {
    const steps = live(fresh(), START + 40 * DAY_MS, { gates: paidUntil(START + 10 * DAY_MS) });
    const stop = steps.find(({ task }) => task === "stop");
    const { lapsedAt = 0 } = stop?.domain.gates ?? {};
    expect(stop?.at).toBe(lapsedAt + GRACE_MS);
    const before = steps.findLast(({ at: when }) => when < lapsedAt + GRACE_MS)?.domain;
    expect(before && isServed(before, lapsedAt + GRACE_MS - 1)).toBe(true);
    expect(before && isServed(before, lapsedAt + GRACE_MS)).toBe(false);
    expect(isServed(last(steps), lapsedAt + GRACE_MS)).toBe(false);
    expect(last(steps).heldSince).toBeDefined();
    expect(statusOf(last(steps), START + 40 * DAY_MS)).toBe("attention");
  });

  test("that returns restores serving at once, without an order", () => {
    const steps = live(fresh(), START + 40 * DAY_MS, {
      gates: paidUntil(START + 10 * DAY_MS, START + 30 * DAY_MS),
    });
    expect(isServed(last(steps), START + 40 * DAY_MS)).toBe(true);
    expect(at(steps, "order")).toHaveLength(2);
  });

  test("stops orders and renewals", () => {
    const steps = live(fresh(), START + 200 * DAY_MS, { gates: paidUntil(START + 10 * DAY_MS) });
    expect(at(steps, "order")).toHaveLength(2);
  });
});

describe("a name held by another account", () => {
  const held: Outcome = { ...passes, kind: "checked", state: "verified", codes: [], name: "held" };

  test("moves 72 hours after its holder was notified", () => {
    const claimed = applyOutcome(fresh(), held, START);
    expect(claimed.domain.heldSince).toBeUndefined();
    expect(claimed.news).toEqual([{ kind: "contested", code: "taken" }]);
    const early = applyOutcome(claimed.domain, held, START + CLAIM_WAIT_MS - 1).domain;
    expect(early.heldSince).toBeUndefined();
    expect(applyOutcome(early, held, START + CLAIM_WAIT_MS).domain.heldSince).toBeDefined();
  });

  test("is checked at the end of the wait, even if checks have paused", () => {
    const steps = live(fresh(), START + 4 * DAY_MS, { check: () => held });
    expect(at(steps, "check")).toContain(CLAIM_WAIT_MS);
    expect(last(steps).heldSince).toBe(START + CLAIM_WAIT_MS);
  });

  test("moves at once if the holder's records no longer verify", () => {
    const { domain } = applyOutcome(fresh(), { ...held, name: "given_up" }, START);
    expect(domain.heldSince).toBe(START);
  });

  test("is no longer claimed if the proof is removed", () => {
    const claimed = applyOutcome(fresh(), held, START).domain;
    expect(applyOutcome(claimed, blocks, START + HOUR_MS).domain.claim).toBeUndefined();
  });

  test("stays claimed without another notice if the proof cannot be queried", () => {
    const claimed = applyOutcome(fresh(), held, START).domain;
    const { domain, news } = applyOutcome(claimed, unknown, START + HOUR_MS);
    expect([domain.claim, news]).toEqual([claimed.claim, []]);
    const again = applyOutcome(domain, held, START + 2 * HOUR_MS);
    expect([again.domain.claim, again.news]).toEqual([claimed.claim, []]);
  });

  test("does not move while the proof cannot be queried, and soon afterwards", () => {
    const back = START + CLAIM_WAIT_MS + HOUR_MS;
    const check = (now: number): Outcome =>
      now > START + CLAIM_WAIT_MS - HOUR_MS && now < back ? unknown : held;
    const { heldSince = 0 } = last(live(fresh(), START + 5 * DAY_MS, { check }));
    expect(heldSince).toBeGreaterThanOrEqual(back);
    expect(heldSince).toBeLessThan(back + HOUR_MS);
  });

  test("is no longer served for its former holder", () => {
    const steps = live(fresh(), START + DAY_MS);
    const { domain, news } = applyOutcome(last(steps), { kind: "lost" }, START + DAY_MS);
    expect(isServed(domain, START + DAY_MS)).toBe(false);
    expect(statusOf(domain, START + DAY_MS)).toBe("attention");
    expect(news).toEqual([{ kind: "lost", code: "taken" }]);
  });
});

describe("removal", () => {
  const removed = (domain: Domain, now: number): Domain =>
    applyOutcome(domain, { kind: "removed", reason: "removed" }, now).domain;

  test("ends serving at once", () => {
    const domain = removed(last(live(fresh(), START + DAY_MS)), START + DAY_MS);
    expect(isServed(domain, START + DAY_MS)).toBe(false);
  });

  test("leaves only the deletion after 30 days", () => {
    const domain = removed(last(live(fresh(), START + DAY_MS)), START + DAY_MS);
    expect(nextTask(domain, START + DAY_MS)).toEqual({
      kind: "forget",
      at: START + DAY_MS + REMOVED_KEPT_MS,
    });
  });

  test("closes an open order at once", () => {
    const { domain } = applyOutcome(fresh(), passes, START);
    const ordering = applyOutcome(
      domain,
      { kind: "order_begun", resumeAt: START + HOUR_MS },
      START,
    ).domain;
    expect(nextTask(removed(ordering, START + 1), START + 1)).toEqual({
      kind: "abandon",
      at: START + 1,
    });
  });

  test("can be undone by the same project without a new order", () => {
    const before = removed(last(live(fresh(), START + DAY_MS)), START + DAY_MS);
    const after = restored(before, fresh(START + 2 * DAY_MS), START + 2 * DAY_MS);
    const steps = live(after, START + 3 * DAY_MS);
    expect(at(steps, "order")).toEqual([]);
    expect(statusOf(last(steps), START + 3 * DAY_MS)).toBe("live");
  });

  test("undone after the certificate expired leads to a new order", () => {
    const before = removed(last(live(fresh(), START + DAY_MS)), START + 59 * DAY_MS);
    const late = START + 91 * DAY_MS;
    expect(restored(before, fresh(late), late).certificate).toBeUndefined();
  });

  test("follows the deletion of the project", () => {
    const steps = live(fresh(), START + 3 * DAY_MS, {
      gates: () => ({ kind: "gates", plan: false, deploy: false, project: false }),
    });
    expect(last(steps).removal?.reason).toBe("project_gone");
  });
});

describe("authorizations", () => {
  test("are deactivated with the loss of the name, before the domain is deleted", () => {
    const { domain: verified } = applyOutcome(fresh(), passes, START);
    const outcome = issued(START, 90);
    if (outcome.kind !== "issued") throw new Error("unreachable");
    const urls = ["https://ca.test/1"];
    const { domain } = applyOutcome(verified, { ...outcome, authorizationUrls: urls }, START);
    expect(nextTask(domain, START)?.kind).toBe("prove");
    const gone = applyOutcome(domain, { kind: "removed", reason: "removed" }, START + 1).domain;
    expect(nextTask(gone, START + 1)).toEqual({ kind: "abandon", at: START + 1 });
    const dropped = applyOutcome(gone, { kind: "order_dropped" }, START + 2).domain;
    expect(nextTask(dropped, START + 2)?.kind).toBe("forget");
  });
});

describe("where the name pointed when it was added", () => {
  test("is determined by the first conclusive check", () => {
    const missed = applyOutcome(
      fresh(),
      { ...unknown, leadsHere: false },
      START + SECOND_MS,
    ).domain;
    expect(missed.ledHere).toBeUndefined();
    const looked = applyOutcome(missed, passes, START + MINUTE_MS).domain;
    expect(looked.ledHere).toBe(true);
  });

  test("does not change later", () => {
    const blocked = applyOutcome(fresh(), blocks, START + SECOND_MS).domain;
    expect(applyOutcome(blocked, passes, START + MINUTE_MS).domain.ledHere).toBe(false);
  });
});
