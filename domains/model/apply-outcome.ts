import { ASKED_AGAIN_MS, budgetedAt } from "./backoff.ts";
import type { Domain, Gates, Removal, ReplacementReason } from "./domain.ts";
import type { Outcome, OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import type { OutsideView } from "./outside.ts";
import { stageReached, withNotice } from "./overdue.ts";
import { applyRenewalInfo, applyRevocation } from "./apply-certificate.ts";
import { applyCheck, withoutClaim } from "./apply-check.ts";
import { applyLook, withoutDrift } from "./apply-look.ts";
import { clockCorrected } from "./clock-correction.ts";
import {
  applyOrderStart,
  applyFailedOrder,
  applyHold,
  applyIssued,
  applyReview,
  applyPostponement,
  isHeld,
  isRateLimited,
  renewedByOwnClock,
  scheduleReplacement,
  applyFailedValidation,
  applyUnservable,
  withOrderAt,
  withoutFailure,
  withoutOrders,
} from "./apply-order.ts";
import type { News } from "./timeline.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

export type { Outcome, AppliedOutcome } from "./domain-outcome.ts";

/** Applies an outcome at `now`. Pure; together with `nextTask` it is the whole policy. */
export function applyOutcome(domain: Domain, outcome: Outcome, now: number): AppliedOutcome {
  switch (outcome.kind) {
    case "check_requested":
      return withoutNews(applyRequest(domain, now));
    case "checked":
      return applyCheck(domain, outcome, now);
    case "looked":
      return applyLook(domain, { ...outcome, now });
    case "look_missed":
      return withoutNews({ ...domain, look: { ...domain.look, at: now } });
    case "gates":
      return applyGates(domain, outcome, now);
    case "order_begun":
      return applyOrderStart(domain, outcome, now);
    case "order_moved":
      return withoutNews(withOrderAt(domain, outcome.resumeAt));
    case "unproven":
      return applyFailedValidation(domain, outcome, now);
    case "order_failed":
      return applyFailedOrder(domain, outcome, now);
    case "order_held":
      return withoutNews(applyHold(domain, outcome, now));
    case "reviewed": {
      const corrected = clockCorrected(domain, now, outcome.timeKnown);
      const reviewed = applyReview(corrected, outcome, now);
      return withoutNews(renewedByOwnClock(reviewed, outcome.ownNow ?? now, now));
    }
    case "order_postponed":
      return withoutNews(applyPostponement(domain, outcome.until, now));
    case "replace":
      return withoutNews(scheduleReplacement(domain, outcome.reason, now));
    case "order_dropped":
      return withoutNews(withoutOrders(domain));
    case "issued":
      return applyIssued(domain, outcome, now);
    case "unservable":
      return applyUnservable(domain, outcome, now);
    case "probed":
      return applyProbe(domain, outcome.answered, now);
    case "outside_checked":
      return withoutNews(applyOutsideCheck(domain, outcome.view));
    case "renewal_info":
      return applyRenewalInfo(domain, outcome, now);
    case "revoked":
      return applyRevocation(domain, outcome, now);
    case "stopped":
      return {
        domain: { ...domain, gates: { ...domain.gates, stoppedAt: now } },
        news: [{ kind: "stopped", code: lapseOf(domain.gates) }],
      };
    case "warned":
      return applyWarning(domain, now);
    case "lost":
      return applyLoss(domain, now);
    case "removed":
      return applyRemoval(domain, outcome.reason, now);
  }
}

function withoutNews(domain: Domain): AppliedOutcome {
  return { domain, news: [] };
}

/**
 * Restarts the check schedule, and ends waits within our own limits, but none for a rate limit of the CA for this name.
 * Whether a CA that takes no orders at all is asked is decided when the order starts.
 */
function applyRequest(domain: Domain, now: number): Domain {
  const { issuance } = domain;
  const { at = -Infinity } = issuance.failure ?? {};
  const again = isHeld(issuance) ? now : at + ASKED_AGAIN_MS;
  const notBefore = Math.max(now, again, budgetedAt(issuance.failedAt, now));
  return {
    ...domain,
    watch: { since: now },
    issuance: {
      ...issuance,
      notBefore:
        isRateLimited(issuance) && !isHeld(issuance)
          ? issuance.notBefore
          : Math.min(issuance.notBefore, notBefore),
    },
  };
}

function applyGates(
  domain: Domain,
  { plan, deploy, project, suspended, deletedAt }: OutcomeOf<"gates">,
  now: number,
): AppliedOutcome {
  if (!project) return applyRemoval(domain, "project_gone", now);
  const { suspended: _suspended, deletedAt: _deletedAt, ...before } = domain.gates;
  const { lapsedAt } = before;
  const seen = {
    plan,
    deploy,
    project,
    seenAt: now,
    ...withoutUndefined({ suspended, deletedAt }),
  };
  if (plan) {
    const news: readonly News[] = lapsedAt === undefined ? [] : [{ kind: "resumed" }];
    return { domain: { ...domain, gates: seen }, news };
  }
  if (domain.heldSince === undefined || lapsedAt !== undefined) {
    return withoutNews({ ...domain, gates: { ...before, ...seen } });
  }
  return {
    domain: { ...domain, gates: { ...seen, lapsedAt: now } },
    news: [{ kind: "lapsed", code: lapseOf(seen) }],
  };
}

/** Returns the code of the finding that says why an account may have no domains. */
function lapseOf({ suspended }: Pick<Gates, "suspended">): string {
  return suspended === true ? "account_suspended" : "plan_required";
}

function applyProbe(domain: Domain, answered: boolean, now: number): AppliedOutcome {
  if (domain.certificate === undefined) return withoutNews(domain);
  const certificate = { ...domain.certificate, probedAt: now };
  if (!answered) return withoutNews({ ...domain, certificate });
  return { domain: { ...domain, certificate, liveSince: now }, news: [{ kind: "live" }] };
}

function applyOutsideCheck(domain: Domain, view: OutsideView): Domain {
  if (domain.outside === undefined) return domain;
  const { addresses } = domain.outside;
  return { ...domain, outside: { addresses, seen: view } };
}

function applyWarning(domain: Domain, now: number): AppliedOutcome {
  const { certificate, issuance } = domain;
  const stage = certificate === undefined ? 0 : stageReached(certificate, now);
  if (certificate === undefined || stage === 0) return withoutNews(domain);
  const { code, message } = issuance.failure ?? {};
  return {
    domain: { ...domain, certificate: withNotice(certificate, stage, now) },
    // The expiry is no stage: the last one has been announced.
    news:
      certificate.warned === stage
        ? []
        : [{ kind: "expiring", ...withoutUndefined({ code, message }) }],
  };
}

function applyLoss(domain: Domain, now: number): AppliedOutcome {
  const kept = withoutDrift(withoutRevoked(domain));
  const { heldSince: _held, liveSince: _live, ...rest } = withOrderAt(kept, now);
  return { domain: { ...rest, lostAt: now }, news: [{ kind: "lost", code: "taken" }] };
}

function applyRemoval(domain: Domain, reason: Removal["reason"], now: number): AppliedOutcome {
  if (domain.removal !== undefined) return withoutNews(domain);
  // An open order is given up at once.
  const kept = withoutDrift(withoutRevoked(withoutClaim(domain)));
  const { heldSince: _held, liveSince: _live, ...rest } = withOrderAt(kept, now);
  return {
    domain: { ...rest, removal: { at: now, reason } },
    news: [{ kind: "removed", code: reason }],
  };
}

const USELESS: readonly (ReplacementReason | undefined)[] = ["revoked", "key", "damaged"];

/** A domain that is no longer served keeps its certificate, unless that is useless or about to be revoked. */
function withoutRevoked(domain: Domain): Domain {
  const { certificate, ...rest } = domain;
  if (certificate === undefined) return domain;
  const { reason } = certificate.replace ?? {};
  const isPending = domain.revocation?.certificateId === certificate.id;
  return isPending || USELESS.includes(reason) ? rest : domain;
}

/** Restores a removed domain with its certificate, if that is still valid, and its pending revocation. */
export function restored(domain: Domain, fresh: Domain, now: number): Domain {
  const { certificate, revocation } = domain;
  const kept = certificate !== undefined && certificate.notAfter > now;
  return {
    ...fresh,
    id: domain.id,
    targetLabel: domain.targetLabel,
    version: domain.version,
    issuance: withoutFailure(domain.issuance),
    ...withoutUndefined({ certificate: kept ? certificate : undefined, revocation }),
  };
}

/** The facts of a new domain. */
export type NewDomain = Pick<
  Domain,
  | "id"
  | "name"
  | "unicode"
  | "projectId"
  | "accountId"
  | "role"
  | "targetLabel"
  | "ownershipToken"
  | "attachedBefore"
>;

/** Creates a domain for a project that may have it. */
export function newDomain(facts: NewDomain, now: number): Domain {
  return {
    ...facts,
    hstsSeconds: 0,
    addedAt: now,
    gates: { plan: true, deploy: true, project: true, seenAt: now },
    watch: { since: now },
    dns: { state: "unchecked", codes: [] },
    issuance: { challenge: "http-01", attempts: 0, failures: 0, failedAt: [], notBefore: now },
    version: 1,
  };
}
