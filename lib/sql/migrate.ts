import { systemClock, type Clock } from "../base/clock.ts";
import { aClock, checkOptions, optional, someSql } from "../base/options.ts";
import { number, text } from "./rows.ts";
import {
  ForeignTables,
  type Dialect,
  type PlannedMigration,
  type Sql,
  type Statement,
  type Step,
  MIGRATIONS_LANE,
  NewerSchema,
  UnfinishedImport,
  UnsuitableDatabase,
} from "./sql.ts";

/** The statements that upgrade a schema from one version to the next. */
export type Migration = (dialect: Dialect) => readonly string[];

/** The tables of one component. The first migration creates version 1. */
export interface Schema {
  readonly component: string;
  readonly migrations: readonly Migration[];
  /**
   * The oldest version whose programs also work with these tables, so that the nodes of one database can be upgraded one by
   * one. Default: the newest version.
   */
  readonly since?: number;
}

/**
 * Upgrades the tables of all `schemas` in one transaction: if a migration fails, all of them stay unchanged for the
 * program that wrote them. Runs `sql.beforeMigration` first. Two processes may migrate at the same time. Throws
 * `NewerSchema` if the database is newer than a schema, `UnfinishedImport` after an interrupted import or move,
 * `ForeignTables` if another program's tables have our names, and `UnsuitableDatabase` if the contents were moved to
 * another database. Nothing is changed then.
 */
