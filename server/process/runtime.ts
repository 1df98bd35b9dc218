import { uptime } from "node:os";

import { SECOND_MS } from "../../lib/base/clock.ts";
import { systemClock, type Clock } from "../../lib/index.ts";

/** How far two clocks that run alike may differ: one of them has whole seconds on Bun. */
const COARSE_MS: number = 2 * SECOND_MS;

/**
 * Returns a steady clock as fine as `awake`, which stands still while the machine sleeps, that also counts the sleep, which
 * `sinceBoot` counts in whole seconds. A sleep is counted to within two seconds, and a shorter one is not.
 */
export function countingSleep(awake: () => number, sinceBoot: () => number): () => number {
  const began = sinceBoot() - awake();
  let sleptMs = 0;
  return () => {
    const now = awake();
    const seenMs = sinceBoot() - now - began;
    if (seenMs - sleptMs > COARSE_MS) sleptMs = seenMs;
    return now + sleptMs;
  };
}

/** The clock of this machine. It runs steadily also while the machine sleeps, so that waking up is no jump. */
export const machineClock: Clock & Required<Pick<Clock, "steady">> = {
  ...systemClock,
  steady: countingSleep(
    () => performance.now(),
    () => uptime() * SECOND_MS,
  ),
};

/** The program as the service knows it. */
export interface Runtime {
  /** If it follows the database's, `aheadMs` is by how much the clock of this machine is ahead of it. */
  readonly clock: Clock & { readonly aheadMs?: number };
  /** Version of the program. */
  readonly version: string;
}
