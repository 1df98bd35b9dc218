import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import {
  GRACE_MS,
  isAllowed,
  mayIssue,
  REMOVED_KEPT_MS,
  UNVERIFIED_KEPT_MS,
  type DnsFacts,
  type Domain,
  type Watch,
} from "./domain.ts";
import { driftStage } from "./drift-facts.ts";
import { nextLookAt } from "./drift.ts";
import { isOwnHost } from "./own-host.ts";
import { nextWarningAt } from "./overdue.ts";

import { revocationDueAt, renewalInfoDueAt } from "./apply-certificate.ts";
import { replacedAt } from "./renewal-due.ts";

/** The kinds of tasks of a domain. */
export type TaskKind =
  /** Check the DNS. */
  | "check"
  /** Look whether a live name still leads here. */
  | "look"
  /** Start an order, or perform the next step of the open one. */
  | "order"
  /** Connect to our own listener and check the certificate. */
  | "prove"
  /** Check from outside. */
  | "outside_check"
  /** Poll the CA's renewal information. */
  | "renewal_info"
  /** Revoke a certificate. */
  | "revoke"
  /** Check whether the project may still have the domain. */
  | "gates"
  /** Announce that serving has ended. */
  | "stop"
  /** Announce that the certificate is overdue. */
  | "warn"
  /** Remove a domain that was never verified. */
  | "expire"
  /** Close the order and deactivate the authorizations of a name that may not have a certificate. */
  | "abandon"
  /** Delete everything but the target. */
  | "forget";

export interface Task {
  readonly kind: TaskKind;
  /** Earliest time. */
  readonly at: number;
}

/** How long after a passed DNS check an order may start. */
export const PREFLIGHT_MS: number = 5 * MINUTE_MS;

/** A certificate usually takes two minutes; after this time the DNS is checked again. */
export const STALLED_MS: number = 30 * MINUTE_MS;

/** Automatic checks end after this time, unless the domain has a valid certificate. */
const WATCHED_MS: number = 48 * HOUR_MS;

const GATES_EVERY_MS: number = DAY_MS;
/** Interval of checks when a claim's proof could not be confirmed at its end. */
const CLAIM_EVERY_MS: number = 15 * MINUTE_MS;
const PROBE_EVERY_MS: number = 10 * SECOND_MS;

/** Check intervals by time since `watch.since`. */
const CHECKS: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: 10 * MINUTE_MS, everyMs: 20 * SECOND_MS },
  { withinMs: 30 * MINUTE_MS, everyMs: MINUTE_MS },
  { withinMs: 2 * HOUR_MS, everyMs: 5 * MINUTE_MS },
  { withinMs: 8 * HOUR_MS, everyMs: 15 * MINUTE_MS },
  { withinMs: WATCHED_MS, everyMs: HOUR_MS },
];

/**
 * Returns when to check the DNS next; undefined: only on request. Earlier than the regular interval if the last
 * outdated cached answer expires earlier.
 */
export function nextCheckAt({ since }: Watch, { checkedAt, eta }: DnsFacts): number | undefined {
  if (checkedAt === undefined || checkedAt < since) return since;
  const stage = CHECKS.find(({ withinMs }) => checkedAt - since < withinMs);
  if (stage === undefined) return undefined;
  const regular = checkedAt + stage.everyMs;
  return eta === undefined || eta < checkedAt ? regular : Math.min(regular, eta + SECOND_MS);
}

/** Tasks that take something away because time has passed. They cannot be undone. */
const ENDINGS: ReadonlySet<TaskKind> = new Set<TaskKind>(["stop", "expire", "forget"]);

/**
 * Returns a domain's next task; undefined: none until a request. Pure: the complete schedule of a domain. Without `mayEnd`,
 * the time is in doubt, and tasks that take something away wait.
 */
export function nextTask(domain: Domain, now: number, mayEnd = true): Task | undefined {
  const task = nextOwnTask(domain, now, ({ kind }) => mayEnd || !ENDINGS.has(kind));
  const at = revocationDueAt(domain);
  return at === undefined || (task !== undefined && task.at <= at) ? task : { kind: "revoke", at };
}

function nextOwnTask(
  domain: Domain,
  now: number,
  mayBe: (task: Task) => boolean,
): Task | undefined {
  const { removal, issuance } = domain;
  if (!mayIssue(domain) && issuance.order !== undefined) {
    return { kind: "abandon", at: issuance.order.resumeAt };
  }
  if (domain.heldSince === undefined && issuance.granted !== undefined) {
    return { kind: "abandon", at: issuance.granted.resumeAt };
  }
  if (removal !== undefined) {
    return [{ kind: "forget", at: removal.at + REMOVED_KEPT_MS } as const].find(mayBe);
  }
  const tasks: readonly Task[] = [
    ...(domain.heldSince === undefined ? unheldTasks(domain) : heldTasks(domain, now)),
    { kind: "gates", at: domain.gates.seenAt + GATES_EVERY_MS },
  ];
  return tasks.filter(mayBe).reduce((soonest, task) => (task.at < soonest.at ? task : soonest));
}

