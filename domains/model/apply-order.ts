import { DAY_MS } from "../../lib/base/clock.ts";
import {
  ASKED_AGAIN_MS,
  budgetedAt,
  countFailure,
  longestWaitMs,
  nextOrderAt,
  type FailureClass,
} from "./backoff.ts";
import type {
  ActiveCertificate,
  Domain,
  Issuance,
  IssuanceFailure,
  IssuerOptions,
  ReplacementReason,
  Tally,
} from "./domain.ts";
import type { OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import { waitsForOperator } from "./order-failure.ts";
import { issuerInWords } from "./issuer-name.ts";
import { nextIssuerAt, passesOn, withSkipped, type IssuerFacts } from "./issuer-choice.ts";
import { emergencyAt } from "./renewal.ts";
import { isSkewed } from "./clock-skew.ts";
import { isDueByOwnClock } from "./renewal-due.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Applies the start of an order. */
export function applyOrderStart(
  domain: Domain,
  { resumeAt, instead }: OutcomeOf<"order_begun">,
  now: number,
): AppliedOutcome {
  const { attempts, ...issuance } = domain.issuance;
  const order = { openedAt: now, resumeAt };
  return {
    domain: { ...domain, issuance: { ...issuance, attempts: attempts + 1, order } },
    news: [
      ...(domain.certificate === undefined ? [{ kind: "issuing" } as const] : []),
      ...(instead === undefined ? [] : [{ kind: "changed", message: instead } as const]),
    ],
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

/** Reports whether the next order waits for a CA that takes none from this service, rather than because of the name. */
export function isHeld({ failure }: Issuance): boolean {
  return failure?.held === true;
}

/** Returns when the next order may start, as far as is known; undefined if nothing delays it. */
export function delayedUntil(issuance: Issuance, now: number): number | undefined {
  const { notBefore, failure } = issuance;
  const at = isHeld(issuance) ? Math.max(notBefore, failure?.until ?? notBefore) : notBefore;
  return at > now ? at : undefined;
}

/** Reports whether the CA's rate limits delay the next order, for this name or for all. */
export function isRateLimited({ failure }: Issuance): boolean {
  return failure?.by?.failure === "rate_limited" || failure?.code === "ca_rate_limited";
}

/** Delays an order for no fault of the name. Does not count as a failure. */
export function applyHold(
  domain: Domain,
  { issuer, until, lookAt, message, cause, probed, others = [] }: OutcomeOf<"order_held">,
  now: number,
): Domain {
  const { attempts, failure: before, ...issuance } = withoutOrder(domain.issuance);
  const down = cause === "down";
  const by = { failure: down ? "outage" : "rate_limited", issuer } as const;
  const failure: IssuanceFailure = {
    code: down ? "ca_unavailable" : "ca_rate_limited",
    message,
    at: before?.held === true && probed !== true ? before.at : now,
    until,
    by,
    held: true,
  };
  const rest = {
    ...issuance,
    attempts: probed === true ? Math.max(0, attempts - 1) : attempts,
  };
  const next = Math.min(lookAt, nextIssuerAt(issuance, others, now) ?? lookAt);
  // Another CA gets the order now, so the name waits for nothing.
  return next <= now
    ? { ...domain, issuance: { ...rest, ...withoutUndefined({ failure: before }), notBefore: now } }
    : { ...domain, issuance: { ...rest, failure, notBefore: next } };
}

/** Applies a failed order. */
export function applyFailedOrder(
  domain: Domain,
  outcome: OutcomeOf<"order_failed">,
  now: number,
): AppliedOutcome {
  const { failure, issuer, code, message, granted, others = [] } = outcome;
  const { authority = "" } = issuer ?? {};
  const { failures, failedAt, challenge, ...issuance } = withoutOrder(domain.issuance);
  const validation = failure === "validation";
  const counted = validation ? countFailure(failedAt, now) : failedAt;
  const tallies = tallied(issuance.tallies, { authority, failure, others });
  const longestMs = longestWaitMs(domain.certificate, now);
  const named = Math.min(outcome.until ?? now, now + longestMs);
  // A wait that is over says nothing.
  const until = named > now ? named : undefined;
  const inRow = failuresOf(tallies, authority, failure);
  const next = nextOrderAt({
    failure,
    failures: inRow,
    now,
    longestMs,
    urgent: domain.certificate !== undefined && now >= emergencyAt(domain.certificate),
    until,
  });
  const other = challenge === "http-01" ? "tls-alpn-01" : "http-01";
  const passes = others.length > 0 && passesOn(failure, inRow);
  const skipped = passes
    ? withSkipped(issuance.skipped, { authority, until: next, message }, now)
    : issuance.skipped;
  const atOther = passes ? nextIssuerAt({ ...withoutUndefined({ skipped }) }, others, now) : next;
  const sooner = Math.min(next, atOther ?? next);
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
          ...withoutUndefined({ by: issuer && { failure, issuer }, until }),
          ...(outcome.ofAll === true && { held: true }),
        },
        notBefore: Math.max(sooner, budgetedAt(counted, now)),
        ...withoutUndefined({ skipped, granted: granted && { ...granted, resumeAt: now } }),
      },
    },
    // While another CA gets the order at once, nothing has failed for the owner.
    news:
      sooner <= now && passes
        ? [
            {
              kind: "changed",
              code,
              message: `An order at ${issuerInWords(authority)} failed: ${message}`,
            },
          ]
        : [{ kind: "failed", code, message }],
  };
}

function failuresOf(tallies: readonly Tally[], authority: string, failure: FailureClass): number {
  const isOne = (tally: Tally) => tally.authority === authority && tally.failure === failure;
  return tallies.find(isOne)?.failures ?? 0;
}

