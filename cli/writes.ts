import { StoreUnavailable, type Clock, type Sql } from "../lib/index.ts";

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
