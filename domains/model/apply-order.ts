import { DAY_MS } from "../../lib/base/clock.ts";
import {
  ASKED_AGAIN_MS,
  budgetedAt,
  countFailure,
  longestWaitMs,
  nextOrderAt,
  type FailureClass,
} from "./backoff.ts";
import type { Domain, Issuance, IssuerOptions, ReplacementReason, Tally } from "./domain.ts";
import type { OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import { waitsForOperator } from "./order-failure.ts";
import { emergencyAt } from "./renewal.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Applies the start of an order. */
export function applyOrderStart(domain: Domain, resumeAt: number, now: number): AppliedOutcome {
  const { attempts, ...issuance } = domain.issuance;
  const order = { openedAt: now, resumeAt };
  return {
    domain: { ...domain, issuance: { ...issuance, attempts: attempts + 1, order } },
    news: domain.certificate === undefined ? [{ kind: "issuing" }] : [],
  };
}

/** Counts a failed validation; the order continues with another challenge. */
export function applyFailedValidation(
  domain: Domain,
  { failedBefore, fallback, message, resumeAt }: OutcomeOf<"unproven">,
  now: number,
): AppliedOutcome {
  const { issuance, ...rest } = withOrderAt(domain, resumeAt);
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

/** Delays the open order and the deactivation of authorizations until `resumeAt`. */
export function withOrderAt(domain: Domain, resumeAt: number): Domain {
  const { order, granted } = domain.issuance;
  const issuance = {
    ...domain.issuance,
    ...withoutUndefined({
      order: order && { ...order, resumeAt },
      granted: granted && { ...granted, resumeAt },
    }),
  };
  return { ...domain, issuance };
}

/** Clears the order and its authorizations. */
export function withoutOrders(domain: Domain): Domain {
  const { granted: _granted, ...issuance } = withoutOrder(domain.issuance);
  return { ...domain, issuance };
}

function withoutOrder({ order: _order, ...issuance }: Issuance): Issuance {
  return issuance;
}

/**
 * Returns until when a pause of all orders that ends at `until` holds up this one. A pause that is prolonged, or that
 * follows another one, counts from the first: it cannot make a certificate expire.
 */
export function heldUntil({ certificate, issuance }: Domain, until: number, now: number): number {
  const since = limitedSince(issuance) ?? now;
  return Math.min(until, since + longestWaitMs(certificate?.notAfter, since));
}

/** Returns since when rate limits have delayed the order; undefined if they do not. */
function limitedSince({ failure }: Issuance): number | undefined {
  return failure?.by?.failure === "rate_limited" ? failure.at : undefined;
}

/** Reports whether the CA's rate limits delay the next order, for this name or for all. */
export function isRateLimited({ failure }: Issuance): boolean {
  return failure?.by?.failure === "rate_limited" || failure?.code === "ca_rate_limited";
}

/** Delays orders for all names; does not count as a failure. */
export function applyHold(
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
      failure: {
        code: "ca_rate_limited",
        message,
        at: limitedSince(domain.issuance) ?? now,
        until,
        by,
      },
      notBefore: Math.max(notBefore, until),
    },
  };
}

