import type { Clock, Log, Store } from "../lib/index.ts";
import type { Readiness } from "./state.ts";

/** A check writes to disk, and anybody may ask: one a second is enough for all. */
const FRESH_MS = 1_000;

/** Whether requests can be served: the store takes writes. */
export function createReadiness({
  store,
  clock,
  log,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<Readiness> {
  let checkedAt = -Infinity;
  let checked: Promise<Readiness> = Promise.resolve("unavailable");
  const check = async (): Promise<Readiness> => {
    try {
      await store.checkWritable();
      return "ready";
    } catch (error) {
      log.error("the store takes no writes", error);
      return "unavailable";
    }
  };
  return async () => {
    if (clock.now() - checkedAt >= FRESH_MS) {
      checkedAt = clock.now();
      checked = check();
    }
    return checked;
  };
}
