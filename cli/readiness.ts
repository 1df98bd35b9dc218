import type { Clock, Log, Store } from "../lib/index.ts";
import type { Readiness } from "./state.ts";
import type { Writes } from "./writes.ts";

/** A check writes to disk, and any client may ask: one a second is enough for all. */
const FRESH_MS = 1_000;
/**
 * What a check writes once a write has failed: more than a request does. A full disk has room for less again and again,
 * such as the blocks that the failed write left in the log.
 */
export const ROOM_BYTES = 65_536;

/**
 * Whether requests can be served: the store takes writes. While they succeed, they are the proof; without any, a small
 * one is made. After one that failed, only room for a large one makes this ready again.
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
  // Failures that a check has proved to be over; -1 after one that failed itself.
  let overcome = 0;
  // Logged once an outage: who asks decides how often it is noticed.
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

/** A clock that was put back makes nothing fresh. */
function isFresh(now: number, at: number): boolean {
  return now >= at && now - at < FRESH_MS;
}
