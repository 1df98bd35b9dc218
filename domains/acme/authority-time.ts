import { HOUR_MS, MINUTE_MS, type Clock } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import { isSkewed, skewInWords } from "../model/clock-skew.ts";
import type { CertificateAuthority } from "../ports/authority.ts";

/**
 * A clock that follows the certificate authority's. Certificates and orders are scheduled by it, so that a wrong clock
 * of the host causes neither early nor late renewals, and correcting it changes nothing. The CA's can be wrong, too, so
 * a renewal that is due by the host's clock alone is ordered as well (`isDueByOwnClock`).
 */
export interface AuthorityTime extends Clock {
  /** The host's clock, for leases, deadlines and waits. */
  readonly host: Clock;
  /** Milliseconds by which the CA's clock was ahead of the host's at the last comparison; undefined: unknown. */
  readonly aheadMs: number | undefined;
  /** Whether the CA has answered since the start, with or without the time. */
  readonly compared: boolean;
  /** Converts an instant of the host's clock to this clock. */
  fromHost(at: number): number;
  /**
   * Compares the clocks, unless that was done less than `maxAgeMs` ago. Without an answer nothing changes, and it resolves
   * with false.
   */
  compare(signal: AbortSignal, maxAgeMs?: number): Promise<boolean>;
}

/** Reports whether our clock and the CA's agree, or cannot be compared. */
export function agrees(clock: Pick<AuthorityTime, "now" | "host">): boolean {
  return !isSkewed(clock.now() - clock.host.now());
}

export interface AuthorityTimeOptions {
  readonly clock: Clock;
  /** The authority of new orders. */
  readonly authority: Pick<CertificateAuthority, "id" | "directory">;
  readonly log: Log;
  /** Called with `aheadMs` when the host's clock becomes wrong, and with 0 when it is right again. */
  readonly onSkew?: (aheadMs: number) => Promise<void>;
}

/** Maximum age of the comparison before an order. */
const FRESH_MS: number = 10 * MINUTE_MS;
/** Interval of comparisons without orders; short enough for certificates with a lifetime of a day. */
export const COMPARE_EVERY_MS: number = 6 * HOUR_MS;
const RETRY_MS: number = MINUTE_MS;

export function createAuthorityTime({
  clock: host,
  authority,
  log,
  onSkew = async () => {},
}: AuthorityTimeOptions): AuthorityTime {
  let aheadMs: number | undefined;
  let correctionMs = 0;
  let comparedAt: number | undefined;
  let failedAt: number | undefined;

  // After the clock was set back, the age is unknown.
  const isRecent = (at: number | undefined, maxAgeMs: number): boolean =>
    at !== undefined && host.now() >= at && host.now() - at < maxAgeMs;

  return {
    host,
    get aheadMs() {
      return aheadMs;
    },
    get compared() {
      return comparedAt !== undefined;
    },
    now: () => host.now() + correctionMs,
    sleep: (ms, signal) => host.sleep(ms, signal),
    fromHost: (at) => at + correctionMs,
    compare: async (signal, maxAgeMs = FRESH_MS) => {
      if (isRecent(comparedAt, maxAgeMs)) return true;
      if (isRecent(failedAt, RETRY_MS)) return false;
      const found = await authority.directory(signal);
      if (!found.ok) {
        failedAt = host.now();
        return false;
      }
      comparedAt = host.now();
      aheadMs = found.value.aheadMs;
      const before = correctionMs;
      correctionMs = aheadMs !== undefined && isSkewed(aheadMs) ? aheadMs : 0;
      if (Math.abs(correctionMs - before) <= MINUTE_MS) return true;
      if (correctionMs === 0) log.info("clock_skew: our clock agrees with the CA's again");
      else {
        log.warn(`clock_skew: ${skewInWords(correctionMs)}; certificates follow the CA's time`, {
          ca: authority.id,
          fix: "set the clock of this machine, by NTP for example",
        });
      }
      await onSkew(correctionMs);
      return true;
    },
  };
}
