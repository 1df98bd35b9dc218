import type { Clock, Log, Store } from "../lib/index.ts";
import type { Readiness } from "./state.ts";
import type { Writes } from "./writes.ts";

/** A check writes to disk, and any client may ask: one a second is enough for all. */
const FRESH_MS = 1_000;
/**
 * How much a check writes after a write has failed: more than any request. A full disk still takes small writes, for
 * example in the blocks that the failed write left in the log.
 */
export const ROOM_BYTES = 65_536;

/**
 * Checks whether requests can be served, that is whether the store takes writes. Recent writes are the proof; without
 * any, a small one is made. After a failed write only a large one makes this ready again.
 */
export function createReadiness({
  store,
  writes,
  clock,
  log,
}: {
  readonly store: Pick<Store, "checkWritable">;
  readonly writes: Writes;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<Readiness> {
  let checkedAt = -Infinity;
  let checking: Promise<void> = Promise.resolve();
  // How many failures had occurred when a check last succeeded; -1 after a check that failed.
  let overcome = 0;
  // Logged once per outage: clients decide how often it is noticed.
  let failing = false;

  const check = async (): Promise<void> => {
    const { failures } = writes;
    try {
      await store.checkWritable(overcome === failures ? 0 : ROOM_BYTES);
      overcome = failures;
      if (failing) log.info("the store takes writes again");
      failing = false;
    } catch (error) {
      overcome = -1;
      if (!failing) log.error("the store takes no writes", error);
      failing = true;
    }
  };

  return async () => {
    const now = clock.now();
    const { succeededAt = -Infinity } = writes;
    const proven = overcome === writes.failures && isFresh(now, succeededAt);
    if (!proven && !isFresh(now, checkedAt)) {
      checkedAt = now;
      checking = check();
    }
    await checking;
    return overcome === writes.failures ? "ready" : "unavailable";
  };
}

/** False for instants in the future: the clock was set back. */
function isFresh(now: number, at: number): boolean {
  return now >= at && now - at < FRESH_MS;
}
