import { DAY_MS, HOUR_MS, SECOND_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";

/** The first and last instant of a certificate's validity. */
export interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * When a CA wants a certificate replaced: from `start` to `end`, in milliseconds since the Unix epoch, corrected to the CA's
 * time as all instants of a domain.
 */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
}

/** Renewal information from the CA (RFC 9773). Instants are in milliseconds since the Unix epoch. */
export interface RenewalFacts {
  /** The next poll. */
  readonly checkAt: number;
  /** The latest window; absent: none received. */
  readonly window?: RenewalWindow;
  /** The CA's explanation of the window. */
  readonly explanationUrl?: string;
}

/** Certificates with a shorter lifetime are renewed proportionally earlier, to leave time for retries. */
const SHORT_MS = 10 * DAY_MS;
/** Fraction of the lifetime over which renewals are spread. */
const SPREAD = 1 / 50;
/** With a smaller fraction of the lifetime left, waits are ignored. */
const EMERGENCY = 1 / 20;

/** Minimum interval of automatic orders; a third of the lifetime if that is less, but ten seconds at least. */
const FLOOR_MS = 8 * HOUR_MS;
const MIN_FLOOR_MS = 10 * SECOND_MS;

/** A certificate's lifetime and arrival. */
export interface Arrival extends Lifetime {
  /** The arrival by the clock that orders follow. */
  readonly arrivedAt: number;
  /** The arrival by our own clock. Default: `arrivedAt`. */
  readonly ownAt?: number;
  /** False: our clock's error is unknown, so it cannot be compared with `notBefore` and `notAfter`. */
  readonly timeKnown: boolean;
}

/** CAs date certificates back by up to an hour; ours can be wrong by some minutes. */
const DATED_BACK_MS = 2 * HOUR_MS;

/**
 * Returns by how much the clock that a CA dates certificates by is ahead of the one that orders follow, judged by a
 * certificate that has just arrived. If that clock and our own disagree, the one nearer to `notBefore` is right; a `Date`
 * that a CA sends can be wrong. 0 unless they differ by more than CAs date back.
 */
export function signerAheadMs({
  notBefore,
  arrivedAt,
  ownAt = arrivedAt,
  timeKnown,
}: Omit<Arrival, "notAfter">): number {
  const aheadMs = notBefore - arrivedAt;
  if (Math.abs(aheadMs) <= DATED_BACK_MS) return 0;
  if (!timeKnown) return aheadMs;
  return Math.abs(ownAt - notBefore) < Math.abs(aheadMs) ? ownAt - arrivedAt : 0;
}

/**
 * Returns when to renew a certificate without a renewal window: with a third of its lifetime left, or half if that
 * is under ten days; earlier by up to a fiftieth of the lifetime according to `spread`, a random number from 0 to
 * below 1. Counts from the arrival on the clock that orders follow, so that a constant error of that clock has no effect;
 * earlier for certificates that were already old on arrival.
 */
export function renewalAt(arrival: Arrival, spread: number): number {
  const { arrivedAt, timeKnown } = arrival;
  const { notBefore, notAfter } = withoutBackdating(arrival, arrivedAt);
  const lifetimeMs = notAfter - notBefore;
  const left = lifetimeMs < SHORT_MS ? 1 / 2 : 1 / 3;
  const used = lifetimeMs * (1 - left - spread * SPREAD);
  const ageMs = timeKnown ? Math.max(0, arrivedAt + signerAheadMs(arrival) - notBefore) : 0;
  return Math.floor(arrivedAt - ageMs + used);
}

/** Returns the lifetime from the arrival on, if the certificate is dated back no more than CAs do. */
function withoutBackdating({ notBefore, notAfter }: Lifetime, arrivedAt: number): Lifetime {
  const ageMs = arrivedAt - notBefore;
  return { notBefore: ageMs > 0 && ageMs <= DATED_BACK_MS ? arrivedAt : notBefore, notAfter };
}

/** Returns the minimum time between a certificate and the next automatic order, whatever its dates say. */
export function orderFloorMs(lifetime: Lifetime & { readonly activeSince: number }): number {
  const { notBefore, notAfter } = withoutBackdating(lifetime, lifetime.activeSince);
  const lifetimeMs = Math.max(0, notAfter - notBefore);
  return Math.floor(Math.max(lifetimeMs * EMERGENCY, windowFloorMs(lifetime)));
}

/** Likewise, if the CA itself asks for the order by a renewal window. */
export function windowFloorMs(lifetime: Lifetime & { readonly activeSince: number }): number {
  const { notBefore, notAfter } = withoutBackdating(lifetime, lifetime.activeSince);
  return Math.floor(Math.max(MIN_FLOOR_MS, Math.min(FLOOR_MS, (notAfter - notBefore) / 3)));
}

/**
 * Returns how much of a certificate's life is left, at least 0: until it expires, but no more than its lifetime without the
 * time since it arrived, so that a clock that is behind delays nothing.
 */
export function lifeLeftMs(
  { notBefore, notAfter, activeSince }: Lifetime & { readonly activeSince: number },
  now: number,
): number {
  const unusedMs = notAfter - notBefore - Math.max(0, now - activeSince);
  return Math.max(0, Math.min(notAfter - now, unusedMs));
}

/** Returns when renewal becomes an emergency: with a twentieth of the lifetime left. */
export function emergencyAt({ notBefore, notAfter }: Lifetime): number {
  return Math.floor(notAfter - (notAfter - notBefore) * EMERGENCY);
}

/** Returns a random number from 0 to below 1. */
export function fraction(random: Random): number {
  const [high = 0, low = 0] = random(new Uint8Array(2));
  return (high * 0x100 + low) / 0x1_0000;
}
