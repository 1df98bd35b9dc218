import {
  ASKED_AGAIN_MS,
  budgetedAt,
  countFailure,
  nextOrderAt,
  type FailureClass,
} from "./backoff.ts";
import {
  CLAIM_WAIT_MS,
  type ActiveCertificate,
  type ChallengeKind,
  type DnsFacts,
  type Domain,
  type Granted,
  type Issuance,
  type IssuanceFailure,
  type Removal,
} from "./domain.ts";
import { emergencyAt } from "./renewal.ts";
import { STALLED_MS } from "./schedule.ts";
import type { News } from "./timeline.ts";

/** What came of a task, or of what a person did. */
export type Outcome =
  /** A person wants it looked at now. */
  | { readonly kind: "asked" }
  | {
      readonly kind: "checked";
      readonly state: Exclude<DnsFacts["state"], "unchecked">;
      /** Of the findings that block. */
      readonly codes: readonly string[];
      readonly eta?: number;
      /** The name leads to us, whether or not that is enough. */
      readonly leadsHere: boolean;
      /** `held`: another account has the name and its records still verify; `given_up`: they do not. */
      readonly name: "free" | "held" | "given_up";
    }
  | {
      readonly kind: "gates";
      readonly plan: boolean;
      readonly deploy: boolean;
      readonly project: boolean;
    }
  | { readonly kind: "order_begun"; readonly resumeAt: number }
  | { readonly kind: "order_moved"; readonly resumeAt: number }
  | ({
      readonly kind: "order_failed";
      readonly failure: FailureClass;
      /** What the order had been granted, which the next one may profit from. */
      readonly granted?: Pick<Granted, "authority" | "urls">;
    } & Omit<IssuanceFailure, "at">)
  /** Order and authorizations are given up, through no fault of the name. */
  | { readonly kind: "order_dropped" }
  | {
      readonly kind: "issued";
      readonly certificate: Omit<ActiveCertificate, "activeSince" | "warnedAt" | "probedAt">;
      /** Authorizations that the order had. */
      readonly authorizationUrls: readonly string[];
      /** What worked. */
      readonly challenge?: ChallengeKind;
    }
  | { readonly kind: "probed"; readonly answered: boolean }
  | { readonly kind: "stopped" }
  | { readonly kind: "warned" }
  /** The name went to another account. */
  | { readonly kind: "lost" }
  | { readonly kind: "removed"; readonly reason: Removal["reason"] };

/** A domain after something came of it, and what there is to tell. */
export interface Settled {
  readonly domain: Domain;
  readonly news: readonly News[];
}

