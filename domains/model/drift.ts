import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import type { Domain } from "./domain.ts";
import { driftOf, driftStage, type Drift } from "./drift-facts.ts";

/**
 * Where the authoritative servers of a name lead. `unseen`: none of them answered, which says nothing. Resolvers, timeouts
 * and refusals never make a name `away`.
 */
export type Seen = "here" | "away" | "unseen";

/** How many looks, over how long a time, make a name drift. */
const DRIFTING_LOOKS = 3;
const DRIFTING_MS: number = 2 * HOUR_MS;
/** How long a name drifts until its certificate is no longer renewed. */
export const MOVED_MS: number = 7 * DAY_MS;
/** How long a name drifts until it is released. */
export const RELEASED_MS: number = 30 * DAY_MS;

/** The longest gap between two looks that counts. */
export const MAX_GAP_MS: number = HOUR_MS;
/** Interval of looks while a name drifts. */
export const DRIFT_LOOK_MS: number = 10 * MINUTE_MS;
/** Interval of looks after a bad one, and while a check says that the records are wrong. */
const DOUBT_LOOK_MS: number = HOUR_MS;
/** Looks after failed renewals are spread over this time, as a CA often fails for many names at once. */
const AFTER_FAILURE_MS: number = 8 * MINUTE_MS;
/** A daily look that is later than this waits for the next day, so that a pause of the service leads to no burst of looks. */
const LATE_MS: number = HOUR_MS;
/** While a name drifts, its findings are renewed this often. */
const FINDINGS_MS: number = HOUR_MS;

/** Returns when a name that drifts is no longer renewed, or is released, if it is seen all the time until then. */
export function driftEndsAt({ lookedAt, seenMs }: Drift, afterMs: number): number {
  return lookedAt + Math.max(0, afterMs - seenMs);
}

/** Returns when to look at a live name next; undefined for a name that is not live. */
export function nextLookAt(domain: Domain): number | undefined {
  const { certificate, liveSince, dns, issuance, look, watch } = domain;
  if (certificate === undefined || liveSince === undefined) return undefined;
  const lookedAt = look?.at ?? 0;
  const drift = driftOf(domain);
  if (drift?.stage !== undefined) return Math.max(lookedAt, drift.lookedAt) + DRIFT_LOOK_MS;
  const daily = dailyLookAt(domain);
  if (drift !== undefined) {
    const soon = Math.max(lookedAt, drift.lookedAt) + DOUBT_LOOK_MS;
    return drift.doubted === true ? daily : Math.min(daily, soon);
  }
  const failedAt = issuance.failure?.at;
  const afterFailure =
    failedAt !== undefined && failedAt > lastSeenAt(domain)
      ? failedAt + (offsetOf(domain.name) % AFTER_FAILURE_MS)
      : Infinity;
  const whenWrong =
    dns.state === "blocked" ? Math.max(watch.since, lookedAt + DOUBT_LOOK_MS) : Infinity;
  return Math.min(daily, afterFailure, whenWrong);
}

/** Reports whether the daily look is so late that it waits for the next day. */
export function isLookMissed(domain: Domain, now: number): boolean {
  const at = nextLookAt(domain);
  return at !== undefined && at === dailyLookAt(domain) && now > at + LATE_MS;
}

/** The next time of the day that belongs to the name, after the last look or check. */
function dailyLookAt(domain: Domain): number {
  const last = lastSeenAt(domain);
  const offset = offsetOf(domain.name);
  const days = Math.floor((last - offset) / DAY_MS) + 1;
  return days * DAY_MS + offset;
}

/** When the authoritative servers were last asked. */
function lastSeenAt({ dns, drift, look, liveSince }: Domain): number {
  return Math.max(look?.at ?? 0, dns.checkedAt ?? 0, drift?.lookedAt ?? 0, liveSince ?? 0);
}

