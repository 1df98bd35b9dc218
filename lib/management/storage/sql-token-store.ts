import { aClock, checkOptions, optional, someSql } from "../../base/options.ts";
import { systemClock, type Clock } from "../../base/clock.ts";
import { andThen } from "../../base/eventual.ts";
import { migrate } from "../../sql/migrate.ts";
import type { Sql } from "../../sql/sql.ts";
import type { TokenStore } from "../token-store.ts";
import { compile } from "./changes.ts";
import { tokenSchema } from "./migrations.ts";
import { OPERATORS, setupLinkColumns, setupLinkOf, tokenColumns, tokenOf } from "./rows.ts";

export interface SqlTokenStoreOptions {
  /** Of a database that `sqlStore` has made its tables in. Stays open: it is the caller's. */
  readonly sql: Sql;
  readonly clock?: Clock;
}

/** Management tokens in a SQL database, whose tables it first brings up to date. Throws `NewerSchema`. */
export async function sqlTokenStore(options: SqlTokenStoreOptions): Promise<TokenStore> {
  checkOptions("sqlTokenStore", options, { sql: someSql, clock: optional(aClock) });
  const { sql, clock = systemClock } = options;
  await migrate(sql, [tokenSchema], clock.now());
  return {
    byId: (id) =>
      andThen(sql.query({ text: TOKEN, values: [id] }), ([row]) =>
        row === undefined ? undefined : tokenOf(row),
      ),
    list: (accountId = OPERATORS) =>
      andThen(sql.query({ text: TOKENS, values: [accountId] }), (rows) =>
        rows.map((row) => tokenOf(row)),
      ),
    setupLink: () =>
      andThen(sql.query({ text: LINK, values: [] }), ([row]) =>
        row === undefined ? undefined : setupLinkOf(row),
      ),
    commit: (changes) => compile(changes).write(sql),
  };
}

const TOKEN = `SELECT ${tokenColumns} FROM management_tokens WHERE id = ?`;
const TOKENS = `SELECT ${tokenColumns} FROM management_tokens
  WHERE account_id = ? ORDER BY created_at DESC, id DESC`;
const LINK = `SELECT ${setupLinkColumns} FROM setup_links`;