/** What a domain becomes by an outcome at `now`. With `nextTask` the whole policy; pure. Throws for nothing. */
export function settle(domain: Domain, outcome: Outcome, now: number): Settled {
  switch (outcome.kind) {
    case "asked":
      return quietly(asked(domain, now));
    case "checked":
      return checked(domain, outcome, now);
    case "gates":
      return gated(domain, outcome, now);
    case "order_begun":
      return begun(domain, outcome.resumeAt, now);
    case "order_moved":
      return quietly(withOrder(domain, outcome.resumeAt));
    case "order_failed":
      return failed(domain, outcome, now);
    case "order_dropped":
      return quietly({ ...domain, issuance: withoutGranted(withoutOrder(domain.issuance)) });
    case "issued":
      return issued(domain, outcome, now);
    case "probed":
      return probed(domain, outcome.answered, now);
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

function quietly(domain: Domain): Settled {
  return { domain, news: [] };
}

/** Begins the schedule anew, and lets an order begin that waited for nothing but time; not at every click. */
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

function checked(
  domain: Domain,
  { state, codes, eta, leadsHere, name }: Extract<Outcome, { readonly kind: "checked" }>,
  now: number,
): Settled {
  const passed = state === "verified";
  const { passedAt } = passed ? { passedAt: now } : domain.dns;
  const dns: DnsFacts = {
    state,
    checkedAt: now,
    codes,
    ...(passedAt === undefined ? {} : { passedAt }),
    ...(eta === undefined ? {} : { eta }),
  };
  // A name that ceases to verify is looked at as often as a new one.
  const watch = domain.dns.state === "verified" && !passed ? { since: now } : domain.watch;
  const looked: Domain = { ...domain, dns, watch, ledHere: domain.ledHere ?? leadsHere };
  if (domain.heldSince !== undefined) return stillHeld(domain, looked, now);
  if (!passed) return { domain: withoutClaim(looked), news: blockNews(domain, looked) };
  if (name !== "held") return taken(looked, now);
  if (domain.claim === undefined) {
    const claim = { since: now, until: now + CLAIM_WAIT_MS };
    return { domain: { ...looked, claim }, news: [{ kind: "contested", code: "taken" }] };
  }
  return now >= domain.claim.until ? taken(looked, now) : quietly(looked);
}

function taken(domain: Domain, now: number): Settled {
  const { lostAt: _lost, ...own } = withoutClaim(domain);
  return { domain: { ...own, heldSince: now }, news: [{ kind: "verified" }] };
}

function stillHeld(before: Domain, after: Domain, now: number): Settled {
  const news = blockNews(before, after);
  const { heldSince = now, certificate, issuance } = after;
  const stalled =
    certificate === undefined && issuance.stalledAt === undefined && now >= heldSince + STALLED_MS;
  if (!stalled) return { domain: after, news };
  return {
    domain: { ...after, issuance: { ...issuance, stalledAt: now } },
    news: [...news, { kind: "stalled", code: "stalled_30m" }],
  };
}

/** Told when what blocks it is another thing than before, not at every look. */
function blockNews(before: Domain, after: Domain): readonly News[] {
  const { state, codes } = after.dns;
  const same = before.dns.state === state && before.dns.codes.join() === codes.join();
  if (state !== "blocked" || same) return [];
  const [code] = codes;
  const kind = before.heldSince === undefined ? "blocked" : "failed";
  return [code === undefined ? { kind } : { kind, code }];
}

function gated(
  domain: Domain,
  { plan, deploy, project }: Extract<Outcome, { readonly kind: "gates" }>,
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
    return quietly({ ...domain, gates });
  }
  return {
    domain: { ...domain, gates: { ...seen, lapsedAt: now } },
    news: [{ kind: "lapsed", code: "plan_required" }],
  };
}

function begun(domain: Domain, resumeAt: number, now: number): Settled {
  const { attempts, ...issuance } = domain.issuance;
  const order = { openedAt: now, resumeAt };
  return {
    domain: { ...domain, issuance: { ...issuance, attempts: attempts + 1, order } },
    news: domain.certificate === undefined ? [{ kind: "issuing" }] : [],
  };
}

/** What is open, and what was granted, waits until `resumeAt`. */
function withOrder(domain: Domain, resumeAt: number): Domain {
  const { order, granted } = domain.issuance;
  const issuance = {
    ...domain.issuance,
    ...(order === undefined ? {} : { order: { ...order, resumeAt } }),
    ...(granted === undefined ? {} : { granted: { ...granted, resumeAt } }),
  };
  return { ...domain, issuance };
}

function withoutGranted({ granted: _granted, ...issuance }: Issuance): Issuance {
  return issuance;
}

function withoutOrder({ order: _order, ...issuance }: Issuance): Issuance {
  return issuance;
}

function withoutClaim({ claim: _claim, ...domain }: Domain): Domain {
  return domain;
}

function failed(
  domain: Domain,
  outcome: Extract<Outcome, { readonly kind: "order_failed" }>,
  now: number,
): Settled {
  const { failure, code, message, until, helpUrl, granted } = outcome;
  const { failures, failedAt, challenge, ...issuance } = withoutOrder(domain.issuance);
  const validation = failure === "validation";
  const counted = validation ? countFailure(failedAt, now) : failedAt;
  const next = nextOrderAt({
    failure,
    failures: failures + 1,
    now,
    urgent: domain.certificate !== undefined && now >= emergencyAt(domain.certificate),
    ...(until === undefined ? {} : { until }),
  });
  const other = challenge === "http-01" ? "tls-alpn-01" : "http-01";
  return {
    domain: {
      ...domain,
      issuance: {
        ...issuance,
        failures: failures + 1,
        failedAt: counted,
        challenge: validation ? other : challenge,
        failure: {
          code,
          message,
          at: now,
          ...(until === undefined ? {} : { until }),
          ...(helpUrl === undefined ? {} : { helpUrl }),
        },
        notBefore: Math.max(next, budgetedAt(counted, now)),
        ...(granted === undefined ? {} : { granted: { ...granted, resumeAt: now } }),
      },
    },
    news: [{ kind: "failed", code, message }],
  };
}

function issued(
  domain: Domain,
  {
    certificate,
    authorizationUrls: urls,
    challenge = domain.issuance.challenge,
  }: Extract<Outcome, { readonly kind: "issued" }>,
  now: number,
): Settled {
  const granted = { authority: certificate.authority, urls, resumeAt: now };
  const fresh = { challenge, attempts: 0, failures: 0, failedAt: [], notBefore: now };
  const issuance = urls.length === 0 ? fresh : { ...fresh, granted };
  return {
    domain: { ...domain, certificate: { ...certificate, activeSince: now }, issuance },
    news: [{ kind: domain.certificate === undefined ? "issued" : "renewed" }],
  };
}

function probed(domain: Domain, answered: boolean, now: number): Settled {
  if (domain.certificate === undefined) return quietly(domain);
  const certificate = { ...domain.certificate, probedAt: now };
  if (!answered) return quietly({ ...domain, certificate });
  return { domain: { ...domain, certificate, liveSince: now }, news: [{ kind: "live" }] };
}

function warned(domain: Domain, now: number): Settled {
  if (domain.certificate === undefined) return quietly(domain);
  const { code } = domain.issuance.failure ?? {};
  return {
    domain: { ...domain, certificate: { ...domain.certificate, warnedAt: now } },
    news: [code === undefined ? { kind: "expiring" } : { kind: "expiring", code }],
  };
}

function lost(domain: Domain, now: number): Settled {
  const { heldSince: _held, liveSince: _live, ...rest } = withOrder(domain, now);
  return { domain: { ...rest, lostAt: now }, news: [{ kind: "lost", code: "taken" }] };
}

function removed(domain: Domain, reason: Removal["reason"], now: number): Settled {
  if (domain.removal !== undefined) return quietly(domain);
  // An order that is open is given up at once.
  const { heldSince: _held, liveSince: _live, ...rest } = withOrder(withoutClaim(domain), now);
  return {
    domain: { ...rest, removal: { at: now, reason } },
    news: [{ kind: "removed", code: reason }],
  };
}

/** A domain that was removed, added again by the same project: what is left of its certificate is had back. */
export function restored(domain: Domain, fresh: Domain, now: number): Domain {
  const { certificate } = domain;
  const kept = certificate !== undefined && certificate.notAfter > now;
  return {
    ...fresh,
    id: domain.id,
    targetLabel: domain.targetLabel,
    version: domain.version,
    issuance: withoutFailure(domain.issuance),
    ...(kept ? { certificate } : {}),
  };
}

function withoutFailure({ failure: _failure, ...issuance }: Issuance): Issuance {
  return issuance;
}

/** What `add` is told: the facts that a new row begins with. */
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

/** A domain as it is added at `now`, by a project that may. */
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
