import type { Clock } from "../lib/index.ts";

/** The program as the service knows it. */
export interface Runtime {
  readonly clock: Clock;
  /** Version of the program. */
  readonly version: string;
}