function unheldTasks({ addedAt, watch, dns, gates, claim, lostAt }: Domain): readonly Task[] {
  const expires = Math.max(addedAt, watch.since, lostAt ?? 0) + UNVERIFIED_KEPT_MS;
  const tasks: Task[] = [{ kind: "expire", at: expires }];
  const check = nextCheckAt(watch, dns);
  if (!isAllowed(gates)) return tasks;
  if (check !== undefined) tasks.push({ kind: "check", at: check });
  if (claim !== undefined) {
    const { checkedAt = 0 } = dns;
    const at = checkedAt < claim.until ? claim.until : checkedAt + CLAIM_EVERY_MS;
    tasks.push({ kind: "check", at });
  }
  return tasks;
}

function heldTasks(domain: Domain, now: number): readonly Task[] {
  const { certificate, dns, gates, issuance, liveSince, watch } = domain;
  const tasks: Task[] = [];
  // A check was requested.
  if (isAllowed(gates) && (dns.checkedAt ?? 0) < watch.since) {
    tasks.push({ kind: "check", at: watch.since });
  }
  if (gates.lapsedAt !== undefined && gates.stoppedAt === undefined) {
    tasks.push({ kind: "stop", at: gates.lapsedAt + GRACE_MS });
  }
  if (certificate !== undefined) {
    const { activeSince, probedAt = activeSince - PROBE_EVERY_MS } = certificate;
    if (liveSince === undefined && isAllowed(gates)) {
      tasks.push({ kind: "prove", at: probeAt(activeSince, probedAt) });
    }
    if (isAllowed(gates) && now < certificate.notAfter) {
      tasks.push({ kind: "renewal_info", at: renewalInfoDueAt(certificate) });
    }
    const warnAt = isAllowed(gates) ? nextWarningAt(certificate) : undefined;
    if (warnAt !== undefined) tasks.push({ kind: "warn", at: warnAt });
  }
  if (issuance.order !== undefined) {
    tasks.push({ kind: "order", at: issuance.order.resumeAt });
  } else if (isAllowed(gates)) {
    tasks.push(...orderTasks(domain, now), ...outsideTasks(domain));
    const look = nextLookAt(domain);
    if (look !== undefined) tasks.push({ kind: "look", at: look });
  }
  return tasks;
}

/** Last among tasks with the same due time, and never between a certificate and the first check of our own listener. */
function outsideTasks({ outside, certificate, liveSince }: Domain): readonly Task[] {
  if (outside?.wantedAt === undefined) return [];
  const proven = liveSince !== undefined || certificate?.probedAt !== undefined;
  return certificate === undefined || proven
    ? [{ kind: "outside_check", at: outside.wantedAt }]
    : [];
}

/** An order may only start shortly after a passed DNS check; otherwise that comes first. */
function orderTasks(domain: Domain, now: number): readonly Task[] {
  const { dns, watch, certificate, heldSince = 0, issuance } = domain;
  // Looks tell when it leads here again. The operator decides where an own host leads.
  if (driftStage(domain) !== undefined && !isOwnHost(domain)) return [];
  const check = nextCheckAt(watch, dns) ?? dailyCheckAt(domain);
  if (dns.state !== "verified") return check === undefined ? [] : [{ kind: "check", at: check }];
  const tasks: Task[] = [];
  const wanted = wantedAt(domain);
  const fresh = (dns.passedAt ?? 0) + PREFLIGHT_MS > Math.max(wanted, now);
  tasks.push({ kind: fresh ? "order" : "check", at: wanted });
  if (certificate === undefined && issuance.stalledAt === undefined) {
    tasks.push({ kind: "check", at: heldSince + STALLED_MS });
  }
  return tasks;
}

/** Returns when the next order is wanted, if nothing else stands in its way. */
export function wantedAt({ certificate, heldSince = 0, issuance }: Domain): number {
  const since = certificate === undefined ? heldSince : replacedAt(certificate);
  return Math.max(since, issuance.notBefore);
}

/** Reports whether the DNS check that is due has no other reason than an order. */
export function isPreflight(domain: Domain, now: number): boolean {
  const { dns, issuance, heldSince, certificate, watch } = domain;
  const { checkedAt = 0 } = dns;
  if (heldSince === undefined || dns.state !== "verified" || wantedAt(domain) > now) return false;
  if (checkedAt < watch.since || checkedAt < now - DAY_MS) return false;
  const stalls = certificate === undefined && issuance.stalledAt === undefined;
  return !stalls || now < heldSince + STALLED_MS;
}

/** With a valid certificate, the DNS is checked daily, however long it has been wrong. */
function dailyCheckAt({ certificate, dns }: Domain): number | undefined {
  const { checkedAt = 0 } = dns;
  return certificate !== undefined && checkedAt < certificate.notAfter
    ? checkedAt + DAY_MS
    : undefined;
}

function probeAt(activeSince: number, probedAt: number): number {
  const everyMs = probedAt - activeSince < 10 * MINUTE_MS ? PROBE_EVERY_MS : 10 * MINUTE_MS;
  return probedAt + everyMs;
}
