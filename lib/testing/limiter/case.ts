import type { Eventual } from "../../base/eventual.ts";
import type { Limiter } from "../../accounts/limiter.ts";
import type { ManualClock } from "../clock.ts";

/** A limiter that has counted nothing yet, and the clock it goes by. */
export interface LimiterUnderTest {
  readonly limiter: Limiter;
  readonly clock: ManualClock;
  close?(): Eventual<void>;
}

/** One promise of the port `Limiter`. Throws when it is broken. */
export interface LimiterCase {
  readonly name: string;
  readonly run: (subject: LimiterUnderTest) => Promise<void>;
}
