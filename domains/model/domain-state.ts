import { isAllowed, type Domain } from "./domain.ts";
import { driftStage } from "./drift-facts.ts";
import { isOverdue, stageAt } from "./overdue.ts";
import { nextCheckAt } from "./schedule.ts";

export const domainStatuses = [
  "awaiting_dns",
  "checking",
  "verified",
  "issuing",
  "live",
  "attention",
  "removed",
] as const;

/** The status of a domain for its owner. `attention`: someone has to act. */
export type DomainStatus = (typeof domainStatuses)[number];

export function statusOf(domain: Domain, now: number): DomainStatus {
  if (domain.removal !== undefined) return "removed";
  return domain.heldSince === undefined ? statusOfUnheld(domain) : statusOfHeld(domain, now);
}

function statusOfUnheld({ watch, dns, gates, claim, lostAt }: Domain): DomainStatus {
  if (lostAt !== undefined || claim !== undefined || !isAllowed(gates)) return "attention";
  const { checkedAt } = dns;
  if (checkedAt === undefined || checkedAt < watch.since) return "checking";
  return nextCheckAt(watch, dns) === undefined ? "attention" : "awaiting_dns";
}

function statusOfHeld(domain: Domain, now: number): DomainStatus {
  const { certificate, dns, gates, issuance, liveSince } = domain;
  if (!isAllowed(gates)) return "attention";
  if (dns.state === "blocked" || driftStage(domain) !== undefined) return "attention";
  if (certificate?.unservable !== undefined) return "attention";
  if (certificate !== undefined && liveSince !== undefined) {
    return isOverdue(domain, now) || now >= certificate.notAfter ? "attention" : "live";
  }
  if (issuance.stalledAt !== undefined) return "attention";
  if (certificate !== undefined || issuance.order !== undefined) return "issuing";
  if (issuance.failure !== undefined) return "attention";
  return "verified";
}

/** Returns from when on a served domain needs attention: 0 if it does already, whatever time it is. */
export function attentionAt(domain: Domain): number {
  const { certificate, liveSince } = domain;
  if (certificate === undefined || liveSince === undefined) return Infinity;
  return statusOf(domain, -Infinity) === "attention" ? 0 : stageAt(certificate, 1);
}
