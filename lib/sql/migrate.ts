import { systemClock, type Clock } from "../base/clock.ts";
import { aClock, checkOptions, optional, someSql } from "../base/options.ts";
import { number, text } from "./rows.ts";
import {
  type Dialect,
  type PlannedMigration,
  type Sql,
  type Step,
  MIGRATIONS_LANE,
  NewerSchema,
  UnfinishedImport,
} from "./sql.ts";

/** The statements that upgrade a schema from one version to the next. */
export type Migration = (dialect: Dialect) => readonly string[];

/** The tables of one component. The first migration creates version 1. */
export interface Schema {
  readonly component: string;
  readonly migrations: readonly Migration[];
}

/**
 * Upgrades the tables of all `schemas` in one transaction: if a migration fails, all of them stay unchanged for the
 * program that wrote them. Runs `sql.beforeMigration` first. Two processes may migrate at the same time. Throws
 * `NewerSchema` if the database is newer than a schema, and `UnfinishedImport` after an interrupted import.
 */
export async function migrate(
  sql: Sql,
  schemas: readonly Schema[],
  /** Milliseconds since the Unix epoch. */
  at: number,
  /** Whether the caller is the import that has marked the database. */
  importing = false,
): Promise<void> {
  await sql.batch([{ text: VERSIONS_TABLE, values: [] }], () => true, MIGRATIONS_LANE);
  for (;;) {
    const versions = await currentVersions(sql);
    if (versions.has(UNFINISHED_IMPORT) && !importing) throw unfinished();
    const planned = planOf(versions, schemas);
    if (planned.length === 0) return;
    await sql.beforeMigration?.(planned);
    const steps = schemas.flatMap((schema) => stepsOf(sql.dialect, schema, planned, at));
    // Refused if another process was faster; the loop then reads the versions again.
    await sql.batch(
      steps,
      (rows, index) => steps[index]?.text !== TAKE_VERSION || rows.length > 0,
      MIGRATIONS_LANE,
    );
  }
}

/** Checks the options of the store `maker` and migrates its tables. Returns the database. */
export async function openTables(
  maker: string,
  options: { readonly sql: Sql; readonly clock?: Clock },
  schema: Schema,
): Promise<Sql> {
  checkOptions(maker, options, { sql: someSql, clock: optional(aClock) });
  const { sql, clock = systemClock } = options;
  await migrate(sql, [schema], clock.now());
  return sql;
}

/** Stands for a component while a database is incomplete. Other programs of ours do not open it then. */
export const UNFINISHED_IMPORT = "unfinished import";

/** Marks an empty database as incomplete. Returns false, and changes nothing, if it has or had tables of ours. */
export async function beginImport(sql: Sql, at: number): Promise<boolean> {
  const begun = await sql.batch(
    [
      { text: VERSIONS_TABLE, values: [] },
      { text: MARK, values: [at] },
    ],
    (rows, index) => index === 0 || rows.length > 0,
    MIGRATIONS_LANE,
  );
  return begun.ok;
}

/** Removes the mark of `beginImport`. */
export async function endImport(sql: Sql): Promise<void> {
  await sql.batch([{ text: UNMARK, values: [] }], () => true, MIGRATIONS_LANE);
}

/** Returns the pending upgrades. */
function planOf(
  versions: ReadonlyMap<string, number>,
  schemas: readonly Schema[],
): readonly PlannedMigration[] {
  return schemas.flatMap(({ component, migrations }) => {
    const from = versions.get(component) ?? 0;
    const to = migrations.length;
    if (from > to) throw newer(component, from, to);
    return from === to ? [] : [{ component, from, to }];
  });
}

function stepsOf(
  dialect: Dialect,
  { component, migrations }: Schema,
  planned: readonly PlannedMigration[],
  at: number,
): readonly Step[] {
  const from = planned.find((one) => one.component === component)?.from ?? migrations.length;
  return migrations
    .slice(from)
    .flatMap((migration, index) => [
      { text: TAKE_VERSION, values: [component, from + index + 1, at] },
      ...migration(dialect).map((statement) => ({ text: statement, values: [] })),
    ]);
}

const VERSIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  component TEXT NOT NULL,
  version INTEGER NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (component, version)
)`;

const TAKE_VERSION = `INSERT INTO schema_migrations (component, version, applied_at) VALUES (?, ?, ?)
  ON CONFLICT (component, version) DO NOTHING RETURNING version`;

const MARK = `INSERT INTO schema_migrations (component, version, applied_at)
  SELECT '${UNFINISHED_IMPORT}', 1, CAST(? AS BIGINT)
  WHERE NOT EXISTS (SELECT 1 FROM schema_migrations) RETURNING version`;
const UNMARK = `DELETE FROM schema_migrations WHERE component = '${UNFINISHED_IMPORT}'`;

const VERSIONS =
  "SELECT component, MAX(version) AS version FROM schema_migrations GROUP BY component";

async function currentVersions(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query({ text: VERSIONS, values: [] });
  return new Map(rows.map((row) => [text(row, "component"), number(row, "version")]));
}

function unfinished(): UnfinishedImport {
  return new UnfinishedImport("An import into the database was interrupted. Run it again.");
}

function newer(component: string, found: number, known: number): NewerSchema {
  return new NewerSchema(
    `The database holds version ${found} of the schema "${component}", and this program knows ${known} at most: ` +
      "a newer program wrote it. Start that one, or restore a backup made before the upgrade.",
  );
}
