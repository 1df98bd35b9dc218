import { uptime } from "node:os";

import { SECOND_MS } from "../lib/base/clock.ts";
import { systemClock, type Clock } from "../lib/index.ts";

/** The clock of this machine. It runs steadily also while the machine sleeps, so that waking up is no jump. */
export const machineClock: Clock & Required<Pick<Clock, "steady">> = {
  ...systemClock,
  steady: () => uptime() * SECOND_MS,
};

/** The program as the service knows it. */
export interface Runtime {
  /** If it follows the database's, `aheadMs` is by how much the clock of this machine is ahead of it. */
  readonly clock: Clock & { readonly aheadMs?: number };
  /** Version of the program. */
  readonly version: string;
}
