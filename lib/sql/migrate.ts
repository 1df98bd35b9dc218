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
  MissingMigrations,
  NewerSchema,
  UnfinishedImport,
  UnsuitableDatabase,
} from "./sql.ts";
import {
  createVersionsTable,
  findVersionsTable,
  hasNoEarlierVersions,
  readVersions,
  VERSIONS_TABLE,
} from "./versions-table.ts";

/** The statements that upgrade a schema from one version to the next. */
export type Migration = (dialect: Dialect) => readonly string[];

/** The tables of one component. The first migration creates version 1. */
export interface Schema {
  readonly component: string;
  readonly migrations: readonly Migration[];
  /**
   * The oldest version of the tables whose programs also work with these tables, so that the nodes of one database can be upgraded one by
   * one. Default: the newest version.
   */
  readonly since?: number;
}

/**
 * Upgrades the tables of all `schemas` in one transaction: if a migration fails, all of them stay unchanged for the
 * program that wrote them. Runs `sql.beforeMigration` first. Two processes may migrate at the same time. Throws
 * `NewerSchema` if the database is newer than a schema, `UnfinishedImport` after an interrupted import or move,
 * `ForeignTables` if another program's tables have our names, `MissingMigrations` if an upgrade is pending and
 * `sql.migrates` is false, and `UnsuitableDatabase` if the contents were moved to another database. Nothing is changed then.
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
    const table = await versionsTableIn(sql);
    const versions = table === undefined ? NONE : await currentVersions(sql, table);
    refuseForeign(sql, schemas, existing, versions, table);
    const mark = importing ? undefined : markIn(versions.keys());
    if (mark !== undefined) throw refusalOf(mark);
    const planned = planOf(versions, schemas);
    if (planned.length === 0) return;
    if (sql.migrates === false) throw new MissingMigrations(planned);
    await sql.beforeMigration?.(planned);
    const texts = textsFor(table ?? VERSIONS_TABLE);
    const steps = [
      ...(table === undefined ? startOf(sql.dialect) : []),
      ...schemas.flatMap((schema) => stepsOf(sql, schema, planned, texts, at)),
    ];
    const conditions = new Set([texts.take, hasNoEarlierVersions(sql.dialect)]);
    // Refused if another process was faster; the loop then reads the versions again.
    await sql.batch(
      steps,
      (rows, index) => !conditions.has(steps[index]?.text ?? "") || rows.length > 0,
      MIGRATIONS_LANE,
    );
  }
}

/** Returns the steps that create the table with the versions. The first one has no row if an earlier version was faster. */
function startOf(dialect: Dialect): readonly Step[] {
  return [hasNoEarlierVersions(dialect), createVersionsTable()].map((one) => ({
    text: one,
    values: [],
  }));
}

