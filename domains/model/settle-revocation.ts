import { DAY_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { mayIssue, type Domain, type Revocation } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { toBeReplaced } from "./settle-order.ts";

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
