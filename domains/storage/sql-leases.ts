import { number } from "../../lib/sql/rows.ts";
import { aClock, aText, checkOptions, optional, someSql } from "../../lib/base/options.ts";
import { systemClock, type Clock } from "../../lib/base/clock.ts";
import type { Dialect, Sql } from "../../lib/sql/sql.ts";
import type { Leases } from "../ports/leases.ts";

/** Options of leases in a SQL database. */
export interface SqlLeasesOptions {
  /** Must have been passed to `sqlDomainStore` before. */
  readonly sql: Sql;
  /** Not used if the database has a clock of its own. Default: the system's. */
  readonly clock?: Clock;
  /** The name of this node, for `endLeases`. Default: none. */
  readonly holder?: string | undefined;
}

function nextFence({ sequence }: Dialect): string {
  return sequence === undefined
    ? "UPDATE lease_fences SET last = last + 1 WHERE id = 1 RETURNING last"
    : `SELECT ${sequence.next("lease_fence")} AS last`;
}

function take({ now = "?" }: Dialect): string {
  return `INSERT INTO leases (name, fence, holder, expires_at) VALUES (?, ?, ?, ${now} + ?)
    ON CONFLICT (name) DO UPDATE
      SET fence = excluded.fence, holder = excluded.holder, expires_at = excluded.expires_at
      WHERE leases.expires_at <= excluded.expires_at - ? RETURNING fence`;
}

const RELEASE = "DELETE FROM leases WHERE name = ? AND fence = ?";

/**
 * Ends all leases, or those of one node: orders that it left when it was killed then continue at once instead of when the
 * leases expire. Only for a caller that knows that no other process uses the database, or is that node.
 */
export async function endLeases(sql: Sql, holder?: string): Promise<void> {
  const statement =
    holder === undefined
      ? { text: "DELETE FROM leases", values: [] }
      : { text: "DELETE FROM leases WHERE holder = ?", values: [holder] };
  await sql.batch([statement], () => true);
}

/**
 * Returns leases in the domains' database, so that writes and the fence check share a transaction. Throws a `TypeError`
 * for invalid options.
 */
export function sqlLeases(options: SqlLeasesOptions): Leases {
  checkOptions("sqlLeases", options, {
    sql: someSql,
    clock: optional(aClock),
    holder: optional(aText),
  });
  const { sql, clock = sql.clock ?? systemClock, holder = null } = options;
  const { dialect } = sql;
  return {
    acquire: async (name, ttlMs) => {
      const now = clock.now();
      const asked = dialect.now === undefined ? [now, ttlMs, ttlMs] : [ttlMs, ttlMs];
      const written = await sql.batch(
        [
          { text: nextFence(dialect), values: [] },
          {
            text: take(dialect),
            values: ([last]) => [name, last?.[0] ? number(last[0], "last") : 0, holder, ...asked],
          },
        ],
        (rows) => rows.length > 0,
        laneOf(name),
      );
      if (!written.ok) return undefined;
      const row = written.value[1]?.[0];
      return row === undefined
        ? undefined
        : { name, fence: number(row, "fence"), expiresAt: now + ttlMs };
    },
    release: async ({ name, fence }) => {
      await sql.batch([{ text: RELEASE, values: [name, fence] }], () => true, laneOf(name));
    },
  };
}

function laneOf(name: string): string {
  return `lease ${name}`;
}
