import { DAY_MS, HOUR_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";

/** From when to when a certificate may be used, its first and its last instant. */
export interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** From when to when a CA wants a certificate replaced, in its own time, as all instants of a domain. */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
}

/** What is known of a certificate's renewal from its CA (RFC 9773). */
export interface RenewalFacts {
  /** When the CA is asked next. */
  readonly checkAt: number;
  /** As the CA said it last; absent: it has not said anything. */
  readonly window?: RenewalWindow;
  /** Where the CA explains the window. */
  readonly explanationUrl?: string;
}

/** Shorter ones are renewed earlier in proportion: there is little time for a second try. */
const SHORT_MS = 10 * DAY_MS;
/** By so much of its lifetime the renewals of certificates of one day are spread. */
const SPREAD = 1 / 50;
/** With less left than that, nothing that could make it wait is heeded any more. */
const EMERGENCY = 1 / 20;

/** Automatic orders keep at least this distance, or a third of the lifetime when that is less. */
const FLOOR_MS = 8 * HOUR_MS;

/** When a certificate came, and where that was in its lifetime. */
export interface Arrival extends Lifetime {
  readonly arrivedAt: number;
  /** False: nothing says how far our clock is off, so `notBefore` and `notAfter` cannot be compared with it. */
  readonly timeKnown: boolean;
}

/**
 * When to renew a certificate that has no other renewal time: with a third of its lifetime left, or half when it
 * lives less than ten days; earlier by up to a fiftieth of the lifetime, as `spread`, a random number from 0 up to
 * 1, says. Counted from the arrival on our own clock, so that a clock that is always wrong by the same amount renews in
 * time; sooner for a certificate that was already old when it came.
 */
export function renewalAt(
  { notBefore, notAfter, arrivedAt, timeKnown }: Arrival,
  spread: number,
): number {
  const lifetimeMs = notAfter - notBefore;
  const left = lifetimeMs < SHORT_MS ? 1 / 2 : 1 / 3;
  const used = lifetimeMs * (1 - left - spread * SPREAD);
  return Math.floor((timeKnown ? Math.min(notBefore, arrivedAt) : arrivedAt) + used);
}

/** The shortest time between a certificate and the next automatic order. No error in any date makes it shorter. */
export function orderFloorMs({ notBefore, notAfter }: Lifetime): number {
  const lifetimeMs = Math.max(0, notAfter - notBefore);
  return Math.floor(Math.max(lifetimeMs * EMERGENCY, Math.min(FLOOR_MS, lifetimeMs / 3)));
}

/** From when on renewal is an emergency: a twentieth of the lifetime is left. */
export function emergencyAt({ notBefore, notAfter }: Lifetime): number {
  return Math.floor(notAfter - (notAfter - notBefore) * EMERGENCY);
}

/** A random number from 0 up to 1. */
export function fraction(random: Random): number {
  const [high = 0, low = 0] = random(new Uint8Array(2));
  return (high * 0x100 + low) / 0x1_0000;
}