/** Returns the name of the table with the versions; undefined if the database has no tables of ours. */
export async function versionsTableIn(
  sql: Pick<Sql, "dialect" | "query">,
): Promise<string | undefined> {
  const [row] = await sql.query({ text: findVersionsTable(sql.dialect), values: [] });
  return row === undefined ? undefined : text(row, "name");
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

/** Returns the mark of a database by the components in its table of versions; undefined if it has none. */
export function markIn(components: Iterable<string>): Mark | undefined {
  for (const component of components) {
    if (component === UNFINISHED) return { kind: "unfinished" };
    const [, kind, id = "", place = ""] = /^(copied|moved) (\S+) (.+)$/.exec(component) ?? [];
    if (kind === "copied" || kind === "moved") return { kind, id, place };
  }
  return undefined;
}

/** Returns the statements that replace the mark of a database, or remove it. `table` is the one with the versions. */
export function marking(table: string, mark: Mark | undefined, at: number): readonly Statement[] {
  const texts = textsFor(table);
  const add = { text: texts.mark, values: [mark === undefined ? "" : componentOf(mark), at] };
  return [{ text: texts.unmark, values: [UNFINISHED] }, ...(mark === undefined ? [] : [add])];
}

/** Replaces the mark of a database that has tables, or removes it. `at` is in milliseconds since the Unix epoch. */
export async function markDatabase(sql: Sql, mark: Mark | undefined, at: number): Promise<void> {
  const table = (await versionsTableIn(sql)) ?? VERSIONS_TABLE;
  await sql.batch(marking(table, mark, at), () => true, MIGRATIONS_LANE);
}

/** Marks an empty database. Returns false, and changes nothing, if it has or had tables of ours. */
export async function beginImport(
  sql: Sql,
  at: number,
  mark: Mark = { kind: "unfinished" },
): Promise<boolean> {
  const table = await versionsTableIn(sql);
  const start = table === undefined ? startOf(sql.dialect) : [];
  const add = {
    text: textsFor(table ?? VERSIONS_TABLE).markEmpty,
    values: [componentOf(mark), at],
  };
  const begun = await sql.batch(
    [...start, add],
    (rows, index) => start[index]?.text === createVersionsTable() || rows.length > 0,
    MIGRATIONS_LANE,
  );
  return begun.ok;
}

/**
 * Removes `tables`, which are in the order of their creation, and `sequences` from a database with the mark, and the table with
 * the versions. Returns false, and changes nothing, if the database has another mark or none.
 */
export async function removeTables(
  sql: Sql,
  {
    tables,
    sequences,
  }: { readonly tables: readonly string[]; readonly sequences: readonly string[] },
  mark: Mark,
): Promise<boolean> {
  const versions = await versionsTableIn(sql);
  if (versions === undefined) return false;
  const dropped = [
    ...[...tables, versions].toReversed().map((name) => `TABLE IF EXISTS ${name}`),
    ...(sql.dialect.sequence === undefined ? [] : sequences).map(
      (name) => `SEQUENCE IF EXISTS ${name}`,
    ),
  ];
  const steps = [
    { text: textsFor(versions).findMark, values: [componentOf(mark)] },
    ...dropped.map((what) => ({ text: `DROP ${what}`, values: [] })),
  ];
  const removed = await sql.batch(
    steps,
    (rows, index) => index !== 0 || rows.length > 0,
    MIGRATIONS_LANE,
  );
  return removed.ok;
}

/** Throws `ForeignTables` if a pending upgrade would create what exists already. `table` is the one with the versions. */
function refuseForeign(
  sql: Sql,
  schemas: readonly Schema[],
  existing: ReadonlySet<string>,
  versions: ReadonlyMap<string, number>,
  table: string | undefined,
): void {
  const taken = schemas
    .flatMap(({ component, migrations }) => {
      const created = (some: readonly Migration[]): readonly string[] =>
        some.flatMap((migration) => migration(sql.dialect).flatMap(createdBy));
      const from = versions.get(component) ?? 0;
      const own = new Set(created(migrations.slice(0, from)));
      return created(migrations.slice(from)).filter((name) => !own.has(name));
    })
    .concat(table === undefined ? [VERSIONS_TABLE] : [])
    .filter((name) => existing.has(name));
  if (taken.length > 0) throw foreignTables(taken);
}

const CREATED = /\bCREATE\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|SEQUENCE)\s+(\w+)/gi;
const NUMBERED = /\bCREATE\s+TABLE\s+(\w+)\s*\([^]*?(\w+) BIGINT GENERATED BY DEFAULT AS IDENTITY/i;

/** Returns the names of what a statement creates. */
function createdBy(statement: string): readonly string[] {
  const names = [...statement.matchAll(CREATED)].map(([, name = ""]) => name);
  // PostgreSQL would choose another name for the sequence of the column, under which it is read later.
  const [, table, column] = NUMBERED.exec(statement) ?? [];
  return table === undefined ? names : [...names, `${table}_${column}_seq`];
}

/** Returns the error for `tables` of another program, in any order. */
export function foreignTables(tables: readonly string[]): ForeignTables {
  const sorted = tables.toSorted();
  const more = sorted.length > MOST_NAMED ? ` and ${sorted.length - MOST_NAMED} more` : "";
  return new ForeignTables(
    `The database has tables of another program whose names Petstore needs: ${sorted.slice(0, MOST_NAMED).join(", ")}${more}. ` +
      "Nothing was changed. Rename them, or give Petstore a database or, in PostgreSQL, a schema of its own.",
    sorted,
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
  texts: ReturnType<typeof textsFor>,
  at: number,
): readonly Step[] {
  const from = planned.find((one) => one.component === component)?.from;
  if (from === undefined) return [];
  const steps = migrations
    .slice(from)
    .flatMap((migration, index): readonly Step[] => [
      { text: texts.take, values: [component, from + index + 1, at] },
      ...migration(dialect).map((statement) => ({ text: statement, values: [] })),
    ]);
  // Other databases are never open in programs of two versions.
  if (shared === undefined) return steps;
  const mark = sinceMark(component, migrations.length);
  return [...steps, { text: texts.markSince, values: [mark, since, at] }];
}

/** Stands for a component: its version is the oldest one whose programs may open the database at `version`. */
export function sinceMark(component: string, version: number): string {
  return `${component} ${version} since`;
}

/** Returns the statements on the table with the versions. */
function textsFor(table: string) {
  const add = `INSERT INTO ${table} (component, version, applied_at)`;
  const unlessKnown = `${add} VALUES (?, ?, ?) ON CONFLICT (component, version) DO NOTHING`;
  const mark = `${add} SELECT ?, 1, CAST(? AS BIGINT)`;
  return {
    take: `${unlessKnown} RETURNING version`,
    markSince: unlessKnown,
    mark,
    markEmpty: `${mark} WHERE NOT EXISTS (SELECT 1 FROM ${table}) RETURNING version`,
    findMark: `SELECT version FROM ${table} WHERE component = ?`,
    unmark: `DELETE FROM ${table}
      WHERE component = ? OR component LIKE 'copied %' OR component LIKE 'moved %'`,
  };
}

const NONE: ReadonlyMap<string, number> = new Map();

async function currentVersions(sql: Sql, table: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query({ text: readVersions(table), values: [] });
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
