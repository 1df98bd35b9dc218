import { openBunSqlite } from "../../adapters/sqlite/bun.ts";
import type { SqlValue } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";
import { watched } from "./sqlite.ts";

/**
 * Opens a database in memory that records SQLite's query plan of each statement; `plans` returns those since its last call. With
 * its lists as long as they can be, a statement has a plan of its own.
 */
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
        const long = text.replaceAll(LIST, `IN (${LONGEST})`);
        const planOf = (form: string, bound: readonly SqlValue[]): readonly string[] => {
          const statement = database.prepare(`EXPLAIN QUERY PLAN ${form}`);
          const details = statement.all(...bound).map(({ detail }) => `${detail}   <- ${text}`);
          statement.finalize?.();
          return details;
        };
        if (long === text) return planOf(text, values);
        const count = long.match(/\?/g)?.length ?? 0;
        return [
          ...planOf(text, values),
          ...planOf(
            long,
            Array.from({ length: count }, () => 1),
          ),
        ];
      }),
  };
}

const LIST = /IN \(\?(?:, \?)*\)/g;
const LONGEST = Array.from({ length: 1_000 }, () => "?").join(", ");

/**
 * Returns the steps that read more rows than needed or sort them: also all of a catalogue where a list says which. Neither a list
 * of constants nor a selection is a table.
 */
export function wasteful(plans: readonly string[]): readonly string[] {
  return plans.filter(
    (plan) =>
      /^SCAN (?!CONSTANT|\d+-ROW VALUES|selected )|TEMP B-TREE/.test(plan) ||
      /^SEARCH .*\(catalogue_id=\?\)   <- .*IN \(\?/s.test(plan),
  );
}