/** Returns the time of the day at which a name is looked at, in milliseconds: the same on every node, and evenly spread. */
export function offsetOf(name: string): number {
  // FNV-1a, whose last bits are mixed once more, because names often differ in few letters.
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return Math.floor((((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32) * DAY_MS);
}

/** The names whose daily look was in the last hour, or the last fifty if there are fewer, and how many of them are bad. */
export interface LookCounts {
  readonly looks: number;
  readonly bad: number;
  /** How many of the bad ones have been bad for longer than `LASTING_DRIFT_MS`. */
  readonly lasting: number;
}

/** A fault of this service does not last longer, unless most names are bad: the operator is told of it all the time. */
export const LASTING_DRIFT_MS: number = 7 * DAY_MS;

/** Fewer bad looks say nothing about this service. */
const LEAST_BAD = 5;

/**
 * Reports whether so many looks are bad that the cause must be here: our resolver, our network, or the records of our
 * targets. Then drift stands still for all names.
 */
export function driftStandsStill({ looks, bad, lasting }: LookCounts): boolean {
  const turned = bad - lasting;
  const many = turned >= LEAST_BAD && turned * 10 > looks - lasting;
  // In a small installation, names that moved at different times may be more than a tenth together, but hardly most.
  return many || (bad >= LEAST_BAD && bad * 2 > looks);
}

/** Returns what `LookCounts` count of a domain; null: nothing, as it is not live, or moved. */
export function countedLook(domain: Domain): { readonly at: number; readonly bad: boolean } | null {
  const { look, removal, certificate, heldSince } = domain;
  if (removal !== undefined || heldSince === undefined || certificate === undefined) return null;
  const drift = driftOf(domain);
  if (drift === undefined) return look === undefined ? null : { at: look.at, bad: false };
  // Later looks of a name that drifts are frequent, and would outnumber the others.
  return drift.stage?.kind === "moved" ? null : { at: drift.since, bad: true };
}

/** What decides about a look, besides the domain. */
export interface LookCircumstances {
  readonly seen: Seen;
  readonly now: number;
  /** `driftStandsStill` holds. */
  readonly doubted: boolean;
  /** The name may be no longer renewed, or released. False: the time is in doubt, or it is a host of the service itself. */
  readonly mayLeave: boolean;
}

/** Returns the drift after a look. */
export function driftAfter(
  domain: Domain,
  { seen, now, doubted, mayLeave }: LookCircumstances,
): Drift | undefined {
  const before = driftOf(domain);
  if (seen === "here") return undefined;
  if (seen === "unseen") return before;
  const { since = now, looks = 0, seenMs = 0, stage, lookedAt = now } = before ?? {};
  if (doubted) {
    const kept = { since, lookedAt: now, looks, seenMs, doubted } as const;
    return stage === undefined ? kept : { ...kept, stage };
  }
  // After a doubted look, the time since does not count.
  const gapMs = before?.doubted === true ? 0 : Math.min(Math.max(0, now - lookedAt), MAX_GAP_MS);
  // While a name may not leave, the time does not bring its release closer.
  const mostMs = mayLeave ? Infinity : Math.max(seenMs, MOVED_MS);
  const next = {
    since,
    lookedAt: now,
    looks: looks + 1,
    seenMs: Math.min(seenMs + gapMs, mostMs),
  };
  const kind = stageAfter(next, stage?.kind, mayLeave);
  if (kind === undefined) return next;
  return { ...next, stage: kind === stage?.kind ? stage : { kind, at: now } };
}

function stageAfter(
  { looks, seenMs }: Pick<Drift, "looks" | "seenMs">,
  before: "drifting" | "moved" | undefined,
  mayLeave: boolean,
): "drifting" | "moved" | undefined {
  if (before === "moved") return before;
  if (before === "drifting" && seenMs >= MOVED_MS && mayLeave) return "moved";
  return before ?? (looks >= DRIFTING_LOOKS && seenMs >= DRIFTING_MS ? "drifting" : undefined);
}

/** Reports whether a name has drifted for so long that it is released. */
export function isReleased(drift: Drift | undefined, mayLeave: boolean): boolean {
  return mayLeave && drift?.stage?.kind === "moved" && drift.seenMs >= RELEASED_MS;
}

/**
 * Reports whether a look is followed by a check at once, which finds out what is wrong and what to enter: before a name
 * begins to drift, every hour while it does, and when it leads here again.
 */
export function needsCheck(domain: Domain, circumstances: LookCircumstances): boolean {
  const { seen, now } = circumstances;
  const before = driftStage(domain);
  if (seen === "here") return before !== undefined;
  if (seen === "unseen") return false;
  const isOld = now - (domain.dns.checkedAt ?? 0) >= FINDINGS_MS;
  return before === undefined
    ? driftAfter(domain, circumstances)?.stage !== undefined
    : isOld || domain.dns.state !== "blocked";
}
