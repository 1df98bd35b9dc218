import { type Clock, type Log, type Store, StoreUnavailable, type Sql } from "../lib/index.ts";
import type { Readiness } from "./front.ts";

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

/** How the writes of this process to its database go. */
export interface Writes {
  /** How many failed because the database could not take them. */
  readonly failures: number;
  /** When one last succeeded, milliseconds since the Unix epoch; undefined if none has. */
  readonly succeededAt: number | undefined;
}

/** The same database, whose writes are counted. */
export function watchWrites(
  sql: Sql,
  clock: Pick<Clock, "now">,
): { readonly sql: Sql; readonly writes: Writes } {
  const writes: { failures: number; succeededAt: number | undefined } = {
    failures: 0,
    succeededAt: undefined,
  };
  return {
    writes,
    sql: {
      ...sql,
      batch: async (steps, accept) => {
        try {
          const written = await sql.batch(steps, accept);
          if (written.ok) writes.succeededAt = clock.now();
          return written;
        } catch (error) {
          if (error instanceof StoreUnavailable) writes.failures++;
          throw error;
        }
      },
    },
  };
}
