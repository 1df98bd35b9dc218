import { DAY_MS } from "../../../../lib/base/clock.ts";
import type { CertificateView } from "../../../../domains/view/shapes.ts";

/** By then renewal has failed for weeks. */
const SOON_MS = 10 * DAY_MS;

export type CertificateState = "valid" | "failing" | "expiresSoon" | "expired";

/** Returns the most serious state of a certificate at `now`. */
export function stateOf(
  { notAfter, reason }: Pick<CertificateView, "notAfter" | "reason">,
  now: number,
): CertificateState {
  if (notAfter <= now) return "expired";
  if (notAfter - now < SOON_MS) return "expiresSoon";
  return reason === null ? "valid" : "failing";
}
