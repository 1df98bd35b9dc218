import type { Dialect } from "./sql.ts";

/** The table with the versions of all components, and the marks of a database. */
export const VERSIONS_TABLE = "petstore_migrations";

/**
 * Its name in databases that earlier versions created, which keep it: their nodes may be running. Rails, dbmate, Ecto and
 * golang-migrate have a table of this name too, with other columns.
 */
const EARLIER_VERSIONS_TABLE = "schema_migrations";

/** A column that no other tool's table of these names has. */
const OUR_COLUMN = "component";

const columnIn = ({ columnsOf }: Pick<Dialect, "columnsOf">, table: string): string =>
  `FROM (${columnsOf(table)}) AS known WHERE known.name = '${OUR_COLUMN}'`;

/** Returns a query for the `name` of the table with the versions. It has no row if the database has no tables of ours. */
export function findVersionsTable(dialect: Pick<Dialect, "columnsOf">): string {
  return `SELECT '${VERSIONS_TABLE}' AS name, 1 AS place ${columnIn(dialect, VERSIONS_TABLE)}
    UNION ALL SELECT '${EARLIER_VERSIONS_TABLE}', 2 ${columnIn(dialect, EARLIER_VERSIONS_TABLE)}
    ORDER BY place LIMIT 1`;
}

/** Returns a query that has a row unless the database is one of an earlier version. */
export function hasNoEarlierVersions(dialect: Pick<Dialect, "columnsOf">): string {
  return `SELECT 1 AS free WHERE NOT EXISTS (SELECT 1 ${columnIn(dialect, EARLIER_VERSIONS_TABLE)})`;
}

/** Returns the statement that creates the table with the versions unless it exists. */
export function createVersionsTable(name: string = VERSIONS_TABLE): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (
  component TEXT NOT NULL,
  version INTEGER NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (component, version)
)`;
}

/** Returns the query for the newest version of each component, and the marks, in the table with this name. */
export function readVersions(table: string): string {
  return `SELECT component, MAX(version) AS version FROM ${table} GROUP BY component`;
}
