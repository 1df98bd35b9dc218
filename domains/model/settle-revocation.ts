import { DAY_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { mayIssue, type Domain, type Revocation } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { toBeReplaced } from "./settle-order.ts";

/** A CA has to revoke within a day once a key is known to others: no replacement is waited for longer than that. */
export const REPLACED_WITHIN_MS: number = DAY_MS;

const AGAIN_MS: number = 5 * MINUTE_MS;

/**
 * A certificate is to be revoked. While the name is served another one comes first, whatever the age of this one; of a
 * name that is not, it is had back no more.
 */
export function toBeRevoked(domain: Domain, revocation: Revocation, now: number): Domain {
  const { certificate: _certificate, ...rest } = domain;
  if (domain.removal !== undefined) return { ...rest, revocation };
  const reason = revocation.reason === "keyCompromise" ? "key" : "revoked";
  return toBeReplaced({ ...domain, revocation }, reason, now);
}

/** When a certificate is revoked that is to be: once another one is served, or at the latest a day after it was asked for. */
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
