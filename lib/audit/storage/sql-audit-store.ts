import type { Clock } from "../../base/clock.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { openTables } from "../../sql/migrate.ts";
import { number, optionalNumber, readsOf, text } from "../../sql/rows.ts";
import type { BatchRows, Sql, SqlRow, SqlValue } from "../../sql/sql.ts";
import type { AuditFilter, AuditStore, ChainHead, Checkpoint } from "../audit-store.ts";
import { BEGINNING, endOfOld, type AuditRow, type ChainPlace } from "../model.ts";
import { auditColumns, auditRowOf, auditSchema, auditValues } from "./rows.ts";

/** Options of an audit store in a SQL database. */
export interface SqlAuditStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the audit store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if the
 * tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlAuditStore(options: SqlAuditStoreOptions): Promise<AuditStore> {
  const sql = await openTables("sqlAuditStore", options, auditSchema);
  const { all, first } = readsOf(sql);

  return {
    head: () => andThen(first(CHAIN, [], headOf), (found) => found ?? EMPTY),
    checkpoint: () => andThen(first(CHAIN, [], checkpointOf), (found) => found ?? BEGINNING),
    after: (seq, limit) => all(AFTER, [seq, limit], auditRowOf),
    list: (filter, { after, limit }) => {
      if (after === undefined) return select(filter, undefined, limit);
      return andThen(
        first(TIME, [after], (row) => number(row, "at")),
        (at) => (at === undefined ? [] : select(filter, { at, seq: after }, limit)),
      );
    },
    append: async (from, rows) => {
      const last = rows.at(-1);
      if (last === undefined) return false;
      const to = [last.seq, last.event, last.hash];
      const added = await sql.batch(
        [
          { text: BEGIN, values: [BEGINNING.hash, BEGINNING.hash] },
          { text: ADVANCE, values: [...to, from.seq, from.event] },
          { text: INSERT, times: rows.length, values: (_, index) => valuesAt(rows, index) },
        ],
        (found, step) => step !== 1 || found.length > 0,
        LANE,
      );
      return added.ok;
    },
    remove: async ({ before, limit, at }) => {
      const endIn = ([oldest = []]: BatchRows): ChainPlace | undefined =>
        endOfOld(oldest.map(placeOf), before);
      const removed = await sql.batch(
        [
          { text: OLDEST, values: [limit + 1] },
          {
            text: CHECKPOINT,
            values: (rows) => {
              const end = endIn(rows);
              return end && [end.seq, end.hash, at];
            },
          },
          {
            text: REMOVE,
            values: (rows) => {
              const end = endIn(rows);
              return end && [end.seq];
            },
          },
        ],
        () => true,
        LANE,
      );
      return removed.ok ? (removed.value[2]?.length ?? 0) : 0;
    },
  };

  function select(
    { accountId, actor, type, subject, since, until }: AuditFilter,
    last: { readonly at: number; readonly seq: number } | undefined,
    limit: number,
  ): Eventual<readonly AuditRow[]> {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    const where = (condition: string, ...bound: readonly (SqlValue | undefined)[]): void => {
      if (bound.some((value) => value === undefined)) return;
      conditions.push(condition);
      values.push(...bound.map((value) => value ?? null));
    };
    where("account_id = ?", accountId);
    where("actor = ?", actor);
    where("type = ?", type);
    where("subject = ?", subject);
    where("at >= ?", since);
    where("at < ?", until);
    where("(at, seq) < (?, ?)", last?.at, last?.seq);
    const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    return all(
      `SELECT ${auditColumns} FROM audit_log ${filter} ORDER BY at DESC, seq DESC LIMIT ?`,
      [...values, limit],
      auditRowOf,
    );
  }
}

const EMPTY: ChainHead = { ...BEGINNING, event: 0 };

/** One for the chain: two appends at the same time could not both succeed. */
const LANE = "audit";

const CHAIN = `SELECT seq, event_seq, hash, checkpoint_seq, checkpoint_hash, checkpoint_at
  FROM audit_chain WHERE id = 1`;
const AFTER = `SELECT ${auditColumns} FROM audit_log WHERE seq > ? ORDER BY seq LIMIT ?`;
const TIME = "SELECT at FROM audit_log WHERE seq = ?";
const BEGIN = `INSERT INTO audit_chain (id, seq, event_seq, hash, checkpoint_seq, checkpoint_hash)
  VALUES (1, 0, 0, ?, 0, ?) ON CONFLICT (id) DO NOTHING`;
// Yields no row if another process was faster.
const ADVANCE = `UPDATE audit_chain SET seq = ?, event_seq = ?, hash = ?
  WHERE id = 1 AND seq = ? AND event_seq = ? RETURNING id`;
const INSERT = `INSERT INTO audit_log (${auditColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const OLDEST = "SELECT seq, at, hash FROM audit_log ORDER BY seq LIMIT ?";
const CHECKPOINT = `UPDATE audit_chain SET checkpoint_seq = ?, checkpoint_hash = ?, checkpoint_at = ?
  WHERE id = 1`;
const REMOVE = "DELETE FROM audit_log WHERE seq <= ? RETURNING seq";

function valuesAt(rows: readonly AuditRow[], index: number): readonly SqlValue[] | undefined {
  const row = rows[index];
  return row && auditValues(row);
}

function placeOf(row: SqlRow): ChainPlace & { readonly at: number } {
  return { seq: number(row, "seq"), at: number(row, "at"), hash: text(row, "hash") };
}

function headOf(row: SqlRow): ChainHead {
  return { seq: number(row, "seq"), event: number(row, "event_seq"), hash: text(row, "hash") };
}

function checkpointOf(row: SqlRow): Checkpoint {
  const seq = number(row, "checkpoint_seq");
  const at = optionalNumber(row, "checkpoint_at");
  if (seq === 0) return BEGINNING;
  return { seq, hash: text(row, "checkpoint_hash"), ...(at === undefined ? {} : { at }) };
}
