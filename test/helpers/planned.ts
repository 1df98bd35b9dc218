import { openBunSqlite } from "../../adapters/sqlite/bun.ts";
import type { SqlValue } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";
import { watched } from "./sqlite.ts";

/** Opens a database in memory that records SQLite's query plan of each statement; `plans` returns those since its last call. */
export function plannedDatabase(): {
  readonly database: SqliteDatabase;
  readonly plans: () => readonly string[];
} {
  const database = openBunSqlite(":memory:");
  const ran: { readonly text: string; readonly values: readonly SqlValue[] }[] = [];
  return {
    database: watched(database, (statement) => {
      if (/^(SELECT|UPDATE|DELETE|INSERT)/.test(statement.text)) ran.push(statement);
    }),
    plans: () =>
      ran.splice(0).flatMap(({ text, values }) => {
        const statement = database.prepare(`EXPLAIN QUERY PLAN ${text}`);
        const details = statement.all(...values).map(({ detail }) => `${detail}   <- ${text}`);
        statement.finalize?.();
        return details;
      }),
  };
}

/** Returns the steps that read more rows than needed or sort them. Neither a list of constants nor a selection is a table. */
export function wasteful(plans: readonly string[]): readonly string[] {
  return plans.filter((plan) =>
    /^SCAN (?!CONSTANT|\d+-ROW VALUES|selected )|TEMP B-TREE/.test(plan),
  );
}
