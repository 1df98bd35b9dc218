import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { domainWords as german } from "../../../dashboard/app/words/de/domain-words.ts";
import { domainWords as english } from "../../../dashboard/app/words/en/domain-words.ts";
import { showLanguage } from "../../../dashboard/app/words/format.ts";
import { applyOutcome, type Outcome } from "../../../domains/model/apply-outcome.ts";
import { GRACE_MS, type Domain, type Gates } from "../../../domains/model/domain.ts";
import { viewOf } from "../../../domains/view/domain.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import { headlineFor, wordsFor } from "../../../domains/view/texts.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { toWire } from "../../../lib/base/wire.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { begun, issued, passes } from "../../helpers/domains/outcomes.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

// Every gate, with and without a certificate, live and not live, read by an owner and by an operator, in both languages.

const NAME = "pets.shelter.org";
const damaged: Outcome = { kind: "unservable", certificateId: "crt_1", message: "It is cut off." };
const stages: Readonly<Record<string, readonly Outcome[]>> = {
  "never verified": [],
  "verified, without a certificate": [passes],
  "with a certificate, not live": [passes, begun, issued],
  "live with a certificate": [passes, begun, issued, { kind: "probed", answered: true }],
};
type Seen = Pick<Gates, "plan" | "deploy" | "project" | "suspended" | "deletedAt">;
const open: Seen = { plan: true, deploy: true, project: true };

function outcome(seen: Seen): Outcome {
  return { kind: "gates", ...seen };
}

interface Gate {
  readonly outcome: Outcome;
  readonly code: string;
  /** How long after the change it is seen. */
  readonly afterMs?: number;
  /** What only an operator, and only an owner, is told to do, in English. */
  readonly does: readonly [operator: RegExp, owner: RegExp];
}

const gates: Readonly<Record<string, Gate>> = {
  suspended: {
    outcome: outcome({ ...open, plan: false, suspended: true }),
    code: "account_suspended",
    does: [/resume the account/i, /Ask the operator/],
  },
  "suspended and downgraded, after the grace period": {
    outcome: outcome({ ...open, plan: false, suspended: true }),
    code: "account_suspended",
    afterMs: GRACE_MS,
    does: [/resume the account/i, /Ask the operator/],
  },
  "suspended and deleted": {
    outcome: outcome({
      project: true,
      plan: false,
      suspended: true,
      deploy: false,
      deletedAt: START,
    }),
    code: "account_suspended",
    does: [/resume the account/i, /Ask the operator/],
  },
  deleted: {
    outcome: outcome({ ...open, deploy: false, deletedAt: START }),
    code: "project_deleted",
    does: [/can be restored/, /can be restored/],
  },
  downgraded: {
    outcome: outcome({ ...open, plan: false }),
    code: "plan_required",
    does: [/change its plan/, /Upgrade the account/],
  },
  "downgraded, after the grace period": {
    outcome: outcome({ ...open, plan: false }),
    code: "plan_required",
    afterMs: GRACE_MS,
    does: [/change its plan/, /Upgrade the account/],
  },
  undeployed: {
    outcome: outcome({ ...open, deploy: false }),
    code: "deploy_required",
    does: [/Publish/, /Publish/],
  },
};

function seen(outcomes: readonly Outcome[], readBy: "owner" | "operator", afterMs = 0): DomainView {
  const added = someDomain(1, { name: NAME, unicode: NAME });
  const domain = outcomes.reduce<Domain>(
    (one, step) => applyOutcome(one, step, START).domain,
    added,
  );
  const view = viewOf({
    domain,
    project: "cats-site",
    report: undefined,
    timeline: [],
    attached: [domain],
    suffixes: publicSuffixes,
    cnameTarget: "cname.petstore.example",
    now: START + afterMs,
    readBy,
  });
  return JSON.parse(JSON.stringify(toWire(view))) as DomainView;
}

const FORBIDDEN = /\bis live\b|ist online|Nothing to do|Nichts zu tun|undefined|NaN/i;

