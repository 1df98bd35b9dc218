import { createHoldings, type Holdings } from "../../domains/index.ts";
import { systemClock } from "../../lib/base/clock.ts";

/** For listeners whose memory does not matter to a test. */
export const ampleHoldings: Holdings = createHoldings({ clock: systemClock });
