import { andThen } from "../../base/eventual.ts";
import { DAY_MS, type Clock } from "../../base/clock.ts";
import { openTables } from "../../sql/migrate.ts";
import { none } from "../../sql/rotation.ts";
import { number, readsOf, text } from "../../sql/rows.ts";
import { Script } from "../../sql/script.ts";
import type { Sql, SqlRow, SqlValue } from "../../sql/sql.ts";
import type { RequestDay, RequestFilter, RequestPlace } from "../model.ts";
import type { RequestBatch, RequestPage, RequestStore } from "../request-store.ts";
import { NO_ACCOUNT, requestColumns, requestOf, requestSchema, requestValues } from "./rows.ts";

/** Options of a request store in a SQL database. */
export interface SqlRequestStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the request store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlRequestStore(options: SqlRequestStoreOptions): Promise<RequestStore> {
  const sql = await openTables("sqlRequestStore", options, requestSchema);
  const { all, first } = readsOf(sql);
  /** The last account that a purge has looked at. */
  let looked = NO_ACCOUNT;

  /** Returns the deleted accounts among the next ones. */
  const departed = async (): Promise<readonly string[]> => {
    const accounts = await all(NEXT_ACCOUNTS, [looked], (row) => text(row, "account_id"));
    looked = accounts.length < ACCOUNTS_AT_ONCE ? NO_ACCOUNT : (accounts.at(-1) ?? NO_ACCOUNT);
    const [from, to] = [accounts[0], accounts.at(-1)];
    if (from === undefined || to === undefined) return [];
    return all(DEPARTED, [from, to], (row) => text(row, "account_id"));
  };

  return {
    add: async (batch) => {
      const script = new Script<"added">();
      addBatch(script, batch);
      // If the batch was added before, it is done too.
      await script.run(sql, LANE);
    },
    withId: (accountId, requestId, limit) => all(WITH_ID, [requestId, accountId, limit], requestOf),
    findAll: (requestId, limit) => all(FIND, [requestId, limit], requestOf),
    list: (accountId, filter, { limit, after }) => {
      const range = rangeOf(accountId, filter, after);
      const wanted = wantedBy(filter);
      const edge =
        wanted.text === "" ? undefined : first(edgeOf(range.text), range.values, placeOf);
      return andThen(edge, (last) => {
        const until = last === undefined ? "" : " AND (at, row_id) >= (?, ?)";
        const found = all(
          `SELECT ${requestColumns} FROM request_log WHERE ${range.text}${until}${wanted.text} ${NEWEST} LIMIT ?`,
          [
            ...range.values,
            ...(last === undefined ? [] : [last.at, last.rowId]),
            ...wanted.values,
            limit + 1,
          ],
          requestOf,
        );
        return andThen(found, (rows) => pageOf(rows, limit, last));
      });
    },
    days: (accountId) => all(DAYS, [accountId], dayOf),
    purge: async (before, limit) => {
      const script = new Script<never, number>();
      const steps = [
        script.add(PURGE_ROWS, [before, limit]),
        script.add(PURGE_DAYS, [before - DAY_MS, limit]),
      ];
      for (const accountId of await departed()) {
        steps.push(script.add(PURGE_LEFT, [accountId, limit]));
        script.add(PURGE_LEFT_DAYS, [accountId, accountId]);
      }
      const purged = await script.run(sql, LANE);
      return purged.ok
        ? steps.reduce((sum, step) => sum + (purged.value[step]?.length ?? 0), 0)
        : 0;
    },
  };
}

const LANE = "requests";

/** The most rows that a list reads for one page. */
const READ_ROWS = 5_000;

const NEWEST = "ORDER BY at DESC, row_id DESC";
const FIND = `SELECT ${requestColumns} FROM request_log WHERE request_id = ? ${NEWEST} LIMIT ?`;
const WITH_ID = `SELECT ${requestColumns} FROM request_log
  WHERE request_id = ? AND account_id = ? ${NEWEST} LIMIT ?`;
/** Finds the last row that a page may read. */
const edgeOf = (range: string): string =>
  `SELECT at, row_id FROM request_log WHERE ${range} ${NEWEST} LIMIT 1 OFFSET ${READ_ROWS - 1}`;
const DAYS =
  "SELECT at, answered, logged FROM request_days WHERE account_id = ? ORDER BY at LIMIT 100";