export async function migrate(
  sql: Sql,
  schemas: readonly Schema[],
  /** Milliseconds since the Unix epoch. */
  at: number,
  /** Whether the caller is the import that has marked the database. */
  importing = false,
): Promise<void> {
  for (;;) {
    // Read before the versions: tables that another process creates meanwhile have a version by then.
    const existing = await namesIn(sql, sql.dialect.relations);
    const begun = existing.has(VERSIONS);
    const versions = begun ? await currentVersions(sql) : NONE;
    await refuseForeign(sql, schemas, existing, versions);
    if (!begun) {
      await sql.batch([{ text: VERSIONS_TABLE, values: [] }], () => true, MIGRATIONS_LANE);
      continue;
    }
    const mark = importing ? undefined : markIn(versions.keys());
    if (mark !== undefined) throw refusalOf(mark);
    const planned = planOf(versions, schemas);
    if (planned.length === 0) return;
    await sql.beforeMigration?.(planned);
    const steps = schemas.flatMap((schema) => stepsOf(sql, schema, planned, at));
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
  options: { readonly sql: Sql; readonly clock?: Clock | undefined },
  schema: Schema,
): Promise<Sql> {
  checkOptions(maker, options, { sql: someSql, clock: optional(aClock) });
  const { sql, clock = systemClock } = options;
  await migrate(sql, [schema], clock.now());
  return sql;
}

/** Says why no program of ours opens a database that has tables. A row beside the versions of the components. */
export type Mark =
  /** An import, a restore or a rehearsal of a move was interrupted; of older programs, also a move. Some rows are missing. */
  | { readonly kind: "unfinished" }
  /** A move copies the rows of the database `place`, which is in use until it is marked as moved with the same `id`. All are copied then. */
  | { readonly kind: "copied"; readonly id: string; readonly place: string }
  /** Another database, `place`, is in use. */
  | { readonly kind: "moved"; readonly id: string; readonly place: string };

const UNFINISHED = "unfinished import";

function componentOf(mark: Mark): string {
  return mark.kind === "unfinished" ? UNFINISHED : `${mark.kind} ${mark.id} ${mark.place}`;
}

/** Returns the mark of a database by the components in its `schema_migrations`; undefined if it has none. */
export function markIn(components: Iterable<string>): Mark | undefined {
  for (const component of components) {
    if (component === UNFINISHED) return { kind: "unfinished" };
    const [, kind, id = "", place = ""] = /^(copied|moved) (\S+) (.+)$/.exec(component) ?? [];
    if (kind === "copied" || kind === "moved") return { kind, id, place };
  }
  return undefined;
}

/** Returns the statements that replace the mark of a database, or remove it. */
export function marking(mark: Mark | undefined, at: number): readonly Statement[] {
  const add = { text: MARK, values: [mark === undefined ? "" : componentOf(mark), at] };
  return [{ text: UNMARK, values: [UNFINISHED] }, ...(mark === undefined ? [] : [add])];
}

/** Replaces the mark of a database, or removes it. `at` is in milliseconds since the Unix epoch. */
export async function markDatabase(sql: Sql, mark: Mark | undefined, at: number): Promise<void> {
  await sql.batch(marking(mark, at), () => true, MIGRATIONS_LANE);
}

/** Marks an empty database. Returns false, and changes nothing, if it has or had tables of ours. */
export async function beginImport(
  sql: Sql,
  at: number,
  mark: Mark = { kind: "unfinished" },
): Promise<boolean> {
  const begun = await sql.batch(
    [
      { text: VERSIONS_TABLE, values: [] },
      { text: MARK_EMPTY, values: [componentOf(mark), at] },
    ],
    (rows, index) => index === 0 || rows.length > 0,
    MIGRATIONS_LANE,
  );
  return begun.ok;
}

/**
 * Removes `tables`, which are in the order of their creation, and `sequences` from a database with the mark. Returns false,
 * and changes nothing, if the database has another mark or none.
 */
export async function removeTables(
  sql: Sql,
  {
    tables,
    sequences,
  }: { readonly tables: readonly string[]; readonly sequences: readonly string[] },
  mark: Mark,
): Promise<boolean> {
  const dropped = [
    ...tables.toReversed().map((name) => `TABLE IF EXISTS ${name}`),
    ...(sql.dialect.sequence === undefined ? [] : sequences).map(
      (name) => `SEQUENCE IF EXISTS ${name}`,
    ),
  ];
  const steps = [
    { text: VERSIONS_TABLE, values: [] },
    { text: FIND_MARK, values: [componentOf(mark)] },
    ...dropped.map((what) => ({ text: `DROP ${what}`, values: [] })),
  ];
  const removed = await sql.batch(
    steps,
    (rows, index) => index !== 1 || rows.length > 0,
    MIGRATIONS_LANE,
  );
  return removed.ok;
}

/** Throws `ForeignTables` if a pending upgrade would create what exists already. */
async function refuseForeign(
  sql: Sql,
  schemas: readonly Schema[],
  existing: ReadonlySet<string>,
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  const taken = schemas
    .flatMap(({ component, migrations }) => {
      const created = (some: readonly Migration[]): readonly string[] =>
        some.flatMap((migration) => migration(sql.dialect).flatMap(createdBy));
      const from = versions.get(component) ?? 0;
      const own = new Set(created(migrations.slice(0, from)));
      return created(migrations.slice(from)).filter((name) => !own.has(name));
    })
    .filter((name) => existing.has(name))
    .toSorted();
  if (taken.length > 0) throw foreign(taken);
}

const CREATED = /\bCREATE\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|SEQUENCE)\s+(\w+)/gi;

/** Returns the names of what a statement creates. */
function createdBy(statement: string): readonly string[] {
  return [...statement.matchAll(CREATED)].map(([, name = ""]) => name);
}

function foreign(tables: readonly string[]): ForeignTables {
  const more = tables.length > MOST_NAMED ? ` and ${tables.length - MOST_NAMED} more` : "";
  return new ForeignTables(
    `The database has tables of another program whose names Petstore needs: ${tables.slice(0, MOST_NAMED).join(", ")}${more}. ` +
      "Nothing was changed. Rename them, or give Petstore a database of its own.",
    tables,
  );
}

const MOST_NAMED = 5;

async function namesIn(sql: Sql, query: string): Promise<ReadonlySet<string>> {
  const rows = await sql.query({ text: query, values: [] });
  return new Set(rows.map((row) => text(row, "name")));
}

