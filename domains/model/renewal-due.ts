import type { ActiveCertificate } from "./domain.ts";
import { orderFloorMs, windowFloorMs } from "./renewal.ts";

/**
 * Automatic renewals keep a minimum interval whatever the dates say, a shorter one if the CA asks for them in a renewal
 * window; replacements with a reason do not.
 */
export function replacedAt(certificate: ActiveCertificate): number {
  const { renewAt, activeSince, replace } = certificate;
  const floorMs = isWindowed(certificate) ? windowFloorMs(certificate) : orderFloorMs(certificate);
  const automatic = Math.max(renewAt, activeSince + floorMs);
  return replace === undefined ? automatic : Math.min(automatic, replace.at);
}

function isWindowed({ renewAt, renewal, signerAheadMs = 0 }: ActiveCertificate): boolean {
  const { start, end } = renewal?.window ?? { start: Infinity, end: -Infinity };
  return renewAt + signerAheadMs >= start && renewAt + signerAheadMs <= end;
}

/** Returns when an automatic renewal is due by our own clock, whose error may be another one. */
export function ownRenewalAt(certificate: ActiveCertificate): number {
  const { activeSince, ownSince = activeSince } = certificate;
  return ownSince + replacedAt(certificate) - activeSince;
}

/** With clocks that disagree, an order that is due by one of them keeps this part of the lifetime by the other one. */
const DOUBTFUL = 1 / 4;

/**
 * Returns until when, by our own clock, an automatic order waits that only the CA's clock makes due: at most a quarter of
 * the lifetime since the last one, so that a clock that jumps starts no storm. Undefined: it does not wait.
 */
export function doubtfulUntil(certificate: ActiveCertificate, ownNow: number): number | undefined {
  const { notBefore, notAfter, activeSince, ownSince = activeSince, replace } = certificate;
  if (replace !== undefined || ownNow >= ownRenewalAt(certificate)) return undefined;
  const until = ownSince + (notAfter - notBefore) * DOUBTFUL;
  return ownNow >= ownSince && ownNow < until ? until : undefined;
}

/** Likewise of an order that only our own clock makes due: reports whether it may start. */
function isPlausible(
  { notBefore, notAfter, activeSince }: ActiveCertificate,
  now: number,
): boolean {
  const elapsedMs = now - activeSince;
  return elapsedMs < 0 || elapsedMs >= (notAfter - notBefore) * DOUBTFUL;
}

/** Reports whether a renewal is due by our own clock, but not by the one that orders follow. */
export function isDueByOwnClock(
  certificate: ActiveCertificate,
  now: number,
  ownNow: number,
): boolean {
  return (
    now < replacedAt(certificate) &&
    ownNow >= ownRenewalAt(certificate) &&
    isPlausible(certificate, now)
  );
}
