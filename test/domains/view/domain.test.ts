import { describe, expect, test } from "bun:test";

import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { GRACE_MS, type Domain } from "../../../domains/model/domain.ts";
import { applyOutcome, type Outcome } from "../../../domains/model/apply-outcome.ts";
import { connectionProblem, type AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import { failureBy } from "../../../domains/model/order-failure.ts";
import { headlineWords } from "../../../domains/model/headlines.ts";
import { headlineFor } from "../../../domains/view/texts.ts";
import { viewOf, type Shown } from "../../../domains/view/domain.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import { toWire } from "../../../lib/base/wire.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { begun, issued, passes } from "../../helpers/domains/outcomes.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

const live: readonly Outcome[] = [passes, begun, issued, { kind: "probed", answered: true }];

function after(...outcomes: readonly Outcome[]): Domain {
  const added = someDomain(1, { name: "pets.shelter.org", unicode: "pets.shelter.org" });
  return outcomes.reduce((domain, outcome) => applyOutcome(domain, outcome, START).domain, added);
}

function shown(domain: Domain, more: Partial<Shown> = {}): DomainView {
  const view = viewOf({
    domain,
    project: "cats-site",
    report: { apex: false, findings: [], records: [] },
    timeline: [],
    attached: [domain],
    suffixes: publicSuffixes,
    cnameTarget: "cname.petstore.example",
    now: START,
    readBy: "owner",
    ...more,
  });
  // Every text can be recreated from its code and data.
  const { headline, nextAction, dns } = view;
  const found = dns.findings.find(({ code }) => code === view.headlineData["finding"]);
  const sent: DomainView = JSON.parse(JSON.stringify(toWire({ ...view, headline: "" })));
  expect(headlineFor(headlineWords, sent, found ?? { observed: "", fix: "" })).toEqual({
    headline,
    nextAction,
  });
  return view;
}

function failed(code: AuthorityProblem["code"], more: Partial<AuthorityProblem> = {}): Outcome {
  return failureBy({ code, message: "The CA's own words.", names: [], ...more });
}

function blockedBy(code: string): Partial<Shown> {
  const texts = { observed: `saw ${code}`, expected: "another", fix: `mend ${code}` };
  const finding = { code, severity: "blocking", ...texts, server: null, data: {} } as const;
  return { report: { apex: false, findings: [finding], records: [] } };
}

describe("the headline of a domain", () => {
  test("is the given English text if the code is unknown", () => {
    const own = { headline: "It sings.", nextAction: null };
    const view = { ...shown(after()), ...own, headlineCode: "sings" };
    expect(headlineFor(headlineWords, view, { observed: "", fix: "" })).toEqual(own);
  });

  test("just added says what to do first", () => {
    const { headline, nextAction } = shown(after());
    expect(headline).toBe("The DNS of pets.shelter.org is being checked.");
    expect(nextAction).toContain("Enter the records below");
  });

  test("without its record is the finding and its fix", () => {
    const blocked = after({ ...passes, state: "blocked", codes: ["no_record"] });
    const view = shown(blocked, blockedBy("no_record"));
    expect([view.headline, view.nextAction]).toEqual(["saw no_record", "mend no_record"]);
  });

  test("with cached old answers says when they expire", () => {
    const eta = START + 61 * MINUTE_MS;
    const { headline, nextAction } = shown(after({ ...passes, state: "propagating", eta }));
    expect(headline).toContain(new Date(eta).toISOString().slice(11, 16));
    expect(nextAction).toBeNull();
  });

  test("with missing answers does not blame its records", () => {
    const { headline, nextAction } = shown(after({ ...passes, state: "unknown" }));
    expect([headline.includes("could not be queried"), nextAction]).toEqual([true, null]);
  });

  test("that is live is its address, and the redirect's target", () => {
    expect(shown(after(...live)).headline).toBe("https://pets.shelter.org is live.");
    const role = { kind: "redirect", to: "shelter.org", status: 308 } as const;
    const target = { ...after(...live), name: "shelter.org" };
    const redirect = shown({ ...after(...live), role }, { attached: [target] });
    expect(redirect.headline).toBe(
      "https://pets.shelter.org is live and redirects to shelter.org.",
    );
  });

  test("with a broken record says that it is still served", () => {
    const drifting = after(...live, { ...passes, state: "blocked", codes: ["conflicting_a"] });
    const { status, headline, nextAction } = shown(drifting, blockedBy("conflicting_a"));
    expect([status, nextAction]).toEqual(["attention", "mend conflicting_a"]);
    expect(headline).toContain("is still served");
    expect(headline).toContain("saw conflicting_a");
  });

  describe("that leads elsewhere", () => {
    const record = {
      purpose: "routing",
      required: true,
      type: "CNAME",
      typeText: "CNAME",
      name: "pets",
      fqdn: "pets.shelter.org",
      value: "x",
      ttl: 3_600,
      state: "found",
      found: [],
    } as const;
    const found: Partial<Shown> = { report: { apex: false, findings: [], records: [record] } };
    const at = (domain: Domain, now: number, outcome: Outcome): Domain =>
      applyOutcome(domain, outcome, now).domain;
    const looked = (seen: "here" | "away" | "unseen"): Outcome => ({
      kind: "looked",
      ...{ seen, doubted: false, mayLeave: true },
    });
    const drift = { since: START, lookedAt: START, looks: 3, seenMs: 2 * HOUR_MS };
    const blocked: Outcome = { ...passes, state: "blocked", codes: ["conflicting_a"] };

    test("was last seen to be right by a look or a check, and says when", () => {
      const domain = after(...live);
      const first = shown(domain, found);
      expect([first.dns.seenAt, first.records[0]?.checkedAt]).toEqual([START, START]);
      const good = at(domain, START + DAY_MS, looked("here"));
      const later = shown(good, { ...found, now: START + 2 * DAY_MS });
      expect([later.dns.seenAt, later.dns.checkedAt, later.records[0]?.checkedAt]).toEqual([
        START + DAY_MS,
        START,
        START + DAY_MS,
      ]);
      for (const seen of ["away", "unseen"] as const) {
        const bad = at(good, START + 2 * DAY_MS, looked(seen));
        const { dns, records, status } = shown(bad, found);
        expect([dns.seenAt, records[0]?.checkedAt, status]).toEqual([
          START + DAY_MS,
          START + DAY_MS,
          "live",
        ]);
      }
      expect(shown(after(), {}).records[0]?.checkedAt).toBeNull();
      expect(shown(after(), {}).dns.seenAt).toBeNull();
    });

    for (const kind of ["drifting", "moved"] as const) {
      test(`is ${kind}, with what was found, what to do, and the next look`, () => {
        const stage = { kind, at: START } as const;
        const domain: Domain = {
          ...at(after(...live), START, blocked),
          look: { at: START },
          drift: { ...drift, lookedAt: START + 1, stage },
        };
        const { status, dns, headline, nextAction, nextCheckAt } = shown(
          domain,
          blockedBy("conflicting_a"),
        );
        expect([status, dns.state]).toEqual(["attention", kind]);
        expect(headline).toContain("saw conflicting_a");
        expect(nextAction).toContain("mend conflicting_a");
        expect(nextCheckAt).toBe(START + 1 + 10 * MINUTE_MS);
        expect(nextAction?.includes("removed automatically on")).toBe(kind === "moved");
      });
    }

    test("is removed after thirty days, and says why", () => {
      const domain: Domain = {
        ...at(after(...live), START, blocked),
        drift: {
          ...drift,
          lookedAt: START + 1,
          seenMs: 30 * DAY_MS,
          stage: { kind: "moved", at: START },
        },
      };
      const released = at(domain, START + 2, looked("away"));
      const { status, headline, nextAction } = shown(released);
      expect(status).toBe("removed");
      expect(headline).toContain("pointed elsewhere for 30 days");
      expect(nextAction).toContain("add it again");
    });
  });

  test("refused by the CA has the CA's message and the next attempt", () => {
    const until = START + 3 * HOUR_MS;
    const limited = after(passes, begun, failed("rate_limited", { retryAt: until }));
    const { headline, nextAction, certificate, dns } = shown(limited);
    expect(headline).toContain("The CA's own words.");
    expect(nextAction).toContain(new Date(until).toISOString().slice(11, 16));
    // A check does not end this wait.
    expect(nextAction).not.toContain("Re-verify");
    const outage = after(passes, begun, failed("unavailable", { retryAt: until }));
    expect(shown(outage).nextAction).toContain("Re-verify");
    expect(certificate).toMatchObject({ state: "failed", nextAttemptAt: until, attempts: 1 });
    expect(dns.findings).toMatchObject([{ code: "ca_rate_limited", severity: "warning" }]);
  });

  test("that is claimed from another account says when it moves", () => {
    const claimed = after({ ...passes, name: "held" });
    const { headline, claimUntil, dns } = shown(claimed);
    expect(claimUntil).toBe(START + 72 * HOUR_MS);
    expect(headline).toContain("Another account holds pets.shelter.org");
    expect(dns.findings.map(({ code }) => code)).toEqual(["taken"]);
  });

  test("after the grace period says that it is not served and stays reserved", () => {
    const lapsed = after(...live, { kind: "gates", plan: false, deploy: true, project: true });
    const during = shown(lapsed, { now: START + GRACE_MS - 1 });
    expect(during.headline).toMatch(/pets\.shelter\.org is served until \d{4}-\d\d-\d\d /);
    expect([during.status, during.dns.findings.map(({ severity }) => severity)]).toEqual([
      "attention",
      ["warning"],
    ]);
    const over = shown(lapsed, { now: START + GRACE_MS });
    expect([over.status, over.headline]).toEqual([
      "attention",
      expect.stringContaining("stays reserved"),
    ]);
  });

  test("without a certificate after half an hour says so", () => {
    const waited = applyOutcome(after(passes), passes, START + 30 * MINUTE_MS).domain;
    const { status, headline, dns } = shown(waited, { now: START + 30 * MINUTE_MS });
    expect([status, headline]).toEqual([
      "attention",
      expect.stringContaining("has no certificate yet"),
    ]);
    expect(dns.findings.map(({ code }) => code)).toEqual(["stalled_30m"]);
  });

  test("without records for two days says that checks have stopped", () => {
    const blocked = after({ ...passes, state: "unknown" });
    const checkedAt = START + 48 * HOUR_MS;
    const paused = { ...blocked, dns: { ...blocked.dns, checkedAt } };
    const view = shown(paused, { now: checkedAt });
    expect([view.status, view.nextCheckAt]).toEqual(["attention", null]);
    expect(view.nextAction).toContain("choose Verify");
  });
});

describe("the next automatic DNS check", () => {
  test("comes twenty seconds after the last one for a waiting domain", () => {
    const blocked = after({ ...passes, state: "blocked", codes: ["no_record"] });
    expect(shown(blocked).nextCheckAt).toBe(START + 20 * SECOND_MS);
  });

  test("does not exist for a removed, disallowed or live domain", () => {
    const removed = after(passes, { kind: "removed", reason: "removed" });
    const barred = after({ kind: "gates", plan: false, deploy: true, project: true });
    for (const domain of [removed, barred, after(...live)]) {
      expect(shown(domain).nextCheckAt).toBeNull();
    }
  });
});

describe("the findings", () => {
  test("combine DNS findings with others, blocking first", () => {
    const role = { kind: "redirect", to: "shelter.org", status: 308 } as const;
    const gated = after({ kind: "gates", plan: false, deploy: false, project: true });
    const { dns } = shown(
      { ...gated, role, dns: { state: "blocked", codes: [], checkedAt: START } },
      {
        report: {
          apex: false,
          records: [],
          findings: [
            { ...blockedBy("no_record").report!.findings[0]! },
            { ...blockedBy("wildcard_match").report!.findings[0]!, severity: "warning" },
          ],
        },
      },
    );
    expect(dns.findings.map(({ code }) => code)).toEqual([
      "plan_required",
      "deploy_required",
      "no_record",
      "redirect_target_removed",
      "wildcard_match",
    ]);
  });

  test.each([
    ["caa", "caa_forbids"],
    ["paused", "ca_paused"],
    ["dns", "validation_failed"],
    ["connection", "validation_failed"],
    ["tls", "validation_failed"],
    ["wrong_answer", "validation_failed"],
    ["name_refused", "ca_rejected_name"],
    ["rate_limited", "ca_rate_limited"],
    ["unavailable", "ca_unavailable"],
    ["csr_refused", "ca_unavailable"],
    ["account_deactivated", "ca_account_deactivated"],
    ["account_refused", "ca_account_refused"],
    ["key_refused", "ca_account_refused"],
    ["external_account_required", "ca_account_refused"],
    ["contact_refused", "ca_account_refused"],
    ["terms_changed", "ca_terms_changed"],
  ] as const)("report a CA's refusal with %s as %s", (code, expected) => {
    const { dns } = shown(after(passes, begun, failed(code)));
    expect(dns.findings.map((one) => one.code)).toEqual([expected]);
  });
});

test.each(["paused", "terms_changed"] as const)(
  "never contain the operator's link after %s, nor how a connection failed",
  (code) => {
    const helpUrl = "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=abc";
    const message = `Your account is paused. Please visit: ${helpUrl}`;
    const view = shown(after(passes, begun, failed(code, { helpUrl, message })));
    expect(JSON.stringify(view)).not.toContain("letsencrypt.org/sfe");
    expect(view.certificate.reason).toBe(
      "Your account is paused. Please visit: (link for the operator of this service)",
    );
    const unreached = connectionProblem("connect ECONNREFUSED 10.1.2.3:14000 (ECONNREFUSED)");
    const down = shown(after(passes, begun, failed(unreached.code, unreached)));
    expect(JSON.stringify(down)).not.toContain("10.1.2.3");
    expect(down.certificate.reason).toBe("The certificate authority could not be reached.");
  },
);

describe("a problem for the operator", () => {
  test.each([
    ["account_deactivated", "petstore certs account replace"],
    ["account_refused", "petstore certs account show"],
    ["key_refused", "petstore certs account show"],
    ["external_account_required", "petstore certs account show"],
    ["contact_refused", "petstore certs account show"],
    ["terms_changed", "petstore certs account replace"],
  ] as const)("names the operator and the command to run after %s", (code, command) => {
    const { status, headline, nextAction, dns } = shown(after(passes, begun, failed(code)));
    const fix = dns.findings[0]?.fix ?? "";
    const severity = dns.findings[0]?.severity;
    expect([status, severity]).toEqual(["attention", "blocking"]);
    expect(fix).toContain("operator of this service");
    expect(fix).toContain(command);
    expect(fix).not.toContain("Nothing to do");
    expect(nextAction).toBe(fix);
    expect(headline).toContain("The certificate authority");
  });
});

test("with visible CAA records says what to enter, not the CA's message", () => {
  const { dns } = shown(after(passes, begun, failed("caa")), blockedBy("caa_forbids"));
  expect(dns.findings.map(({ code, fix }) => [code, fix])).toEqual([
    ["caa_forbids", "mend caa_forbids"],
  ]);
});

describe("the certificate", () => {
  test.each([
    ["none", after()],
    ["waiting", after(passes)],
    ["ordering", after(passes, begun)],
    ["failed", after(passes, begun, failed("caa"))],
    ["active", after(...live)],
    ["active", after(...live, begun)],
  ] as const)("is %s", (state, domain) => {
    expect(shown(domain).certificate.state).toBe(state);
  });

  test("has expired at its last instant", () => {
    const { certificate } = shown(after(...live), { now: START + 90 * DAY_MS });
    expect(certificate).toMatchObject({
      state: "expired",
      issuer: "https://ca.test/directory",
      notAfter: START + 90 * DAY_MS,
    });
  });
});

test("a domain that was added again is not shown with its former records", () => {
  const { records, apex } = shown(after(), {
    report: { apex: true, findings: [], records: [] },
  });
  expect([apex, records.map(({ purpose, state }) => [purpose, state])]).toEqual([
    false,
    [["routing", "unchecked"]],
  ]);
});

describe("the DNS provider", () => {
  test("has its name and its instructions", () => {
    const report = { apex: false, findings: [], records: [], provider: "cloudflare" } as const;
    expect(shown(after(passes), { report }).dns.provider).toEqual({
      id: "cloudflare",
      name: "Cloudflare",
      help: expect.stringContaining("https://developers.cloudflare.com/"),
    });
  });

  test("is absent until a check has found it", () => {
    expect(shown(after(passes)).dns.provider).toBeNull();
  });
});
