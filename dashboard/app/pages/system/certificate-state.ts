import { DAY_MS } from "../../../../lib/base/clock.ts";
import type { CertificateView } from "../../../../lib/management/domain-view.ts";

/** Renewing has failed for weeks when so little is left. */
const SOON_MS = 10 * DAY_MS;

export type CertificateState = "valid" | "failing" | "expiresSoon" | "expired";

/** How a certificate stands at `now`; the worst that can be said of it. */
export function stateOf(
  { notAfter, reason }: Pick<CertificateView, "notAfter" | "reason">,
  now: number,
): CertificateState {
  if (notAfter <= now) return "expired";
  if (notAfter - now < SOON_MS) return "expiresSoon";
  return reason === null ? "valid" : "failing";
}
