import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../lib/base/clock.ts";
import { type ActiveCertificate, type Domain, mayIssue, type Revocation } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { emergencyAt, type RenewalFacts, type RenewalWindow } from "./renewal.ts";
import { toBeReplaced } from "./settle-order.ts";

/** How often a CA is asked that names no time. */
const POLL_MS: number = 6 * HOUR_MS;
/** By so much of that, either way, the polls are spread. */
const JITTER = 1 / 10;
const MIN_POLL_MS: number = MINUTE_MS;
const MAX_POLL_MS: number = DAY_MS;

/**
 * When to ask a CA again for a renewal window: when it says, but not sooner than in a minute or later than in a day;
 * else in six hours. `spread` is a random number from 0 up to 1.
 */
export function renewalPollAt(now: number, retryAt: number | undefined, spread: number): number {
  if (retryAt !== undefined) {
    return Math.min(Math.max(retryAt, now + MIN_POLL_MS), now + MAX_POLL_MS);
  }
  return Math.floor(now + POLL_MS * (1 + JITTER * (2 * spread - 1)));
}

/** When a CA is asked for the first time about a certificate that came at `now`: polls are spread from the beginning. */
export function firstPollAt(now: number, spread: number): number {
  return Math.floor(now + POLL_MS * spread);
}

/** When a CA is looked at again that offers no renewal windows. */
export function withoutWindowsAt(now: number): number {
  return now + MAX_POLL_MS;
}

/**
 * A CA was asked about the certificate. An instant is chosen by chance in each new window, and kept while the window
 * stays. A window that is over means: replace it now.
 */
export function informed(
  domain: Domain,
  { certificateId, info, checkAt, spread }: OutcomeOf<"renewal_info">,
  now: number,
): Settled {
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
  const news = [{ kind: "changed", message: newsOf(window, end <= now, explanationUrl) }] as const;
  if (end <= now) return { domain: toBeReplaced(known(renewal), "revoked", now), news };
  const chosen = Math.floor(start + spread * (end - start));
  const isUsual = kept?.window === undefined && explanationUrl === undefined;
  return {
    domain: known(renewal, Math.min(chosen, emergencyAt(certificate))),
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

/** When the CA of a certificate is asked about it next. */
export function renewalInfoDueAt({ renewal, activeSince }: ActiveCertificate): number {
  return renewal?.checkAt ?? activeSince;
}

/** CAs must revoke within a day once a key is compromised, so a replacement has no longer than that. */
export const REPLACED_WITHIN_MS: number = DAY_MS;

const AGAIN_MS: number = 5 * MINUTE_MS;

/**
 * Schedules a revocation. While the name is served, another certificate is ordered first, whatever the age of this one.
 * A name that is not served loses the certificate at once.
 */
export function toBeRevoked(domain: Domain, revocation: Revocation, now: number): Domain {
  const { certificate: _certificate, ...rest } = domain;
  if (domain.removal !== undefined) return { ...rest, revocation };
  const reason = revocation.reason === "keyCompromise" ? "key" : "revoked";
  return toBeReplaced({ ...domain, revocation }, reason, now);
}

/** When the pending revocation is due: once another certificate is served, or a day after the request at the latest. */
export function revocationDueAt(domain: Domain): number | undefined {
  const { revocation, certificate } = domain;
  if (revocation === undefined) return undefined;
  const { certificateId, resumeAt, since } = revocation;
  const waits = certificate?.id === certificateId && mayIssue(domain);
  return waits ? Math.max(resumeAt, since + REPLACED_WITHIN_MS) : resumeAt;
}

/** The CA was told to revoke it. */
export function revoked(domain: Domain, outcome: OutcomeOf<"revoked">, now: number): Settled {
  const { revocation, ...rest } = domain;
  if (revocation === undefined) return { domain, news: [] };
  const { reason, notAfter } = revocation;
  const { refusal } = outcome;
  if (refusal === undefined) {
    return {
      domain: rest,
      news: [{ kind: "changed", message: `A certificate was revoked (${reason}).` }],
    };
  }
  // What has expired needs no revocation.
  if (refusal.retry && now < notAfter) {
    const resumeAt = Math.max(now + AGAIN_MS, refusal.retryAt ?? now);
    return { domain: { ...rest, revocation: { ...revocation, resumeAt } }, news: [] };
  }
  const message = `The certificate authority did not revoke a certificate (${reason}): ${refusal.message}`;
  return { domain: rest, news: [{ kind: "changed", message }] };
}
