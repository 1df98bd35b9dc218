import { DAY_MS } from "../../lib/base/clock.ts";

/** From when to when a certificate may be used, its first and its last instant. */
export interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Shorter ones are renewed earlier in proportion: there is little time for a second try. */
const SHORT_MS = 10 * DAY_MS;
/** By so much of its lifetime the renewals of certificates of one day are spread. */
const SPREAD = 1 / 50;
/** With less left than that, nothing that could make it wait is heeded any more. */
const EMERGENCY = 1 / 20;

/**
 * When to renew a certificate that nobody gave another time for: with a third of its lifetime left, or half when it
 * lives less than ten days; earlier by up to a fiftieth of the lifetime, as `spread`, a random number from 0 up to
 * 1, says.
 */
export function renewalAt({ notBefore, notAfter }: Lifetime, spread: number): number {
  const lifetimeMs = notAfter - notBefore;
  const left = lifetimeMs < SHORT_MS ? 1 / 2 : 1 / 3;
  return Math.floor(notAfter - lifetimeMs * (left + spread * SPREAD));
}

/** From when on renewal is an emergency: a twentieth of the lifetime is left. */
export function emergencyAt({ notBefore, notAfter }: Lifetime): number {
  return Math.floor(notAfter - (notAfter - notBefore) * EMERGENCY);
}
