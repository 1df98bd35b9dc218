import { type Clock, type Log, type Store, StoreUnavailable, type Sql } from "../../lib/index.ts";
import type { Readiness } from "../listeners/front.ts";

/** A check writes to disk, and any client may trigger it: at most one a second. */
const FRESH_MS = 1_000;
/**
 * Size of a check after a failed write: more than any request. A full disk still accepts small writes, for example in
 * the blocks that the failed write left in the log.
 */
export const ROOM_BYTES = 65_536;

/**
 * Checks whether requests can be served: whether the store accepts writes. A recent write proves it; otherwise a small
 * one is made. After a failed write only a large one proves it again.
 */
export function createReadiness({
  store,
  writes,
  blobsReached = async () => true,
  clock,
  log,
}: {
  readonly store: Pick<Store, "checkWritable">;
  readonly writes: Writes;
  /** Returns whether the files of sites could be reached since the start. Default: always. */
  readonly blobsReached?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<Readiness> {
  let checkedAt = -Infinity;
  let checking: Promise<void> = Promise.resolve();
  // Number of failures when a check last succeeded; -1 after a failed check.
  let failuresOvercome = 0;
  // Logged once per outage, not once per request.
  let failing = false;

  const check = async (): Promise<void> => {
    const { failures } = writes;
    try {
      await store.checkWritable(failuresOvercome === failures ? 0 : ROOM_BYTES);
      failuresOvercome = failures;
      if (failing) log.info("the store accepts writes again");
      failing = false;
    } catch (error) {
      failuresOvercome = -1;
      if (!failing) log.error("the store does not accept writes", error);
      failing = true;
    }
  };

  return async () => {
    const now = clock.now();
    const { succeededAt = -Infinity } = writes;
    const proven = failuresOvercome === writes.failures && isFresh(now, succeededAt);
    if (!proven && !isFresh(now, checkedAt)) {
      checkedAt = now;
      checking = check();
    }
    const reached = await blobsReached();
    await checking;
    return reached && failuresOvercome === writes.failures ? "ready" : "unavailable";
  };
}

/** Returns false for times in the future: the clock was set back. */
function isFresh(now: number, at: number): boolean {
  return now >= at && now - at < FRESH_MS;
}

/** Counts the writes of this process to its database. */
export interface Writes {
  /** Number of writes that failed because the database was unavailable. */
  readonly failures: number;
  /** Time of the last successful write, in milliseconds since the Unix epoch; undefined before the first. */
  readonly succeededAt: number | undefined;
}

/** Wraps a database and counts its writes. */
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
      batch: async (steps, accept, lane) => {
        try {
          const written = await sql.batch(steps, accept, lane);
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