/** Returns the pending upgrades. */
function planOf(
  versions: ReadonlyMap<string, number>,
  schemas: readonly Schema[],
): readonly PlannedMigration[] {
  return schemas.flatMap(({ component, migrations }) => {
    const from = versions.get(component) ?? 0;
    const to = migrations.length;
    if (!opens(to, component, versions)) throw newer(component, from, to);
    return from >= to ? [] : [{ component, from, to }];
  });
}

/** Returns whether a program that knows the tables of a component up to the version `known` can use those of `versions`. */
export function opens(
  known: number,
  component: string,
  versions: ReadonlyMap<string, number>,
): boolean {
  const version = versions.get(component) ?? 0;
  return version <= known || (versions.get(sinceMark(component, version)) ?? Infinity) <= known;
}

function stepsOf(
  { dialect, shared }: Pick<Sql, "dialect" | "shared">,
  { component, migrations, since = migrations.length }: Schema,
  planned: readonly PlannedMigration[],
  at: number,
): readonly Step[] {
  const from = planned.find((one) => one.component === component)?.from;
  if (from === undefined) return [];
  const steps = migrations
    .slice(from)
    .flatMap((migration, index): readonly Step[] => [
      { text: TAKE_VERSION, values: [component, from + index + 1, at] },
      ...migration(dialect).map((statement) => ({ text: statement, values: [] })),
    ]);
  // Other databases are never open in programs of two versions.
  if (shared === undefined) return steps;
  const mark = sinceMark(component, migrations.length);
  return [...steps, { text: MARK_SINCE, values: [mark, since, at] }];
}

/** Stands for a component: its version is the oldest one whose programs may open the database at `version`. */
function sinceMark(component: string, version: number): string {
  return `${component} ${version} since`;
}

const VERSIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  component TEXT NOT NULL,
  version INTEGER NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (component, version)
)`;

const TAKE_VERSION = `INSERT INTO schema_migrations (component, version, applied_at) VALUES (?, ?, ?)
  ON CONFLICT (component, version) DO NOTHING RETURNING version`;

const MARK_SINCE = `INSERT INTO schema_migrations (component, version, applied_at) VALUES (?, ?, ?)
  ON CONFLICT (component, version) DO NOTHING`;

const MARK = `INSERT INTO schema_migrations (component, version, applied_at)
  SELECT ?, 1, CAST(? AS BIGINT)`;
const MARK_EMPTY = `${MARK} WHERE NOT EXISTS (SELECT 1 FROM schema_migrations) RETURNING version`;
const FIND_MARK = "SELECT version FROM schema_migrations WHERE component = ?";
const UNMARK = `DELETE FROM schema_migrations
  WHERE component = ? OR component LIKE 'copied %' OR component LIKE 'moved %'`;

const VERSIONS = "schema_migrations";
const NONE: ReadonlyMap<string, number> = new Map();
const READ_VERSIONS =
  "SELECT component, MAX(version) AS version FROM schema_migrations GROUP BY component";

/** Reads the versions. Other tools, such as dbmate, have a table of the same name. */
async function currentVersions(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const columns = await namesIn(sql, sql.dialect.columnsOf(VERSIONS));
  const ours = ["component", "version", "applied_at"].every((column) => columns.has(column));
  if (!ours) throw foreign([VERSIONS]);
  const rows = await sql.query({ text: READ_VERSIONS, values: [] });
  return new Map(rows.map((row) => [text(row, "component"), number(row, "version")]));
}

function refusalOf(mark: Mark): Error {
  if (mark.kind === "unfinished") {
    return new UnfinishedImport("An import into the database was interrupted. Run it again.");
  }
  const { place } = mark;
  return mark.kind === "copied"
    ? new UnfinishedImport(
        `A move from ${place} into the database was interrupted before its end. Run it again.`,
      )
    : new UnsuitableDatabase(`The contents of the database were moved to ${place}. Use that one.`);
}

function newer(component: string, found: number, known: number): NewerSchema {
  return new NewerSchema(
    `The database holds version ${found} of the schema "${component}", and this program knows ${known} at most: ` +
      "a newer program wrote it. Start that one, or restore a backup made before the upgrade.",
  );
}