const IS_NEW = `SELECT 1 AS fresh WHERE ${none("request_log WHERE account_id = ? AND at = ? AND row_id = ?")}`;
const INSERT = `INSERT INTO request_log (${requestColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const COUNT = `INSERT INTO request_days (account_id, at, answered, logged) VALUES (?, ?, ?, ?)
  ON CONFLICT (account_id, at) DO UPDATE SET
    answered = request_days.answered + excluded.answered, logged = request_days.logged + excluded.logged`;
const PURGE_ROWS = `DELETE FROM request_log WHERE (account_id, at, row_id) IN (
  SELECT account_id, at, row_id FROM request_log WHERE at < ? ORDER BY at LIMIT ?
) RETURNING at`;
const PURGE_DAYS = `DELETE FROM request_days WHERE (account_id, at) IN (
  SELECT account_id, at FROM request_days WHERE at < ? ORDER BY at LIMIT ?
) RETURNING at`;
const PURGE_LEFT = `DELETE FROM request_log WHERE (account_id, at, row_id) IN (
  SELECT account_id, at, row_id FROM request_log WHERE account_id = ? LIMIT ?
) RETURNING at`;
// The counts stay until the rows are removed: a purge finds the account by them.
const PURGE_LEFT_DAYS = `DELETE FROM request_days WHERE account_id = ?
  AND ${none("request_log WHERE account_id = ?")}`;

/** Bounds what a purge looks at; the next ones look at the others. */
const ACCOUNTS_AT_ONCE = 500;
const NEXT_ACCOUNTS = `SELECT account_id FROM request_days WHERE account_id > ?
  ORDER BY account_id, at LIMIT ${ACCOUNTS_AT_ONCE}`;
const DEPARTED = `SELECT account_id FROM request_days WHERE account_id BETWEEN ? AND ?
  AND ${none("accounts WHERE accounts.id = request_days.account_id")}
  GROUP BY account_id ORDER BY account_id LIMIT 8`;

function addBatch(script: Script<"added">, { rows, days }: RequestBatch): void {
  const [first] = rows;
  if (first !== undefined) {
    const { accountId = NO_ACCOUNT, at, rowId } = first;
    script.demand(IS_NEW, [accountId, at, rowId], "added");
  }
  script.addMany(INSERT, rows.length, (_, index) => {
    const row = rows[index];
    return row && requestValues(row);
  });
  for (const { accountId = NO_ACCOUNT, at, answered, logged } of days) {
    script.add(COUNT, [accountId, at, answered, logged]);
  }
}

interface Condition {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Returns the condition that the primary key finds. */
function rangeOf(
  accountId: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: RequestFilter,
  after: RequestPlace | undefined,
): Condition {
  const range = "account_id = ? AND at >= ? AND at < ?";
  const values = [accountId, from, to];
  return after === undefined
    ? { text: range, values }
    : { text: `${range} AND (at, row_id) < (?, ?)`, values: [...values, after.at, after.rowId] };
}

/** Returns the condition of the other members of a filter. */
function wantedBy(filter: RequestFilter): Condition {
  const parts = [
    ["environment = ?", filter.environment],
    ["key_id = ?", filter.keyId],
    ["status >= ?", filter.statusFrom],
    ["status <= ?", filter.statusTo],
    ["operation = ?", filter.operation],
    ["path = ?", filter.path],
  ] as const;
  const given = parts.flatMap(([condition, value]) =>
    value === undefined ? [] : [[condition, value] as const],
  );
  return {
    text: given.map(([condition]) => ` AND ${condition}`).join(""),
    values: given.map(([, value]) => value),
  };
}

/** Returns the first `limit` of rows that were read up to `edge`. */
function pageOf(
  rows: RequestPage["rows"],
  limit: number,
  edge: RequestPlace | undefined,
): RequestPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const rest =
    rows.length > limit && last !== undefined ? { at: last.at, rowId: last.rowId } : edge;
  return rest === undefined ? { rows: shown } : { rows: shown, rest };
}

const placeOf = (row: SqlRow): RequestPlace => ({
  at: number(row, "at"),
  rowId: text(row, "row_id"),
});

const dayOf = (row: SqlRow): RequestDay => ({
  at: number(row, "at"),
  answered: number(row, "answered"),
  logged: number(row, "logged"),
});
