import { number } from "../../lib/sql/rows.ts";
import { aClock, checkOptions, optional, someSql } from "../../lib/base/options.ts";
import { systemClock, type Clock } from "../../lib/base/clock.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Leases } from "../ports/leases.ts";

export interface SqlLeasesOptions {
  /** Must have been passed to `sqlDomainStore` before. */
  readonly sql: Sql;
  readonly clock?: Clock;
}

const NEXT_FENCE = "UPDATE lease_fences SET last = last + 1 WHERE id = 1 RETURNING last";

const TAKE = `INSERT INTO leases (name, fence, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET fence = excluded.fence, expires_at = excluded.expires_at
  WHERE leases.expires_at <= ? RETURNING fence`;

const RELEASE = "DELETE FROM leases WHERE name = ? AND fence = ?";

/**
 * Ends all leases. Only for a caller that knows that no other process uses the database, for example by holding a
 * lock on it: after a crash, orders then continue at once instead of when the leases expire. Has no effect on a database
 * that other processes had open.
 */
export async function endLeases(sql: Sql): Promise<void> {
  if (sql.shared === true) return;
  await sql.batch([{ text: "DELETE FROM leases", values: [] }], () => true);
}

/** Returns leases in the domains' database, so that writes and the fence check share a transaction. */
export function sqlLeases(options: SqlLeasesOptions): Leases {
  checkOptions("sqlLeases", options, { sql: someSql, clock: optional(aClock) });
  const { sql, clock = systemClock } = options;
  return {
    acquire: async (name, ttlMs) => {
      const now = clock.now();
      const expiresAt = now + ttlMs;
      const written = await sql.batch(
        [
          { text: NEXT_FENCE, values: [] },
          {
            text: TAKE,
            values: ([last]) => [name, last?.[0] ? number(last[0], "last") : 0, expiresAt, now],
          },
        ],
        (rows) => rows.length > 0,
        laneOf(name),
      );
      if (!written.ok) return undefined;
      const row = written.value[1]?.[0];
      return row === undefined ? undefined : { name, fence: number(row, "fence"), expiresAt };
    },
    release: async ({ name, fence }) => {
      await sql.batch([{ text: RELEASE, values: [name, fence] }], () => true, laneOf(name));
    },
  };
}

function laneOf(name: string): string {
  return `lease ${name}`;
}
