import type { DomainFindingView, DomainView } from "./shapes.ts";
import { GRACE_MS, REMOVED_KEPT_MS, type Domain } from "../model/domain.ts";
import { driftOf } from "../model/drift-facts.ts";
import { driftEndsAt, RELEASED_MS } from "../model/drift.ts";
import { delayedUntil, isRateLimited } from "../model/apply-order.ts";
import { statusOf } from "../model/domain-state.ts";
import type { ReadBy } from "../model/finding-facts.ts";
import { type HeadlineCode, type HeadlineFacts, headlineWords } from "../model/headlines.ts";

/** The headline of a domain, with its code and data. */
export function headlineOf(
  domain: Domain,
  findings: readonly DomainFindingView[],
  {
    leads,
    now,
    readBy,
  }: {
    /** Whether the target of the domain's redirect shows the site; without a redirect, any value. */
    readonly leads: boolean;
    readonly now: number;
    readonly readBy: Reader;
  },
): Pick<DomainView, "headline" | "nextAction" | "headlineCode" | "headlineData"> {
  const blocking = findings.find(({ severity }) => severity === "blocking");
  // A gate says why the domain is not live, whatever else was found.
  const gate = findings.find(({ code }) => gateCodes.has(code)) ?? blocking;
  return told(situationOf(domain, gate, { leads, now, readBy }), gate);
}

/** Who reads a text. */
export type Reader = NonNullable<ReadBy["readBy"]>;

/** The findings that say why a project may have no live domain now. */
export const gateCodes: ReadonlySet<string> = new Set([
  "account_suspended",
  "project_deleted",
  "plan_required",
  "deploy_required",
]);

/** A code with its facts. */
type Situation = {
  readonly [Code in HeadlineCode]: { readonly code: Code; readonly facts: HeadlineFacts[Code] };
}[HeadlineCode];

function told<Code extends HeadlineCode>(
  { code, facts }: { readonly code: Code; readonly facts: HeadlineFacts[Code] },
  { observed, fix }: Pick<DomainFindingView, "observed" | "fix"> = { observed: "", fix: "" },
): ReturnType<typeof headlineOf> {
  return {
    ...headlineWords[code](facts, { observed, fix }),
    headlineCode: code,
    headlineData: { ...facts },
  };
}

function situationOf(
  domain: Domain,
  blocking: DomainFindingView | undefined,
  {
    leads,
    now,
    readBy,
  }: { readonly leads: boolean; readonly now: number; readonly readBy: Reader },
): Situation {
  const { unicode, role } = domain;
  const status = statusOf(domain, now);
  switch (status) {
    case "removed":
      return removed(domain, now);
    case "checking":
      return { code: "asking", facts: { unicode } };
    case "awaiting_dns":
      return blocking === undefined
        ? waiting(domain)
        : { code: "blocked", facts: { unicode, finding: blocking.code } };
    case "verified":
    case "issuing":
      return { code: status, facts: { unicode } };
    case "live":
      return {
        code: "live",
        facts: {
          unicode,
          ...(role.kind === "redirect" && (leads ? { leadsTo: role.to } : { awaits: role.to })),
          ...(blocking !== undefined && { finding: blocking.code }),
        },
      };
    case "attention":
      return troubled(domain, blocking, { now, readBy });
  }
}

function waiting({ unicode, dns }: Domain): Situation {
  switch (dns.state) {
    case "propagating": {
      const { eta } = dns;
      return {
        code: "propagating",
        facts: { unicode, ...(eta !== undefined && { until: eta }) },
      };
    }
    case "unknown":
      return { code: "unanswered", facts: { unicode } };
    case "unchecked":
    case "blocked":
    case "verified":
      return { code: "watching", facts: { unicode } };
  }
}

function removed({ unicode, removal, certificate }: Domain, now: number): Situation {
  const removedAt = removal?.at ?? now;
  if (removal?.reason === "released") {
    return {
      code: "released",
      facts: { unicode, removedAt, returnsUntil: removedAt + REMOVED_KEPT_MS },
    };
  }
  const returns = certificate !== undefined && certificate.notAfter > now;
  return {
    code: "removed",
    facts: { unicode, removedAt, ...(returns && { returnsUntil: removedAt + REMOVED_KEPT_MS }) },
  };
}

function troubled(
  domain: Domain,
  blocking: DomainFindingView | undefined,
  { now, readBy }: { readonly now: number; readonly readBy: Reader },
): Situation {
  const { unicode, claim, lostAt, gates, issuance, certificate, dns } = domain;
  if (claim !== undefined && lostAt === undefined) {
    return { code: "claimed", facts: { unicode, until: claim.until } };
  }
  const isLapsed = gates.lapsedAt !== undefined && now >= gates.lapsedAt + GRACE_MS;
  if (isLapsed && blocking?.code === "plan_required") {
    return { code: "lapsed", facts: { unicode, readBy } };
  }
  const drift = driftOf(domain);
  if (drift?.stage?.kind === "moved") {
    return {
      code: "moved",
      facts: {
        unicode,
        since: drift.since,
        releasedAt: driftEndsAt(drift, RELEASED_MS),
        ...(blocking !== undefined && { finding: blocking.code }),
      },
    };
  }
  if (blocking !== undefined) {
    const { unservable, notAfter = 0 } = certificate ?? {};
    const served = now < notAfter && domain.liveSince !== undefined && unservable === undefined;
    const drifts = served && !gateCodes.has(blocking.code);
    return { code: drifts ? "drifting" : "blocked", facts: { unicode, finding: blocking.code } };
  }
  const retryAt = delayedUntil(issuance, now);
  const retried = {
    unicode,
    readBy,
    ...(retryAt !== undefined && { retryAt }),
    ...(isRateLimited(issuance) && { limited: true as const }),
  };
  if (certificate !== undefined) {
    const { notAfter: endsAt } = certificate;
    const code = now < endsAt ? "certificate_ending" : "certificate_ended";
    return { code, facts: { ...retried, endsAt } };
  }
  const { readBy: _readBy, ...waits } = retried;
  if (issuance.failure !== undefined) {
    const { message } = issuance.failure;
    return { code: "issuance_failed", facts: { ...waits, message } };
  }
  if (issuance.stalledAt !== undefined) return { code: "issuance_stalled", facts: waits };
  return { code: "given_up", facts: { unicode, unanswered: dns.state === "unknown" } };
}
