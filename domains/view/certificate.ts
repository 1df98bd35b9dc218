import type { CertificateView, DomainView } from "./shapes.ts";
import { delayedUntil } from "../model/apply-order.ts";
import { issuerForOwners } from "../model/issuer-name.ts";
import { replacedAt } from "../model/renewal-due.ts";
import type { Domain } from "../model/domain.ts";

/** Returns the state of a domain's certificate. */
export function certificateOf(domain: Domain, now: number): DomainView["certificate"] {
  const { certificate, issuance } = domain;
  return {
    state: stateOf(domain, now),
    issuer: certificate === undefined ? null : issuerForOwners(certificate.authority),
    notAfter: certificate?.notAfter ?? null,
    renewAt: certificate === undefined ? null : replacedAt(certificate),
    attempts: issuance.attempts,
    reason: reasonOf(domain),
    nextAttemptAt: domain.heldSince === undefined ? null : (delayedUntil(issuance, now) ?? null),
  };
}

function stateOf(
  { certificate, heldSince, issuance, removal }: Domain,
  now: number,
): DomainView["certificate"]["state"] {
  const unservable = certificate?.unservable !== undefined;
  if (certificate !== undefined && now < certificate.notAfter && !unservable) return "active";
  if (removal === undefined && issuance.order !== undefined) return "ordering";
  if (unservable) return "failed";
  if (certificate !== undefined) return "expired";
  if (issuance.failure !== undefined) return "failed";
  return heldSince === undefined ? "none" : "waiting";
}

/** Returns why the last order failed, or why the certificate is not served. */
function reasonOf({ certificate, issuance }: Domain): string | null {
  return issuance.failure?.message ?? certificate?.unservable?.message ?? null;
}

/** Shows the certificate that visitors of a domain get; undefined if there is none. */
export function certificateView(
  domain: Domain,
  project: string | null,
): CertificateView | undefined {
  const { certificate, name } = domain;
  if (certificate === undefined) return undefined;
  return {
    domain: name,
    project,
    issuer: certificate.authority,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    renewAt: replacedAt(certificate),
    reason: reasonOf(domain),
    explanationUrl: certificate.renewal?.explanationUrl ?? null,
  };
}
