import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../lib/base/clock.ts";
import { type ActiveCertificate, type Domain, mayIssue, type Revocation } from "./domain.ts";
import type { OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import { emergencyAt, type RenewalFacts, type RenewalWindow } from "./renewal.ts";
import { scheduleReplacement } from "./apply-order.ts";
import { longestWaitMs } from "./backoff.ts";

/** Poll interval for CAs that name none. */
const POLL_MS: number = 6 * HOUR_MS;
/** Random variation of the interval, either way. */
const JITTER = 1 / 10;
const MIN_POLL_MS: number = MINUTE_MS;
const MAX_POLL_MS: number = DAY_MS;

/**
 * Returns when to poll a CA's renewal information: when it says, within a minute to a day from now; by default in
 * about six hours. `spread` is a random number from 0 to below 1.
 */
export function renewalPollAt(now: number, retryAt: number | undefined, spread: number): number {
  if (retryAt !== undefined) {
    return Math.min(Math.max(retryAt, now + MIN_POLL_MS), now + MAX_POLL_MS);
  }
  return Math.floor(now + POLL_MS * (1 + JITTER * (2 * spread - 1)));
}

/** Returns when to poll first for a certificate that arrived at `now`; random, to spread polls from the start. */
export function firstPollAt(now: number, spread: number): number {
  return Math.floor(now + POLL_MS * spread);
}

/** Returns when to check again whether a CA offers renewal information. */
export function withoutWindowsAt(now: number): number {
  return now + MAX_POLL_MS;
}

/**
 * Applies renewal information. Each new window gets a random renewal time, which is kept as long as the window does
 * not change. A window in the past means: replace now.
 */
export function applyRenewalInfo(
  domain: Domain,
  { certificateId, info, checkAt, spread }: OutcomeOf<"renewal_info">,
  now: number,
): AppliedOutcome {
  const { certificate } = domain;
  if (certificate?.id !== certificateId) return { domain, news: [] };
  const kept = certificate.renewal;
  const known = (renewal: RenewalFacts, renewAt = certificate.renewAt): Domain => ({
    ...domain,
    certificate: { ...certificate, renewal, renewAt },
  });
  if (info === undefined) return { domain: known({ ...kept, checkAt }), news: [] };
  const { window, explanationUrl } = info;
  const renewal = { checkAt, window, ...(explanationUrl === undefined ? {} : { explanationUrl }) };
  if (sameWindow(kept?.window, window)) return { domain: known(renewal), news: [] };
  const { start, end } = window;
  // Windows are in the time of the CA's certificates.
  const aheadMs = certificate.signerAheadMs ?? 0;
  const over = end - aheadMs <= now;
  const news = [{ kind: "changed", message: newsOf(window, over, explanationUrl) }] as const;
  if (over) return { domain: scheduleReplacement(known(renewal), "revoked", now), news };
  const chosen = Math.min(Math.floor(start + spread * (end - start)), emergencyAt(certificate));
  const isUsual = kept?.window === undefined && explanationUrl === undefined;
  return {
    domain: known(renewal, chosen - aheadMs),
    news: isUsual ? [] : news,
  };
}

function sameWindow(one: RenewalWindow | undefined, other: RenewalWindow): boolean {
  return one?.start === other.start && one.end === other.end;
}

function newsOf({ start, end }: RenewalWindow, over: boolean, url: string | undefined): string {
  const when = over ? "now" : `between ${isoTime(start)} and ${isoTime(end)}`;
  const why = url === undefined ? "" : ` See ${url} for the reason.`;
  return `The certificate authority asks to replace the certificate ${when}.${why}`;
}

/** Returns when to poll the renewal information of a certificate. */
export function renewalInfoDueAt({ renewal, activeSince }: ActiveCertificate): number {
  return renewal?.checkAt ?? activeSince;
}

/** CAs must revoke within a day once a key is compromised, which limits the time for a replacement. */
export const REPLACED_WITHIN_MS: number = DAY_MS;

const AGAIN_MS: number = 5 * MINUTE_MS;

/**
 * Schedules a revocation. While the name is served, a replacement is ordered first, whatever the certificate's age.
 * A name that is not served loses the certificate at once.
 */
export function scheduleRevocation(domain: Domain, revocation: Revocation, now: number): Domain {
  const { certificate: _certificate, ...rest } = domain;
  if (domain.removal !== undefined) return { ...rest, revocation };
  const reason = revocation.reason === "keyCompromise" ? "key" : "revoked";
  return scheduleReplacement({ ...domain, revocation }, reason, now);
}

/** Returns when to revoke: once another certificate is served, but at most a day after the request. */
export function revocationDueAt(domain: Domain): number | undefined {
  const { revocation, certificate } = domain;
  if (revocation === undefined) return undefined;
  const { certificateId, resumeAt, since } = revocation;
  const waits = certificate?.id === certificateId && mayIssue(domain);
  return waits ? Math.max(resumeAt, since + REPLACED_WITHIN_MS) : resumeAt;
}

/** Applies the result of a revocation. */
export function applyRevocation(
  domain: Domain,
  outcome: OutcomeOf<"revoked">,
  now: number,
): AppliedOutcome {
  const { revocation, ...rest } = domain;
  if (revocation === undefined) return { domain, news: [] };
  const { reason, since, notAfter } = revocation;
  const { refusal } = outcome;
  if (refusal === undefined) {
    return {
      domain: rest,
      news: [{ kind: "changed", message: `A certificate was revoked (${reason}).` }],
    };
  }
  // Expired certificates need no revocation.
  if (refusal.retry && now < notAfter) {
    const latest = now + longestWaitMs({ notBefore: since, activeSince: since, notAfter }, now);
    const resumeAt = Math.max(now + AGAIN_MS, Math.min(refusal.retryAt ?? now, latest));
    return { domain: { ...rest, revocation: { ...revocation, resumeAt } }, news: [] };
  }
  const message = `The certificate authority did not revoke a certificate (${reason}): ${refusal.message}`;
  return { domain: rest, news: [{ kind: "changed", message }] };
}
