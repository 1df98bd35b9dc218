import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";

/** What strangers may take of a TLS front. */
export interface TlsLimits {
  /**
   * Connections at a time. When there is no room, the one that was idle for longest makes room, or else the oldest
   * whose handshake is not done. Default 10,000.
   */
  readonly maxConnections: number;
  /** From the first packet to the end of the handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** A connection without a request under way, the time it takes to send one's headers included. Default 60 s. */
  readonly idleMs: number;
  /**
   * Requests are under way, and nothing is read from the connection or written to it; what lies in buffers of the
   * system counts as written. Default 5 min: longer than any answer thinks.
   */
  readonly stalledMs: number;
  /** All headers of a request together. Default 32 KiB. */
  readonly maxHeaderBytes: number;
  /** Requests at a time on one HTTP/2 connection. Default 100. */
  readonly maxStreams: number;
  /**
   * Requests at a time on one HTTP/1.1 connection, which are answered in turn. Nothing more is read of it while there are
   * so many; some that lay in the same 2 KiB may go beyond. Default 32.
   */
  readonly maxPipelined: number;
  /**
   * Bytes of answers that are in memory and that the client of one connection has not taken. No more is read of a
   * body until it takes some; the last part may go beyond. Default 256 KiB.
   */
  readonly maxUnreadBytes: number;
  /**
   * Bytes that all connections together hold: requests under way, and answers that were not taken. Beyond it, the
   * connection that holds the most is cut off. Default 64 MiB; the process may take twice as much for it.
   */
  readonly maxHeldBytes: number;
  /** Up to 32 KiB of an answer are there, and the client does not take them: the answer is given up. Default 60 s. */
  readonly unreadMs: number;
  /** Contexts kept, at some 5 KiB on Bun and 27 KiB on Node. Default 10,000. */
  readonly maxContexts: number;
}

const tlsLimits: TlsLimits = {
  maxConnections: 10_000,
  handshakeMs: 10 * SECOND_MS,
  idleMs: MINUTE_MS,
  stalledMs: 5 * MINUTE_MS,
  maxHeaderBytes: 32 * 1024,
  maxStreams: 100,
  maxPipelined: 32,
  maxUnreadBytes: 256 * 1024,
  maxHeldBytes: 64 * 1024 * 1024,
  unreadMs: MINUTE_MS,
  maxContexts: 10_000,
};

/** The default limits but for those given. Throws when one of them is no whole number above 0. */
export function limitsFrom(given: Partial<TlsLimits> = {}): TlsLimits {
  const limits = { ...tlsLimits, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`The limit ${name} must be a whole number above 0; it is ${value}.`);
    }
  }
  return limits;
}