function tallied(
  tallies: readonly Tally[] = [],
  {
    authority,
    failure,
    others,
  }: Pick<Tally, "authority" | "failure"> & { readonly others: readonly IssuerFacts[] },
): readonly Tally[] {
  const failures = failuresOf(tallies, authority, failure) + 1;
  // Failures with a CA that no longer gets orders are dropped.
  const kept = tallies.filter((one) =>
    one.authority === authority
      ? one.failure !== failure
      : others.some((other) => other.authority === one.authority),
  );
  return [...kept, { authority, failure, failures }];
}

/** Replaces certificates of our own CA that were dated by a clock that was ahead, and ends unfounded waits. */
export function applyReview(
  domain: Domain,
  { issuer, others = [] }: Pick<OutcomeOf<"reviewed">, "issuer" | "others">,
  now: number,
): Domain {
  const present = withoutFutureCertificate(domain, issuer, now);
  const reviewed = withoutWaits(present, [issuer, ...others], now);
  return withBoundedWait(reviewed, now);
}

/** Earlier versions, and a certificate that was replaced by a shorter one, leave longer waits. */
function withBoundedWait(domain: Domain, now: number): Domain {
  const { certificate, issuance } = domain;
  const latest = now + longestWaitMs(certificate, now);
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

/** Schedules a renewal that is due by our own clock: the `Date` of a CA may be wrong, and must not delay it. */
export function renewedByOwnClock(domain: Domain, ownNow: number, now: number): Domain {
  const { certificate } = domain;
  if (certificate === undefined) return domain;
  const agree = !isSkewed(ownNow - now);
  if (agree && certificate.ownSince !== undefined) {
    return { ...domain, certificate: withoutDisagreement(certificate, now) };
  }
  return isDueByOwnClock(certificate, now, ownNow)
    ? scheduleReplacement(domain, "clock", now)
    : domain;
}

/** Once the clocks agree again, counts from the arrival by the one that was right then. */
function withoutDisagreement(certificate: ActiveCertificate, now: number): ActiveCertificate {
  const { ownSince = 0, signerAheadMs, ...rest } = certificate;
  const ownWasRight = signerAheadMs !== undefined && ownSince <= now;
  return ownWasRight
    ? { ...rest, activeSince: ownSince, renewAt: ownSince + rest.renewAt - rest.activeSince }
    : { ...rest, ...(signerAheadMs !== undefined && { signerAheadMs }) };
}

/** Delays an order, which is decided on again within a day. */
export function applyPostponement(domain: Domain, until: number, now: number): Domain {
  const { issuance } = domain;
  return { ...domain, issuance: { ...issuance, notBefore: Math.min(until, now + DAY_MS) } };
}

/** The id of the built-in CA. */
const OWN_CA = "internal";

/** Ends waits caused by another CA, or by options that have changed. */
function withoutWaits(
  domain: Domain,
  issuers: readonly [IssuerOptions, ...IssuerOptions[]],
  now: number,
): Domain {
  const { failure, tallies = [], skipped: _skipped, ...issuance } = domain.issuance;
  if (failure === undefined) return domain;
  const { by } = failure;
  const [first] = issuers;
  const issuer =
    by === undefined ? first : issuers.find(({ authority }) => authority === by.issuer.authority);
  const otherCa = issuer === undefined;
  const ofOperator = by === undefined ? waitsForOperator(failure.code) : by.failure === "operator";
  const otherOptions = ofOperator && by?.issuer.digest !== issuer?.digest;
  if (!otherCa && !otherOptions) return withOrderAtAdded(domain, issuers, now);
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

/** Ends the wait for a CA that has failed, if another one has been configured since. */
function withOrderAtAdded(domain: Domain, issuers: readonly IssuerOptions[], now: number): Domain {
  const { failure, failures, failedAt, notBefore, skipped = [], tallies = [] } = domain.issuance;
  const { by } = failure ?? {};
  // What the CA refused may be for the owner to resolve.
  const passes = by !== undefined && by.failure !== "refused" && passesOn(by.failure, failures);
  if (!passes || notBefore <= now) return domain;
  const isNew = ({ authority }: IssuerOptions): boolean =>
    authority !== by.issuer.authority &&
    domain.dns.forbidden?.includes(authority) !== true &&
    ![...skipped, ...tallies].some((one) => one.authority === authority);
  if (!issuers.some(isNew)) return domain;
  const at = Math.min(notBefore, budgetedAt(failedAt, now));
  const { authority } = by.issuer;
  const failed = { authority, until: notBefore, message: failure?.message ?? "" };
  return {
    ...domain,
    issuance: {
      ...domain.issuance,
      // A pause is known of the CA itself.
      ...(isHeld(domain.issuance) ? {} : { skipped: withSkipped(skipped, failed, now) }),
      notBefore: at,
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
  const limited = reason !== "asked" && isRateLimited(issuance) && !isHeld(issuance);
  const until = limited ? (failure?.until ?? issuance.notBefore) : now;
  const { at = -Infinity } = failure ?? {};
  const again = issuance.failures > 1 && !isHeld(issuance) ? at + ASKED_AGAIN_MS : now;
  const notBefore = Math.max(now, until, again, budgetedAt(issuance.failedAt, now));
  const earlier = Math.min(issuance.notBefore, notBefore);
  // An open order polls the CA again.
  const waiting = withOrderAt(reason === "asked" ? withoutSkipped(domain) : domain, now);
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

/** The operator wants the next order at the first CA again. */
function withoutSkipped(domain: Domain): Domain {
  const { skipped: _skipped, ...issuance } = domain.issuance;
  return { ...domain, issuance };
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
