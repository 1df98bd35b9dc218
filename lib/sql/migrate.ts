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
 * `NewerSchema` if the database is newer than a schema.
 */
export async function migrate(
  sql: Sql,
  schemas: readonly Schema[],
  /** Milliseconds since the Unix epoch. */
  at: number,
): Promise<void> {
  await sql.batch([{ text: VERSIONS_TABLE, values: [] }], () => true, MIGRATIONS_LANE);
  for (;;) {
    const planned = await planOf(sql, schemas);
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

/** Returns the pending upgrades without writing. */
async function planOf(sql: Sql, schemas: readonly Schema[]): Promise<readonly PlannedMigration[]> {
  const versions = await currentVersions(sql);
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

const VERSIONS =
  "SELECT component, MAX(version) AS version FROM schema_migrations GROUP BY component";

async function currentVersions(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query({ text: VERSIONS, values: [] });
  return new Map(rows.map((row) => [text(row, "component"), number(row, "version")]));
}

function newer(component: string, found: number, known: number): NewerSchema {
  return new NewerSchema(
    `The database holds version ${found} of the schema "${component}", and this program knows ${known} at most: ` +
      "a newer program wrote it. Start that one, or restore a backup made before the upgrade.",
  );
}
