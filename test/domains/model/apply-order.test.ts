import { describe, expect, test } from "bun:test";

import type { AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import { type FailureClass, pausesAuthority } from "../../../domains/model/backoff.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { applyOutcome, type Outcome } from "../../../domains/model/apply-outcome.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

const CA = { authority: "https://ca.test/directory", digest: "one" };
const OTHER = { authority: "https://other.test/directory", digest: "one" };

function failing(
  failure: FailureClass,
  more: Partial<Extract<Outcome, { readonly kind: "order_failed" }>> = {},
): Outcome {
  return { kind: "order_failed", failure, issuer: CA, code: "ca_x", message: "no", ...more };
}

const after = (domain: Domain, now: number, ...outcomes: readonly Outcome[]): Domain =>
  outcomes.reduce((to, outcome) => applyOutcome(to, outcome, now).domain, domain);

const minutes = (domain: Domain): number => (domain.issuance.notBefore - START) / MINUTE_MS;

const fresh: Domain = { ...someDomain(1), heldSince: START };

const certified = (leftMs: number): Domain => ({
  ...fresh,
  certificate: {
    id: "crt_1",
    authority: CA.authority,
    notBefore: START - 90 * DAY_MS + leftMs,
    notAfter: START + leftMs,
    renewAt: START,
    activeSince: START - 60 * DAY_MS,
  },
});

describe("the wait after a failure", () => {
  test("grows only with failures of the same class at the same CA", () => {
    const thrice = after(fresh, START, failing("outage"), failing("outage"), failing("outage"));
    expect(minutes(thrice)).toBe(5);
    expect(minutes(after(thrice, START, failing("restart")))).toBe(1);
    expect(minutes(after(thrice, START, failing("outage", { issuer: OTHER })))).toBe(1);
    expect(minutes(after(thrice, START, failing("restart"), failing("outage")))).toBe(10);
  });

  test("is zero the first time that the CA has lost our account", () => {
    const once = after(fresh, START, failing("account"));
    expect(minutes(once)).toBe(0);
    expect(minutes(after(once, START, failing("account")))).toBe(1);
  });

  test("is at most a day, and at most an eighth of the certificate's remaining life", () => {
    for (const failure of ["outage", "rate_limited", "refused", "operator", "unusable"] as const) {
      const refused = failing(failure, { until: START + 33 * HOUR_MS });
      const waits = (left: number) => minutes(after(certified(left), START, refused));
      expect([failure, waits(20 * HOUR_MS)]).toEqual([failure, 150]);
      expect([failure, waits(80 * DAY_MS)]).toEqual([failure, 24 * 60]);
      expect([failure, waits(10 * MINUTE_MS)]).toEqual([failure, 1.25]);
      expect([failure, waits(5 * MINUTE_MS)]).toEqual([failure, 1]);
      expect([failure, waits(-HOUR_MS)]).toEqual([failure, 60]);
      expect([failure, minutes(after(fresh, START, refused))]).toEqual([failure, 24 * 60]);
    }
  });

  test("that an earlier version stored is shortened when the program starts", () => {
    const { issuance, ...rest } = certified(40 * DAY_MS);
    const stored = { ...rest, issuance: { ...issuance, notBefore: START + 30 * DAY_MS } };
    const review: Outcome = { kind: "reviewed", issuer: CA, timeKnown: true };
    expect(minutes(after(stored, START, review))).toBe(24 * 60);
  });
});

describe("when the program starts", () => {
  const review = (issuer: typeof CA): Outcome => ({ kind: "reviewed", issuer, timeKnown: true });
  const refused = after(fresh, START, failing("operator"));

  test("waits for the operator end if the CA options have changed", () => {
    expect(minutes(refused)).toBe(24 * 60);
    expect(after(refused, START, review(CA))).toBe(refused);
    const repaired = after(refused, START, review({ ...CA, digest: "two" }));
    expect(minutes(repaired)).toBe(0);
    expect(repaired.issuance.failure).toBeUndefined();
  });

  test("other waits stay", () => {
    for (const failure of ["outage", "refused", "validation", "rate_limited"] as const) {
      const waiting = after(fresh, START, failing(failure));
      expect(after(waiting, START, review({ ...CA, digest: "two" }))).toBe(waiting);
    }
  });

  test("all waits caused by another CA end", () => {
    const until = START + 7 * DAY_MS;
    const waiting = after(fresh, START, failing("validation"), failing("rate_limited", { until }));
    const { issuance } = after(waiting, START, review(OTHER));
    expect(issuance).toMatchObject({ failures: 0, failedAt: [], notBefore: START });
  });

  test("waits for the operator from older versions end", () => {
    const old = after(fresh, START, {
      kind: "order_failed",
      failure: "refused",
      code: "ca_external_account_required",
      message: "no",
    });
    expect(minutes(after(old, START, review(CA)))).toBe(0);
  });
});

describe("a certificate of our own CA dated by a clock that was ahead", () => {
  const own = { authority: "internal", digest: "" };
  const dated = (authority: string, notBefore: number): Domain => {
    const { certificate, ...domain } = certified(30 * DAY_MS);
    if (certificate === undefined) throw new Error("no certificate");
    return { ...domain, certificate: { ...certificate, authority, notBefore } };
  };
  const review: Outcome = { kind: "reviewed", issuer: own, timeKnown: true };

  test("is replaced once after the clock is corrected", () => {
    const replaced = after(dated("internal", START + DAY_MS), START, review);
    expect(replaced.certificate?.replace).toEqual({ at: START, reason: "clock" });
    expect(after(replaced, START + HOUR_MS, review)).toBe(replaced);
  });

  test("is kept if it is valid or from another CA", () => {
    for (const domain of [dated("internal", START), dated(CA.authority, START + DAY_MS)]) {
      expect(after(domain, START, review)).toBe(domain);
    }
  });
});

describe("a requested renewal", () => {
  const replace: Outcome = { kind: "replace", reason: "asked" };

  test("starts at once, whatever failed before", () => {
    for (const failure of ["outage", "refused", "operator", "restart", "unusable"] as const) {
      const until = failure === "outage" ? { until: START + DAY_MS } : {};
      const waiting = after(certified(20 * DAY_MS), START, failing(failure, until));
      expect([failure, minutes(after(waiting, START, replace))]).toEqual([failure, 0]);
    }
  });

  test("waits for a rate limit only if nobody asked, and for the hour of failed validations", () => {
    const limited = failing("rate_limited", { until: START + 7 * HOUR_MS });
    const revoked: Outcome = { kind: "replace", reason: "revoked" };
    const long = certified(20 * DAY_MS);
    expect(minutes(after(long, START, limited, revoked))).toBe(7 * 60);
    expect(minutes(after(long, START, limited, replace))).toBe(0);
    const failed = Array.from({ length: 4 }, () => failing("validation"));
    expect(minutes(after(long, START, ...failed, replace))).toBe(60);
  });
});

describe("a rate limit applies to all names", () => {
  const limit = (message: string, more: Partial<AuthorityProblem> = {}): AuthorityProblem => ({
    code: "rate_limited",
    message,
    names: [],
    ...more,
  });
  test.each([
    ["too many new orders (300) from this account in the last 3h0m0s", true],
    ["too many new registrations (10) from this IP address in the last 3h0m0s", true],
    ["", true],
    ['too many certificates (50) already issued for "shelter.org" in the last 168h0m0s', false],
    ["too many certificates (5) already issued for this exact set of identifiers", false],
    ['too many failed authorizations (5) for "pets.shelter.org" in the last 1h0m0s', false],
    ["slow down for pets.shelter.org", false],
  ])("%p: %p", (message, all) => {
    expect(pausesAuthority(limit(message), "pets.shelter.org")).toBe(all);
  });

  test("only if it is a rate limit and does not mention the name", () => {
    expect(pausesAuthority(limit("no", { code: "unavailable" }), "a.org")).toBe(false);
    const names = [{ name: "a.org", code: "rate_limited", message: "" }] as const;
    expect(pausesAuthority(limit("no", { names }), "a.org")).toBe(false);
  });
});
