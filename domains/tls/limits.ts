import {
  holdingLimits,
  mergedLimits,
  someOf,
  type HoldingLimits,
} from "../../adapters/holdings/limits.ts";
import type { Expectation } from "../../lib/base/options.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";

/** Resource limits of a TLS front. */
export interface TlsLimits extends HoldingLimits {
  /**
   * Open connections. Beyond it, the longest idle connection is closed, or else the oldest unfinished handshake.
   * Default 10,000.
   */
  readonly maxConnections: number;
  /** Time from the first packet to the end of the handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** Time without a request, which includes the time a client takes to send headers. Default 60 s. */
  readonly idleMs: number;
  /**
   * Time with requests in progress and no bytes read or written. Bytes in the system's buffers count as written.
   * Default 5 min, longer than any response takes to start.
   */
  readonly stalledMs: number;
  /** Total size of the headers of a request. Default 32 KiB. */
  readonly maxHeaderBytes: number;
  /** Concurrent requests of an HTTP/2 connection. Default 100. */
  readonly maxStreams: number;
  /** Memory for finished responses that may be sent again. Default 16 MiB. */
  readonly maxKeptBytes: number;
  /** Cached TLS contexts, about 5 KiB each on Bun and 27 KiB on Node. Default 10,000. */
  readonly maxContexts: number;
}

const tlsLimits: TlsLimits = {
  ...holdingLimits,
  maxConnections: 10_000,
  handshakeMs: 10 * SECOND_MS,
  idleMs: MINUTE_MS,
  stalledMs: 5 * MINUTE_MS,
  maxHeaderBytes: 32 * 1024,
  maxStreams: 100,
  maxKeptBytes: 16 * 1024 * 1024,
  maxContexts: 10_000,
};

/** Expects some of the limits. */
export const limitsOption: Expectation = someOf(tlsLimits);

/** Merges the given limits with the defaults. Throws a TypeError unless every limit is a positive integer. */
export function limitsFrom(given: Partial<TlsLimits> = {}): TlsLimits {
  return mergedLimits(tlsLimits, given);
}

/** Returns the limits of holdings among those of a front. */
export function holdingLimitsIn(given: Partial<TlsLimits>): Partial<HoldingLimits> {
  const names = new Set(Object.keys(holdingLimits));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}
