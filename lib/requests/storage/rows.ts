import { requestCounters, requestRules, type RequestWindow } from "../../http/request-log.ts";
import type { ProblemCode } from "../../base/problem.ts";
import type { Environment } from "../../model/account.ts";
import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow, SqlValue } from "../../sql/sql.ts";
import type { LoggedRequest } from "../model.ts";

/** The account of requests that belong to none. */
export const NO_ACCOUNT = "";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  ({ clustered }) => [
    // `account_id` is empty for requests without a valid key.
    `CREATE TABLE request_log (
      account_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      row_id TEXT NOT NULL,
      request_id TEXT NOT NULL,
      environment TEXT NOT NULL,
      key_id TEXT,
      method TEXT NOT NULL,
      operation TEXT NOT NULL,
      path TEXT NOT NULL,
      query TEXT NOT NULL,
      status BIGINT NOT NULL,
      code TEXT,
      duration_ms BIGINT NOT NULL,
      rule TEXT,
      scope TEXT,
      counter TEXT,
      cost BIGINT NOT NULL,
      windows TEXT NOT NULL,
      represents BIGINT NOT NULL,
      PRIMARY KEY (account_id, at, row_id)
    ) ${clustered}`,
    "CREATE INDEX request_log_by_id ON request_log (request_id, at)",
    "CREATE INDEX request_log_by_time ON request_log (at)",
    `CREATE TABLE request_days (
      account_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      answered BIGINT NOT NULL,
      logged BIGINT NOT NULL,
      PRIMARY KEY (account_id, at)
    ) ${clustered}`,
    "CREATE INDEX request_days_by_time ON request_days (at)",
  ],
  () => ["ALTER TABLE request_log ADD COLUMN user_id TEXT"],
];

/** The tables of `sqlRequestStore`. */
export const requestSchema: Schema = { component: "petstore requests", migrations, since: 1 };

export const requestColumns = `account_id, at, row_id, request_id, environment, key_id, method, operation, path, query,
  status, code, duration_ms, rule, scope, counter, cost, windows, represents, user_id`;

export function requestValues(row: LoggedRequest): readonly SqlValue[] {
  const { accountId = NO_ACCOUNT, at, rowId, requestId, environment, keyId = null } = row;
  const { method, operation, path, query, status, code = null, durationMs } = row;
  const { rule = null, scope = null, counter = null, cost, windows, represents } = row;
  const { userId = null } = row;
  return [
    ...[accountId, at, rowId, requestId, environment, keyId, method, operation, path, query],
    ...[status, code, durationMs, rule, scope, counter, cost, writeWindows(windows), represents],
    userId,
  ];
}

/** Most rows have the same two windows: as short as they can be. */
function writeWindows(windows: readonly RequestWindow[]): string {
  return JSON.stringify(
    windows.map(({ name, limit, remaining, resetsAt }) => [name, limit, remaining, resetsAt]),
  );
}

// The casts hold because only this folder writes these tables. What a later version has written and this one does not know
// is left out.
export function requestOf(row: SqlRow): LoggedRequest {
  const accountId = text(row, "account_id");
  const rule = optionalText(row, "rule");
  const counter = optionalText(row, "counter");
  const windows = JSON.parse(text(row, "windows")) as readonly (readonly [
    RequestWindow["name"],
    number,
    number,
    number,
  ])[];
  return {
    at: number(row, "at"),
    rowId: text(row, "row_id"),
    requestId: text(row, "request_id"),
    environment: text(row, "environment") as Environment,
    method: text(row, "method"),
    operation: text(row, "operation"),
    path: text(row, "path"),
    query: text(row, "query"),
    status: number(row, "status"),
    durationMs: number(row, "duration_ms"),
    cost: number(row, "cost") === 1 ? 1 : 0,
    windows: windows.map(([name, limit, remaining, resetsAt]) => ({
      name,
      limit,
      remaining,
      resetsAt,
    })),
    represents: number(row, "represents"),
    ...present({
      accountId: accountId === NO_ACCOUNT ? undefined : accountId,
      keyId: optionalText(row, "key_id"),
      userId: optionalText(row, "user_id"),
      code: optionalText(row, "code") as ProblemCode | undefined,
      rule: requestRules.find((one) => one === rule),
      scope: optionalText(row, "scope"),
      counter: requestCounters.find((one) => one === counter),
    }),
  };
}
