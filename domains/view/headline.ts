import { isoTime } from "../../lib/base/clock.ts";
import type { DomainFindingView } from "../../lib/management/domain-view.ts";
import { GRACE_MS, REMOVED_KEPT_MS, type Domain } from "../model/domain.ts";
import { statusOf } from "../model/domain-state.ts";

/** How a domain is in one sentence, and what its owner should do now; null: nothing. */
export interface Headline {
  readonly headline: string;
  readonly nextAction: string | null;
}

export function headlineOf(
  domain: Domain,
  findings: readonly DomainFindingView[],
  now: number,
): Headline {
  const { unicode, role } = domain;
  const blocking = findings.find(({ severity }) => severity === "blocking");
  switch (statusOf(domain, now)) {
    case "removed":
      return ofRemoved(domain, now);
    case "checking":
      return {
        headline: `The DNS of ${unicode} is being asked.`,
        nextAction: "Enter the records below where the DNS of the domain is managed.",
      };
    case "awaiting_dns":
      return blocking === undefined
        ? { headline: waiting(domain), nextAction: null }
        : { headline: blocking.observed, nextAction: blocking.fix };
    case "verified":
      return {
        headline: `${unicode} is verified. Its certificate comes next.`,
        nextAction: null,
      };
    case "issuing":
      return {
        headline: `${unicode} is verified, and its certificate is being made. That usually takes a couple of minutes.`,
        nextAction: null,
      };
    case "live":
      return {
        headline:
          role.kind === "primary"
            ? `https://${unicode} is live${untilWhen(domain)}.`
            : `https://${unicode} is live${untilWhen(domain)} and leads to ${role.to}.`,
        nextAction: blocking?.fix ?? null,
      };
    case "attention":
      return ofTroubled(domain, blocking, now);
  }
}

/** After a downgrade there are some days left. */
function untilWhen({ gates: { lapsedAt } }: Domain): string {
  return lapsedAt === undefined ? "" : ` until ${minute(lapsedAt + GRACE_MS)}`;
}

function waiting({ unicode, dns }: Domain): string {
  switch (dns.state) {
    case "propagating":
      return dns.eta === undefined
        ? `The records of ${unicode} are right; some resolvers still remember the old ones.`
        : `The records of ${unicode} are right; the last resolver forgets the old ones at ${minute(dns.eta)}.`;
    case "unknown":
      return `The name servers of ${unicode} could not be asked. It is tried again by itself.`;
    case "unchecked":
    case "blocked":
    case "verified":
      return `The records of ${unicode} are looked for by themselves, again and again.`;
  }
}

function ofRemoved({ unicode, removal, certificate }: Domain, now: number): Headline {
  const at = removal?.at ?? now;
  const back = minute(at + REMOVED_KEPT_MS);
  return {
    headline: `${unicode} was removed at ${minute(at)} and is not served.`,
    nextAction:
      certificate !== undefined && certificate.notAfter > now
        ? `Until ${back} it can be added again, and has its certificate at once.`
        : null,
  };
}

function ofTroubled(
  domain: Domain,
  blocking: DomainFindingView | undefined,
  now: number,
): Headline {
  const { unicode, claim, lostAt, gates, issuance, certificate, dns } = domain;
  if (claim !== undefined && lostAt === undefined) {
    return {
      headline: `Another account holds ${unicode}. You have proven that it is yours, and it comes to you at ${minute(claim.until)}.`,
      nextAction: "Leave the ownership record where it is until then.",
    };
  }
  if (gates.lapsedAt !== undefined && now >= gates.lapsedAt + GRACE_MS) {
    return {
      headline: `${unicode} is not served: the plan of the account has no custom domains any more. The name stays reserved.`,
      nextAction: "Change the plan of the account to Pro or above: it is served again at once.",
    };
  }
  if (blocking !== undefined) {
    const served = certificate !== undefined && domain.liveSince !== undefined;
    return {
      headline: served
        ? `${unicode} is still served, but its certificate can not be renewed. ${blocking.observed}`
        : blocking.observed,
      nextAction: blocking.fix,
    };
  }
  if (certificate !== undefined) {
    const ends = minute(certificate.notAfter);
    return {
      headline:
        now < certificate.notAfter
          ? `The certificate of ${unicode} ends at ${ends}, and there is no other one yet.`
          : `The certificate of ${unicode} ended at ${ends}.`,
      nextAction: retry(domain, now),
    };
  }
  if (issuance.failure !== undefined) {
    return {
      headline: `There is no certificate for ${unicode} yet: ${issuance.failure.message}`,
      nextAction: retry(domain, now),
    };
  }
  if (issuance.stalledAt !== undefined) {
    return {
      headline: `${unicode} is verified, and there is no certificate yet.`,
      nextAction: retry(domain, now),
    };
  }
  return {
    headline:
      dns.state === "unknown"
        ? `The name servers of ${unicode} could not be asked for two days.`
        : `The records of ${unicode} were looked for during two days and not found.`,
    nextAction: "Enter the records below, and choose Verify.",
  };
}

function retry({ issuance }: Domain, now: number): string {
  return issuance.notBefore > now
    ? `Nothing: it is tried again at ${minute(issuance.notBefore)}. Choose Re-verify to try sooner.`
    : "Choose Re-verify to try again.";
}

/** `2026-11-21 14:03 UTC`. */
function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}
