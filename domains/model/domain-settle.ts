import { ASKED_AGAIN_MS, budgetedAt } from "./backoff.ts";
import type { Domain, Removal } from "./domain.ts";
import type { Outcome, OutcomeOf, Settled } from "./domain-outcome.ts";
import type { OutsideView } from "./outside.ts";
import { informed, revoked } from "./settle-certificate.ts";
import { checked, withoutClaim } from "./settle-check.ts";
import { rebased } from "./rebase.ts";
import {
  begun,
  failed,
  held,
  issued,
  reviewed,
  toBeReplaced,
  unproven,
  withOrder,
  withoutFailure,
  withoutOrders,
} from "./settle-order.ts";
import type { News } from "./timeline.ts";

export type { Outcome, Settled } from "./domain-outcome.ts";

/** Applies an outcome at `now`. Pure; together with `nextTask` it is the whole policy. */
export function settle(domain: Domain, outcome: Outcome, now: number): Settled {
  switch (outcome.kind) {
    case "asked":
      return withoutNews(asked(domain, now));
    case "checked":
      return checked(domain, outcome, now);
    case "gates":
      return gated(domain, outcome, now);
    case "order_begun":
      return begun(domain, outcome.resumeAt, now);
    case "order_moved":
      return withoutNews(withOrder(domain, outcome.resumeAt));
    case "unproven":
      return unproven(domain, outcome, now);
    case "order_failed":
      return failed(domain, outcome, now);
    case "order_held":
      return withoutNews(held(domain, outcome, now));
    case "reviewed":
      return withoutNews(reviewed(rebased(domain, now, outcome.timeKnown), outcome.issuer, now));
    case "replace":
      return withoutNews(toBeReplaced(domain, outcome.reason, now));
    case "order_dropped":
      return withoutNews(withoutOrders(domain));
    case "issued":
      return issued(domain, outcome, now);
    case "probed":
      return probed(domain, outcome.answered, now);
    case "looked":
      return withoutNews(looked(domain, outcome.view));
    case "renewal_info":
      return informed(domain, outcome, now);
    case "revoked":
      return revoked(domain, outcome, now);
    case "stopped":
      return {
        domain: { ...domain, gates: { ...domain.gates, stoppedAt: now } },
        news: [{ kind: "stopped", code: "plan_required" }],
      };
    case "warned":
      return warned(domain, now);
    case "lost":
      return lost(domain, now);
    case "removed":
      return removed(domain, outcome.reason, now);
  }
}

function withoutNews(domain: Domain): Settled {
  return { domain, news: [] };
}

/** Restarts the check schedule and ends waits that depend on time only, within limits. */
function asked(domain: Domain, now: number): Domain {
  const { issuance } = domain;
  const { at = -Infinity, until = now } = issuance.failure ?? {};
  const notBefore = Math.max(until, at + ASKED_AGAIN_MS, budgetedAt(issuance.failedAt, now));
  return {
    ...domain,
    watch: { since: now },
    issuance: { ...issuance, notBefore: Math.min(issuance.notBefore, notBefore) },
  };
}

function gated(
  domain: Domain,
  { plan, deploy, project }: OutcomeOf<"gates">,
  now: number,
): Settled {
  if (!project) return removed(domain, "project_gone", now);
  const { lapsedAt, stoppedAt } = domain.gates;
  const seen = { plan, deploy, project, seenAt: now };
  if (plan) {
    const news: readonly News[] = lapsedAt === undefined ? [] : [{ kind: "resumed" }];
    return { domain: { ...domain, gates: seen }, news };
  }
  if (domain.heldSince === undefined || lapsedAt !== undefined) {
    const gates = {
      ...seen,
      ...(lapsedAt === undefined ? {} : { lapsedAt }),
      ...(stoppedAt === undefined ? {} : { stoppedAt }),
    };
    return withoutNews({ ...domain, gates });
  }
  return {
    domain: { ...domain, gates: { ...seen, lapsedAt: now } },
    news: [{ kind: "lapsed", code: "plan_required" }],
  };
}

function probed(domain: Domain, answered: boolean, now: number): Settled {
  if (domain.certificate === undefined) return withoutNews(domain);
  const certificate = { ...domain.certificate, probedAt: now };
  if (!answered) return withoutNews({ ...domain, certificate });
  return { domain: { ...domain, certificate, liveSince: now }, news: [{ kind: "live" }] };
}

function looked(domain: Domain, view: OutsideView): Domain {
  if (domain.outside === undefined) return domain;
  const { addresses } = domain.outside;
  return { ...domain, outside: { addresses, seen: view } };
}

function warned(domain: Domain, now: number): Settled {
  if (domain.certificate === undefined) return withoutNews(domain);
  const { code } = domain.issuance.failure ?? {};
  return {
    domain: { ...domain, certificate: { ...domain.certificate, warnedAt: now } },
    news: [code === undefined ? { kind: "expiring" } : { kind: "expiring", code }],
  };
}

function lost(domain: Domain, now: number): Settled {
  const { heldSince: _held, liveSince: _live, ...rest } = withOrder(withoutRevoked(domain), now);
  return { domain: { ...rest, lostAt: now }, news: [{ kind: "lost", code: "taken" }] };
}

function removed(domain: Domain, reason: Removal["reason"], now: number): Settled {
  if (domain.removal !== undefined) return withoutNews(domain);
  // An open order is given up at once.
  const kept = withoutRevoked(withoutClaim(domain));
  const { heldSince: _held, liveSince: _live, ...rest } = withOrder(kept, now);
  return {
    domain: { ...rest, removal: { at: now, reason } },
    news: [{ kind: "removed", code: reason }],
  };
}

/** A domain that is no longer served keeps its certificate, unless that is revoked or about to be. */
function withoutRevoked(domain: Domain): Domain {
  const { certificate, ...rest } = domain;
  if (certificate === undefined) return domain;
  const { reason } = certificate.replace ?? {};
  const isPending = domain.revocation?.certificateId === certificate.id;
  return isPending || reason === "revoked" || reason === "key" ? rest : domain;
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
    ...(kept ? { certificate } : {}),
    ...(revocation === undefined ? {} : { revocation }),
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
