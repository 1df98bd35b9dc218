/** A temporary, exclusive right to work on something. */
export interface Lease {
  readonly name: string;
  /** Greater than the fence of every earlier lease of any name. */
  readonly fence: number;
  /** After this instant, in milliseconds since the Unix epoch, another worker may acquire it. */
  readonly expiresAt: number;
}

/**
 * Grants exclusive work to one of many workers. Contract (testing/domains/leases-contract.ts):
 *
 * - Of concurrent requests for a name, in any process, one succeeds, until release or expiry by the clock of the
 *   next requester.
 * - A paused holder may continue after expiry. Its writes must be refused: each names the lease's fence and is made
 *   in one transaction with the check that no later lease was given.
 * - Fences only grow, across releases and restarts.
 */
export interface Leases {
  /** Undefined: another worker holds it. */
  acquire(name: string, ttlMs: number): Promise<Lease | undefined>;
  /** Releases it; has no effect if another worker holds it by now. */
  release(lease: Lease): Promise<void>;
}