for (const [gate, { outcome: closed, code, afterMs, does }] of Object.entries(gates)) {
  describe(`a domain whose project is ${gate}`, () => {
    for (const [stage, outcomes] of Object.entries(stages)) {
      test.each(["owner", "operator"] as const)(`${stage}, read by the %s`, (readBy) => {
        const view = seen([...outcomes, closed], readBy, afterMs);
        expect(view.status).toBe("attention");
        const [first] = view.dns.findings;
        expect(first?.code).toBe(code);
        if (code !== "plan_required") {
          const others = view.dns.findings.map((one) => one.code);
          expect(others).not.toContain("plan_required");
        }
        if (code === "project_deleted") {
          expect(JSON.stringify(view)).not.toMatch(/not been published|Publish/);
        }
        const said = `${view.headline} ${view.nextAction}`;
        expect(said).not.toMatch(FORBIDDEN);
        const [operator, owner] = does;
        expect(said).toMatch(readBy === "operator" ? operator : owner);
        if (owner.source !== operator.source) {
          expect(said).not.toMatch(readBy === "operator" ? owner : operator);
        }
      });
    }
  });
}

describe("in the dashboard", () => {
  beforeEach(() => showLanguage("de"));
  afterEach(() => showLanguage("en"));

  test.each(Object.entries(gates))("%s is said in both languages, in clicks", (_, gate) => {
    for (const outcomes of Object.values(stages)) {
      for (const readBy of ["owner", "operator"] as const) {
        const view = seen([...outcomes, gate.outcome], readBy, gate.afterMs);
        const said = [german, english].map((words) => {
          const named = view.dns.findings.find(({ code }) => code === view.headlineData["finding"]);
          const texts = named === undefined ? undefined : wordsFor(words.findings, named);
          const shown = headlineFor(words.headlines, view, texts ?? { observed: "", fix: "" });
          return `${shown.headline} ${shown.nextAction}`;
        });
        for (const text of said) {
          expect(text).not.toMatch(FORBIDDEN);
          expect(text).not.toMatch(/petstore (?:accounts|projects|domains|deploy|certs)/);
        }
        expect(said[0]).not.toBe(said[1]);
      }
    }
  });
});

test("a certificate that cannot be presented has its own finding, whatever the owner may have", () => {
  for (const outcomes of [
    stages["live with a certificate"] ?? [],
    stages["with a certificate, not live"] ?? [],
  ]) {
    const view = seen([...outcomes, damaged], "owner");
    expect(view.status).toBe("attention");
    expect(view.dns.findings[0]?.code).toBe("not_servable");
  }
});

test("a domain of a project that was deleted permanently says so, and is removed", () => {
  const outcomes = [
    ...(stages["live with a certificate"] ?? []),
    outcome({ ...open, project: false }),
  ];
  const view = seen(outcomes, "owner", HOUR_MS);
  expect([view.status, view.dns.findings[0]?.code]).toEqual(["removed", "project_deleted"]);
});

test("a domain is live again once its gate is open", () => {
  for (const { outcome: closed } of Object.values(gates)) {
    const view = seen(
      [...(stages["live with a certificate"] ?? []), closed, outcome(open)],
      "owner",
    );
    expect([view.status, view.dns.findings]).toEqual(["live", []]);
  }
});

test("an overdue or expired certificate is never live, and always has something to do", () => {
  const refused: Outcome = {
    kind: "order_failed",
    failure: "rate_limited",
    code: "ca_rate_limited",
    message: "Too many orders.",
    until: START + 100 * DAY_MS,
  };
  for (const outcomes of [[], [refused]]) {
    for (const [days, code] of [
      [67.5, "certificate_ending"],
      [75, "certificate_ending"],
      [82.5, "certificate_ending"],
      [90, "certificate_ended"],
      [400, "certificate_ended"],
    ] as const) {
      for (const readBy of ["owner", "operator"] as const) {
        const steps = [...(stages["live with a certificate"] ?? []), ...outcomes];
        const view = seen(steps, readBy, days * DAY_MS);
        expect([view.status, view.headlineCode]).toEqual(["attention", code]);
        expect(view.dns.findings.map((one) => one.code)).toContain("overdue");
        expect(view.nextAction).not.toBeNull();
        expect(JSON.stringify(view)).not.toMatch(FORBIDDEN);
        for (const words of [german, english]) {
          const texts = headlineFor(words.headlines, view, { observed: "", fix: "" });
          expect(`${texts.headline} ${texts.nextAction}`).not.toMatch(FORBIDDEN);
        }
      }
    }
  }
});