/** Applies a failed order. */
export function applyFailedOrder(
  domain: Domain,
  outcome: OutcomeOf<"order_failed">,
  now: number,
): AppliedOutcome {
  const { failure, issuer, code, message, helpUrl, granted } = outcome;
  const { authority = "" } = issuer ?? {};
  const { failures, failedAt, challenge, ...issuance } = withoutOrder(domain.issuance);
  const validation = failure === "validation";
  const counted = validation ? countFailure(failedAt, now) : failedAt;
  const tallies = tallied(issuance.tallies, authority, failure);
  const longestMs = longestWaitMs(domain.certificate?.notAfter, now);
  const until = outcome.until === undefined ? undefined : Math.min(outcome.until, now + longestMs);
  const next = nextOrderAt({
    failure,
    failures: failuresOf(tallies, authority, failure),
    now,
    longestMs,
    urgent: domain.certificate !== undefined && now >= emergencyAt(domain.certificate),
    until,
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
          ...withoutUndefined({ by: issuer && { failure, issuer }, until, helpUrl }),
        },
        notBefore: Math.max(next, budgetedAt(counted, now)),
        ...withoutUndefined({ granted: granted && { ...granted, resumeAt: now } }),
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
  // Failures with a CA that no longer gets orders are dropped.
  const others = tallies.filter((one) => one.authority === authority && one.failure !== failure);
  return [...others, { authority, failure, failures }];
}

/** Replaces certificates of our own CA that were dated by a clock that was ahead, and ends unfounded waits. */
export function applyReview(domain: Domain, issuer: IssuerOptions, now: number): Domain {
  const reviewed = withoutWaits(withoutFutureCertificate(domain, issuer, now), issuer, now);
  return withBoundedWait(reviewed, now);
}

/** Earlier versions, and a certificate that was replaced by a shorter one, leave longer waits. */
function withBoundedWait(domain: Domain, now: number): Domain {
  const { certificate, issuance } = domain;
  const latest = now + longestWaitMs(certificate?.notAfter, now);
  return issuance.notBefore <= latest
    ? domain
    : { ...domain, issuance: { ...issuance, notBefore: latest } };
}

/** Our own CA dates certificates by our clock: after a correction they may lie days in the future. */
function withoutFutureCertificate(
  domain: Domain,
  { authority }: IssuerOptions,
  now: number,
): Domain {
  const { certificate } = domain;
  if (authority !== OWN_CA || certificate?.authority !== OWN_CA) return domain;
  const early = certificate.notBefore > now && certificate.replace === undefined;
  return early ? scheduleReplacement(domain, "clock", now) : domain;
}

/** The id of the built-in CA. */
const OWN_CA = "internal";

/** Ends waits caused by another CA, or by options that have changed. */
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
 * Schedules the next order at once, whatever failed before, and the certificate's replacement, whatever its age.
 * Three things delay it: a rate limit of the CA, unless the operator asks; the hour in which it counts failed validations;
 * and five minutes after a repeated failure. These are needed because a script, or a CA that changes its windows, may
 * request replacements in a loop, and CAs limit orders across all names.
 */
export function scheduleReplacement(
  domain: Domain,
  reason: ReplacementReason,
  now: number,
): Domain {
  const { certificate, issuance } = domain;
  const { failure } = issuance;
  const limited = reason !== "asked" && isRateLimited(issuance);
  const until = limited ? (failure?.until ?? issuance.notBefore) : now;
  const { at = -Infinity } = failure ?? {};
  const again = issuance.failures > 1 ? at + ASKED_AGAIN_MS : now;
  const notBefore = Math.max(now, until, again, budgetedAt(issuance.failedAt, now));
  const earlier = Math.min(issuance.notBefore, notBefore);
  // An open order polls the CA again.
  const waiting = withOrderAt(domain, now);
  const to = {
    ...waiting,
    issuance: { ...waiting.issuance, notBefore: earlier },
  };
  if (certificate === undefined) return to;
  const replace = { at: replaceableAt(issuance, reason, now), reason };
  // An earlier replacement stays.
  const sooner = (certificate.replace?.at ?? Infinity) < replace.at;
  return sooner ? to : { ...to, certificate: { ...certificate, replace } };
}

export function withoutFailure({ failure: _failure, ...issuance }: Issuance): Issuance {
  return issuance;
}

/** Applies an issued certificate. */
export function applyIssued(
  domain: Domain,
  {
    certificate,
    authorizationUrls: urls,
    challenge = domain.issuance.challenge,
    alone = false,
  }: OutcomeOf<"issued">,
  now: number,
): AppliedOutcome {
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
    news: [
      { kind: domain.certificate === undefined ? "issued" : "renewed" },
      ...(alone ? [{ kind: "changed", message: ALONE } as const] : []),
    ],
  };
}

const ALONE =
  "The certificate authority sent the certificate without its issuer's. Some browsers may not trust it.";

/**
 * Marks a certificate that this service cannot present, and schedules its replacement. Nothing for a certificate that
 * has been replaced, or is marked.
 */
export function applyUnservable(
  domain: Domain,
  { certificateId, message }: OutcomeOf<"unservable">,
  now: number,
): AppliedOutcome {
  const { certificate } = domain;
  if (certificate?.id !== certificateId || certificate.unservable !== undefined) {
    return { domain, news: [] };
  }
  const marked = { ...domain, certificate: { ...certificate, unservable: { at: now, message } } };
  return {
    domain: scheduleReplacement(marked, "damaged", now),
    news: [{ kind: "failed", code: "not_servable", message }],
  };
}

/** Most early replacements per day and reason. */
export const MAX_REPLACED_A_DAY = 3;

/** Returns the replacements of the last day, including the one just completed. */
function withReplaced(
  { certificate, issuance }: Domain,
  now: number,
): NonNullable<Issuance["replaced"]> {
  const { replaced = [] } = issuance;
  const recent = replaced.filter(({ at }) => at > now - DAY_MS && at <= now);
  const { replace } = certificate ?? {};
  return replace === undefined ? recent : [...recent, { ...replace, at: now }];
}

/** Returns when a certificate may be replaced for a reason: now, unless the daily limit is reached. */
export function replaceableAt(
  { replaced = [] }: Issuance,
  reason: ReplacementReason,
  now: number,
): number {
  const recent = replaced.filter((one) => one.reason === reason && one.at > now - DAY_MS);
  const oldest = recent.at(-MAX_REPLACED_A_DAY);
  return oldest === undefined ? now : Math.max(now, oldest.at + DAY_MS);
}

/** Returns when a domain may order its first certificate: three other domains with the name may per day. */
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
