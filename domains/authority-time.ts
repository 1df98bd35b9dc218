import { HOUR_MS, MINUTE_MS, type Clock } from "../lib/base/clock.ts";
import type { Log } from "../lib/base/log.ts";
import { isSkewed, skewInWords } from "./model/clock-skew.ts";
import type { CertificateAuthority } from "./ports/authority.ts";

/**
 * The time as the certificate authority has it. Certificates, orders and their waits are scheduled by this clock, so
 * that a wrong clock of the host renews neither too often nor too late, and setting it right changes nothing.
 */
export interface AuthorityTime extends Clock {
  /** The host's own clock: for leases, deadlines and sleeping. */
  readonly host: Clock;
  /** How far the CA's clock was ahead of the host's when they were last compared; undefined: not known. */
  readonly aheadMs: number | undefined;
  /** Whether the CA has answered since the start, even if it did not say the time. */
  readonly compared: boolean;
  /** The instant on this clock that the host's clock calls `at`. */
  fromHost(at: number): number;
  /** Compares the clocks unless that was done less than `maxAgeMs` ago. A CA that does not answer changes nothing. */
  compare(signal: AbortSignal, maxAgeMs?: number): Promise<void>;
}

export interface AuthorityTimeOptions {
  readonly clock: Clock;
  /** The one that new orders go to. */
  readonly authority: Pick<CertificateAuthority, "id" | "directory">;
  readonly log: Log;
  /** Called when the host's clock becomes wrong, with `aheadMs`, and when it is right again, with 0. */
  readonly onSkew?: (aheadMs: number) => Promise<void>;
}

/** Before an order the comparison may not be older than that. */
const FRESH_MS: number = 10 * MINUTE_MS;
/** How often clocks are compared when nothing is ordered: often enough for certificates that live a day. */
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

  // A clock that was put back makes every comparison old.
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
      if (isRecent(comparedAt, maxAgeMs) || isRecent(failedAt, RETRY_MS)) return;
      const found = await authority.directory(signal);
      if (!found.ok) {
        failedAt = host.now();
        return;
      }
      comparedAt = host.now();
      aheadMs = found.value.aheadMs;
      const before = correctionMs;
      correctionMs = aheadMs !== undefined && isSkewed(aheadMs) ? aheadMs : 0;
      if (Math.abs(correctionMs - before) <= MINUTE_MS) return;
      if (correctionMs === 0) log.info("clock_skew: our clock agrees with the CA's again");
      else {
        log.warn(`clock_skew: ${skewInWords(correctionMs)}; certificates follow the CA's time`, {
          ca: authority.id,
          fix: "set the clock of this machine, by NTP for example",
        });
      }
      await onSkew(correctionMs);
    },
  };
}
