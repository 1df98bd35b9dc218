import { aCount, type Expectation, optional, optionsOf } from "../../lib/base/options.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";

/** Estimated memory for a header field, besides its name and value: a small one takes several times its size. */
export const FIELD_BYTES = 100;

/** A handler that buffers a body accepts no more than this. */
export const GATHERED_BYTES = 64 * 1_024;

/** Limits of the memory that clients use together. */
export interface HoldingLimits {
  /**
   * Response bytes in memory that the client of a connection has not read. Reading of bodies pauses at the limit; the
   * last part may exceed it. Default 256 KiB.
   */
  readonly maxUnreadBytes: number;
  /**
   * Bytes in memory for requests in progress and unread responses of all connections. Beyond it, the connection that
   * holds the most is closed. Default 64 MiB; the process may need twice as much.
   */
  readonly maxHeldBytes: number;
  /**
   * Bytes in memory that have arrived of incomplete hellos, records, heads and frames of all connections. Beyond it, the
   * connection with the largest product of bytes and age is closed. They count towards `maxHeldBytes`, too. Default 16 MiB.
   */
  readonly maxUnfinishedBytes: number;
  /** Time that a client may take to read up to 32 KiB of a response before the response is abandoned. Default 60 s. */
  readonly unreadMs: number;
}

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
  /**
   * Pipelined requests of an HTTP/1.1 connection, which are answered in order. Reading pauses at the limit; requests in
   * the same 2 KiB may exceed it. Default 32.
   */
  readonly maxPipelined: number;
  /** Memory for finished responses that may be sent again. Default 16 MiB. */
  readonly maxKeptBytes: number;
  /** Cached TLS contexts, about 5 KiB each on Bun and 27 KiB on Node. Default 10,000. */
  readonly maxContexts: number;
}

const holdingLimits: HoldingLimits = {
  maxUnreadBytes: 256 * 1024,
  maxHeldBytes: 64 * 1024 * 1024,
  maxUnfinishedBytes: 16 * 1024 * 1024,
  unreadMs: MINUTE_MS,
};

const tlsLimits: TlsLimits = {
  ...holdingLimits,
  maxConnections: 10_000,
  handshakeMs: 10 * SECOND_MS,
  idleMs: MINUTE_MS,
  stalledMs: 5 * MINUTE_MS,
  maxHeaderBytes: 32 * 1024,
  maxStreams: 100,
  maxPipelined: 32,
  maxKeptBytes: 16 * 1024 * 1024,
  maxContexts: 10_000,
};

/** Expects some of the limits. */
export const limitsOption: Expectation = someOf(tlsLimits);
export const holdingLimitsOption: Expectation = someOf(holdingLimits);

function someOf(limits: TlsLimits | HoldingLimits): Expectation {
  const names = Object.keys(limits).map((name) => [name, optional(aCount(1))]);
  return optionsOf("an object of limits", Object.fromEntries(names));
}

/** Merges the given limits with the defaults. Throws a TypeError unless every limit is a positive integer. */
export function limitsFrom(given: Partial<TlsLimits> = {}): TlsLimits {
  return merged(tlsLimits, given);
}

/** Merges the given limits likewise. */
export function holdingLimitsFrom(given: Partial<HoldingLimits> = {}): HoldingLimits {
  return merged(holdingLimits, given);
}

/** Returns the limits of holdings among those of a front. */
export function holdingLimitsIn(given: Partial<TlsLimits>): Partial<HoldingLimits> {
  const names = new Set(Object.keys(holdingLimits));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}

function merged<Limits extends { readonly [Name in keyof Limits]: number }>(
  defaults: Limits,
  given: Partial<Limits>,
): Limits {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries<number>(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`The limit ${name} must be a whole number above 0; it is ${value}.`);
    }
  }
  return limits;
}
