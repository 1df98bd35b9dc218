import { DAY_MS } from "../../lib/base/clock.ts";
import {
  ASKED_AGAIN_MS,
  budgetedAt,
  countFailure,
  nextOrderAt,
  type FailureClass,
} from "./backoff.ts";
import type { Domain, Issuance, IssuerOptions, ReplacementReason, Tally } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { waitsForOperator } from "./order-failure.ts";
import { emergencyAt } from "./renewal.ts";

/** An order was begun. */
export function begun(domain: Domain, resumeAt: number, now: number): Settled {
  const { attempts, ...issuance } = domain.issuance;
  const order = { openedAt: now, resumeAt };
  return {
    domain: { ...domain, issuance: { ...issuance, attempts: attempts + 1, order } },
    news: domain.certificate === undefined ? [{ kind: "issuing" }] : [],
  };
}

/** A validation failed and counts, and the order goes on in another way. */
export function unproven(
  domain: Domain,
  { failedBefore, fallback, message, resumeAt }: OutcomeOf<"unproven">,
  now: number,
): Settled {
  const { issuance, ...rest } = withOrder(domain, resumeAt);
  const failedAt = countFailure(issuance.failedAt, now);
  return {
    domain: { ...rest, issuance: { ...issuance, failedAt, challenge: fallback } },
    news: [
      {
        kind: "changed",
        code: "validation_failed",
        message: `Validation with ${failedBefore} failed; ${fallback} is tried next. The certificate authority said: ${message}`,
      },
    ],
  };
}

/** What is open, and what was granted, waits until `resumeAt`. */
export function withOrder(domain: Domain, resumeAt: number): Domain {
  const { order, granted } = domain.issuance;
  const issuance = {
    ...domain.issuance,
    ...(order === undefined ? {} : { order: { ...order, resumeAt } }),
    ...(granted === undefined ? {} : { granted: { ...granted, resumeAt } }),
  };
  return { ...domain, issuance };
}

/** Order and authorizations are gone. */
export function withoutOrders(domain: Domain): Domain {
  const { granted: _granted, ...issuance } = withoutOrder(domain.issuance);
  return { ...domain, issuance };
}

function withoutOrder({ order: _order, ...issuance }: Issuance): Issuance {
  return issuance;
}

/** Orders wait for all names alike: it is shown, and nothing is counted. */
export function held(
  domain: Domain,
  { issuer, until, message }: OutcomeOf<"order_held">,
  now: number,
): Domain {
  const { notBefore, ...issuance } = withoutOrder(domain.issuance);
  const by = { failure: "rate_limited", issuer } as const;
  return {
    ...domain,
    issuance: {
      ...issuance,
      failure: { code: "ca_rate_limited", message, at: now, until, by },
      notBefore: Math.max(notBefore, until),
    },
  };
}

/** An order came to nothing. */
export function failed(domain: Domain, outcome: OutcomeOf<"order_failed">, now: number): Settled {
  const { failure, issuer, code, message, helpUrl, granted } = outcome;
  const { authority = "" } = issuer ?? {};
  const { failures, failedAt, challenge, ...issuance } = withoutOrder(domain.issuance);
  const validation = failure === "validation";
  const counted = validation ? countFailure(failedAt, now) : failedAt;
  const tallies = tallied(issuance.tallies, authority, failure);
  const until = heededUntil(domain.certificate, outcome, now);
  const next = nextOrderAt({
    failure,
    failures: failuresOf(tallies, authority, failure),
    now,
    urgent: domain.certificate !== undefined && now >= emergencyAt(domain.certificate),
    ...(until === undefined ? {} : { until }),
  });
  const other = challenge === "http-01" ? "tls-alpn-01" : "http-01";
  return {
    domain: {
      ...domain,
      issuance: {
        ...issuance,
        failures: failures + 1,
        tallies,
        failedAt: counted,
        challenge: validation ? other : challenge,
        failure: {
          code,
          message,
          at: now,
          ...(issuer === undefined ? {} : { by: { failure, issuer } }),
          ...(until === undefined ? {} : { until }),
          ...(helpUrl === undefined ? {} : { helpUrl }),
        },
        notBefore: Math.max(next, budgetedAt(counted, now)),
        ...(granted === undefined ? {} : { granted: { ...granted, resumeAt: now } }),
      },
    },
    news: [{ kind: "failed", code, message }],
  };
}

function failuresOf(tallies: readonly Tally[], authority: string, failure: FailureClass): number {
  const isOne = (tally: Tally) => tally.authority === authority && tally.failure === failure;
  return tallies.find(isOne)?.failures ?? 0;
}

function tallied(
  tallies: readonly Tally[] = [],
  authority: string,
  failure: FailureClass,
): readonly Tally[] {
  const failures = failuresOf(tallies, authority, failure) + 1;
  // Of a CA that orders do not go to any more nothing is kept.
  const others = tallies.filter((one) => one.authority === authority && one.failure !== failure);
  return [...others, { authority, failure, failures }];
}

/** Returns a rate limit as it is; any other wait that a CA asks for ends when half of the remaining lifetime has passed. */
function heededUntil(
  certificate: Domain["certificate"],
  { failure, until }: Pick<OutcomeOf<"order_failed">, "failure" | "until">,
  now: number,
): number | undefined {
  if (until === undefined || failure === "rate_limited" || certificate === undefined) return until;
  const leftMs = Math.max(0, certificate.notAfter - now);
  return Math.min(until, now + Math.floor(leftMs / 2));
}

/** Replaces what our own CA dated by a clock that was ahead, and ends waits that have no reason any more. */
export function reviewed(domain: Domain, issuer: IssuerOptions, now: number): Domain {
  return withoutWaits(datedRight(domain, issuer, now), issuer, now);
}

