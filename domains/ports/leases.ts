/** The right to work on something, for a while. */
export interface Lease {
  readonly name: string;
  /** Greater than that of every lease that was ever given before, whatever its name. */
  readonly fence: number;
  /** After that somebody else may have it. */
  readonly expiresAt: number;
}

/**
 * Lets one worker of many at a thing. What every adapter must promise (test/contract/leases.ts):
 *
 * - Of those who ask for a name at the same time one gets it, in whatever process, until it is released or its time
 *   is over by the clock of the one who asks next.
 * - Being paused, a holder may go on after its time. What it writes then must be refused: each write names the lease's
 *   fence, and is made in one transaction with the check that nobody was given a later one.
 * - Fences only grow, also when a lease was released, and when the machine was started again.
 */
export interface Leases {
  /** Undefined: somebody else has it. */
  acquire(name: string, ttlMs: number): Promise<Lease | undefined>;
  /** Gives it back at once; nothing happens when it is somebody else's by now. */
  release(lease: Lease): Promise<void>;
}
