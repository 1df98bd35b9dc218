import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { NOT_REACHED } from "./acme-problem.ts";
import type { Domain } from "./domain.ts";
import { lifeLeftMs } from "./renewal.ts";

/**
 * What is known about a CA that takes no new orders from this service, or did not answer. All processes share it. It
 * holds up all names, but no longer than `mayOrder` says: one order at a time finds out whether it is over. Instants
 * are in milliseconds since the Unix epoch.
 */
export interface AuthorityPause {
  readonly authority: string;
  /** The CA takes no new orders until then, as it said. In the past: it did not say so, or that is over. */
  readonly until: number;
  /** The CA's message, or how it failed. */
  readonly message: string;
  /** When the CA last refused an order or did not answer, or an order was last allowed in spite of that. */
  readonly probedAt: number;
  /** The domain whose order was allowed then. Absent: the CA has refused an order since. */
  readonly probedBy?: string;
  /** Failures in a row of the directory, nonces, the account and new orders. Absent: none. */
  readonly failures?: number;
  /** Where the operator can resolve a refusal, and when the CA last named the page. Absent: it has named none. */
  readonly help?: { readonly url: string; readonly at: number };
}

/** Failures in a row after which a CA counts as down, for all names. */
export const DOWN_AFTER = 3;

/** Failures with longer times between them are not in a row. */
export const IN_A_ROW_MS: number = 10 * MINUTE_MS;

/** The shortest time between two orders to a CA that is paused or down, for all names and processes together. */
export const PROBE_EVERY_MS: number = MINUTE_MS;

/** Probes of a CA that stays down are this far apart in the end. */
const DOWN_PROBE_MS: number = 5 * MINUTE_MS;
/** After so many failures in a row. */
const STAYS_DOWN_AFTER = 60;

/** Share of a certificate's remaining life that the wait for the next probe may take. */
const LIFE_SHARE = 1 / 8;

/** How long an order that was allowed in spite of a pause may take to start. */
const PROBE_MS: number = 5 * MINUTE_MS;

/** How often a name that waits looks whether it may go on: a new one, and one that has a certificate. */
const LOOK_NEW_MS: number = 5 * MINUTE_MS;
const LOOK_MS: number = HOUR_MS;

/** Why a CA takes no orders now: it is rate-limited for the whole account, or does not answer. */
export type PauseCause = "limited" | "down";

/** Returns why a CA takes no orders now; undefined if nothing is known against it. */
export function causeOf(pause: AuthorityPause | undefined, now: number): PauseCause | undefined {
  if (pause === undefined) return undefined;
  if (pause.until > now) return "limited";
  return (pause.failures ?? 0) >= DOWN_AFTER ? "down" : undefined;
}

/**
 * Returns until when a CA is paused: as it said, or the next time it is probed while it does not answer. Undefined if
 * it takes orders. Never in the past.
 */
export function pausedUntil(pause: AuthorityPause | undefined, now: number): number | undefined {
  const cause = causeOf(pause, now);
  if (pause === undefined || cause === undefined) return undefined;
  return cause === "limited" ? pause.until : Math.max(now, nextProbeAt(pause, undefined, now));
}

/** Whether a domain's next order may go to a CA now. */
export type OrderPermission =
  /** Nothing is known against it. */
  | { readonly kind: "open" }
  /** It may, as the only one: if the store takes `authority.probe` for it. */
  | { readonly kind: "probe"; readonly pause: AuthorityPause }
  /** It may not before `until`, which is later than now. */
  | {
      readonly kind: "wait";
      readonly cause: PauseCause;
      readonly until: number;
      readonly pause: AuthorityPause;
    };

/** The part of a domain that decides when it may probe a CA. */
export type Asking = Pick<Domain, "id" | "certificate">;

/**
 * Decides whether a CA may get the domain's next order now. Pure; the store decides which of several domains probes.
 * While the CA is paused, an order probes it after what the CA asked to wait, a day, or an eighth of the remaining life
 * of the domain's certificate, whichever is shortest, but after a minute at the earliest. So the certificate with the
 * shortest life left probes first.
 */
export function mayOrder(
  pause: AuthorityPause | undefined,
  asking: Asking,
  now: number,
): OrderPermission {
  const cause = causeOf(pause, now);
  if (pause === undefined || cause === undefined || letsPass(pause, asking.id, now)) {
    return { kind: "open" };
  }
  const at = nextProbeAt(pause, asking, now);
  return at <= now ? { kind: "probe", pause } : { kind: "wait", cause, until: at, pause };
}

/** Returns what owners of domains read about a pause: what the CA said, but not how a connection to it failed. */
export function messageOf({ message }: AuthorityPause, cause: PauseCause): string {
  return cause === "limited" ? message : NOT_REACHED;
}

/** Reports whether a pause lets the order of a domain pass: the one that was last allowed to probe. */
function letsPass({ probedAt, probedBy }: AuthorityPause, domainId: string, now: number): boolean {
  return probedBy === domainId && Math.abs(now - probedAt) < PROBE_MS;
}

/** Returns when an order may ask the CA in spite of the pause. Without a domain, for one without a certificate. */
function nextProbeAt(pause: AuthorityPause, asking: Asking | undefined, now: number): number {
  // If the clock was set back, the wait is no longer than usual.
  const since = Math.min(pause.probedAt, now);
  const { certificate } = asking ?? {};
  const shareMs =
    certificate === undefined ? DAY_MS : Math.floor(lifeLeftMs(certificate, now) * LIFE_SHARE);
  const wantedMs =
    pause.until > now
      ? Math.min(pause.until - since, DAY_MS)
      : (pause.failures ?? 0) < STAYS_DOWN_AFTER
        ? PROBE_EVERY_MS
        : DOWN_PROBE_MS;
  return since + Math.max(PROBE_EVERY_MS, Math.min(wantedMs, shareMs));
}

/** Returns when a person may ask for an order in spite of a pause: now if none holds. */
export function probeableAt(pause: AuthorityPause | undefined, now: number): number {
  if (pause === undefined || causeOf(pause, now) === undefined) return now;
  return Math.max(now, Math.min(pause.probedAt, now) + PROBE_EVERY_MS);
}

/**
 * Returns when a domain that has to wait looks again. The one whose order the CA has just refused probes next. The
 * others look less often, spread over a third of that time: they take over if the first one is gone, and order when the
 * pause is over. `spread` is a random number from 0 to below 1.
 */
export function looksAgainAt(
  { cause, until }: Extract<OrderPermission, { readonly kind: "wait" }>,
  {
    certificate,
    probed,
    spread,
  }: {
    readonly certificate: Asking["certificate"];
    /** It is the one whose order was refused. */
    readonly probed: boolean;
    readonly spread: number;
  },
  now: number,
): number {
  if (probed) return until;
  const shareMs =
    certificate === undefined ? LOOK_NEW_MS : lifeLeftMs(certificate, now) * LIFE_SHARE;
  const everyMs = Math.max(PROBE_EVERY_MS, Math.min(shareMs, LOOK_MS));
  const lookAt = now + Math.floor(everyMs * (1 - spread / 3));
  return cause === "limited" ? Math.min(until, lookAt) : lookAt;
}