/** A certificate of our own CA is dated by our clock: once that is set right, it may not be valid for days. */
function datedRight(domain: Domain, { authority }: IssuerOptions, now: number): Domain {
  const { certificate } = domain;
  if (authority !== OWN_CA || certificate?.authority !== OWN_CA) return domain;
  const early = certificate.notBefore > now && certificate.replace === undefined;
  return early ? toBeReplaced(domain, "clock", now) : domain;
}

/** Id of the authority that is part of this program. */
const OWN_CA = "internal";

/** Ends waits that were caused by another CA, or by options that have changed. */
function withoutWaits(domain: Domain, issuer: IssuerOptions, now: number): Domain {
  const { failure, tallies = [], ...issuance } = domain.issuance;
  if (failure === undefined) return domain;
  const { by } = failure;
  const otherCa = by !== undefined && by.issuer.authority !== issuer.authority;
  const ofOperator = by === undefined ? waitsForOperator(failure.code) : by.failure === "operator";
  const otherOptions = ofOperator && by?.issuer.digest !== issuer.digest;
  if (!otherCa && !otherOptions) return domain;
  const kept = otherCa ? [] : tallies.filter((one) => one.failure !== "operator");
  const failedAt = otherCa ? [] : issuance.failedAt;
  return {
    ...domain,
    issuance: {
      ...issuance,
      failures: 0,
      failedAt,
      ...(kept.length === 0 ? {} : { tallies: kept }),
      notBefore: Math.min(issuance.notBefore, budgetedAt(failedAt, now)),
    },
  };
}

/**
 * The next order begins now, whatever failed before, and a certificate is replaced, whatever its age. Three things make
 * it wait: a rate limit of the CA, the hour in which it counts failed validations, and five minutes after the second
 * failure in a row. A script, or a CA that changes its windows, may ask again and again, and the CA counts the orders of
 * all names together.
 */
export function toBeReplaced(domain: Domain, reason: ReplacementReason, now: number): Domain {
  const { certificate, issuance } = domain;
  const { failure } = issuance;
  const limited = failure?.by?.failure === "rate_limited" || failure?.code === "ca_rate_limited";
  const until = limited ? (failure?.until ?? issuance.notBefore) : now;
  const { at = -Infinity } = failure ?? {};
  const again = issuance.failures > 1 ? at + ASKED_AGAIN_MS : now;
  const notBefore = Math.max(now, until, again, budgetedAt(issuance.failedAt, now));
  const earlier = Math.min(issuance.notBefore, notBefore);
  // One that waits for the CA asks it again.
  const waiting = withOrder(domain, now);
  const to = { ...waiting, issuance: { ...waiting.issuance, notBefore: earlier } };
  if (certificate === undefined) return to;
  const replace = { at: replaceableAt(issuance, reason, now), reason };
  // One that is to be replaced already is not replaced later.
  const sooner = (certificate.replace?.at ?? Infinity) < replace.at;
  return sooner ? to : { ...to, certificate: { ...certificate, replace } };
}

export function withoutFailure({ failure: _failure, ...issuance }: Issuance): Issuance {
  return issuance;
}

/** An order came to a certificate. */
export function issued(
  domain: Domain,
  {
    certificate,
    authorizationUrls: urls,
    challenge = domain.issuance.challenge,
  }: OutcomeOf<"issued">,
  now: number,
): Settled {
  const granted = { authority: certificate.authority, urls, resumeAt: now };
  const replaced = withReplaced(domain, now);
  const fresh = {
    challenge,
    attempts: 0,
    failures: 0,
    failedAt: [],
    notBefore: now,
    ...(replaced.length === 0 ? {} : { replaced }),
  };
  const issuance = urls.length === 0 ? fresh : { ...fresh, granted };
  return {
    domain: { ...domain, certificate: { ...certificate, activeSince: now }, issuance },
    news: [{ kind: domain.certificate === undefined ? "issued" : "renewed" }],
  };
}

/** How often a certificate is replaced before its time, within a day and for the same reason. */
export const MAX_REPLACED_A_DAY = 3;

/** The replacements of the last day, including the one that has just ended. */
function withReplaced(
  { certificate, issuance }: Domain,
  now: number,
): NonNullable<Issuance["replaced"]> {
  const { replaced = [] } = issuance;
  const recent = replaced.filter(({ at }) => at > now - DAY_MS && at <= now);
  const { replace } = certificate ?? {};
  return replace === undefined ? recent : [...recent, { ...replace, at: now }];
}

/** When a certificate may be replaced for a reason: now, unless that was done too often during the last day. */
export function replaceableAt(
  { replaced = [] }: Issuance,
  reason: ReplacementReason,
  now: number,
): number {
  const recent = replaced.filter((one) => one.reason === reason && one.at > now - DAY_MS);
  const oldest = recent.at(-MAX_REPLACED_A_DAY);
  return oldest === undefined ? now : Math.max(now, oldest.at + DAY_MS);
}

/** When a name may have its first certificate for this domain: other holders in `named` count, three a day. */
export function firstOrderAt(
  { id }: Pick<Domain, "id">,
  named: readonly Domain[],
  now: number,
): number {
  const recent = named
    .flatMap((one) => (one.id === id ? [] : (one.certificate?.activeSince ?? [])))
    .filter((at) => at > now - DAY_MS)
    .toSorted((a, b) => a - b);
  const oldest = recent.at(-MAX_REPLACED_A_DAY);
  return oldest === undefined ? now : Math.max(now, oldest + DAY_MS);
}
