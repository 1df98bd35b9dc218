import {
  aBoolean,
  type Expectation,
  checkOptions,
  having,
  listOf,
  oneOf,
  optional,
} from "../lib/base/options.ts";
import { type Schema, sinceMark } from "../lib/sql/migrate.ts";
import { postgresDialect, translate } from "../lib/sql/postgres.ts";
import type { Dialect } from "../lib/sql/sql.ts";
import { sqliteDialect } from "../lib/sql/sqlite.ts";
import { createVersionsTable, VERSIONS_TABLE } from "../lib/sql/versions-table.ts";
import { limitsSql, limitsVersion } from "./postgres/limits-sql.ts";
import { locksOf } from "./postgres/locks.ts";
import { aSchemaName, quoted } from "./postgres/schema-name.ts";

export type { Schema } from "../lib/sql/migrate.ts";

/** Options of `migrations`. */
export interface MigrationsOptions {
  /** The database that runs the statements. */
  readonly dialect: "postgres" | "sqlite";
  /** The PostgreSQL schema of the tables, as in `postgresSql`. Required there; SQLite has none. */
  readonly schema?: string;
  /** The tables of the stores that you open: `storeSchema` of `petstore`, `projectSchema` of `petstore/publishing`, and so on. */
  readonly schemas: readonly Schema[];
  /** Whether to include the tables and functions of `counters` of `postgresSql`. Default true with PostgreSQL. */
  readonly counters?: boolean;
}

/** One step of your migrations. */
export interface SqlMigration {
  /** Such as `petstore_1`: letters, digits and `_`. Stays the same in later versions of the package. */
  readonly name: string;
  /** Several statements, which end with `;`. To be run once, in one transaction. */
  readonly sql: string;
}

/** How a database runs our statements. */
interface Form {
  readonly dialect: Dialect;
  /** Milliseconds since the Unix epoch. */
  readonly now: string;
  readonly statement: (text: string) => string;
  /** Makes statements find the tables of the schema, and nothing else. */
  readonly inSchema: (statements: readonly string[]) => readonly string[];
}

const sqlite: Form = {
  dialect: sqliteDialect,
  now: "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
  statement: (text) => text,
  inSchema: (statements) => statements,
};

/** The search path is that of the connection again at the end, because your tool also writes its own tables. */
function postgresIn(schema: string): Form {
  const path = (name: string): string => `current_setting('${name}')`;
  return {
    dialect: postgresDialect,
    now: postgresDialect.now ?? "",
    statement: translate,
    inSchema: (statements) => [
      `SELECT set_config('petstore.search_path', ${path("search_path")}, false)`,
      `SET search_path TO ${quoted(schema)}`,
      ...statements,
      `SELECT set_config('search_path', ${path("petstore.search_path")}, false)`,
    ],
  };
}

const aTableSchema: Expectation = having(
  "the tables of a component, such as storeSchema",
  "component",
  "migrations",
);

/**
 * Returns the SQL that creates and upgrades our tables, for a host that runs its own migrations: one migration of yours for each,
 * in this order. After an upgrade of the package, add those whose names are new. They write the rows that `migrate` would write
 * into the table `petstore_migrations`, so opening a store finds nothing to do. Throws a TypeError for invalid options.
 */
export function migrations(options: MigrationsOptions): readonly SqlMigration[] {
  const isPostgres = (options as MigrationsOptions | undefined)?.dialect === "postgres";
  const absent: Expectation = {
    what: "absent with SQLite",
    holds: (value) => value === undefined,
  };
  checkOptions("migrations", options, {
    dialect: oneOf(["postgres", "sqlite"]),
    schema: isPostgres ? aSchemaName : absent,
    schemas: listOf(aTableSchema, 1),
    counters: isPostgres ? optional(aBoolean) : absent,
  });
  const { schema = "", schemas, counters = isPostgres } = options;
  const form = isPostgres ? postgresIn(schema) : sqlite;
  const first: SqlMigration = {
    name: "petstore_0",
    sql: textOf([
      ...(isPostgres ? [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`] : []),
      ...form.inSchema([form.statement(createVersionsTable())]),
    ]),
  };
  const limits: SqlMigration = {
    name: `limits_${limitsVersion}`,
    sql: textOf(form.inSchema([limitsSql(locksOf(schema)).replace(/;\s*$/, "")])),
  };
  const steps = schemas.flatMap((one) => migrationsOf(one, form));
  return [first, ...steps, ...(counters ? [limits] : [])];
}

function migrationsOf(
  { component, migrations: steps, since = steps.length }: Schema,
  { dialect, now, statement, inSchema }: Form,
): readonly SqlMigration[] {
  const row = (name: string, version: number): string =>
    `INSERT INTO ${VERSIONS_TABLE} (component, version, applied_at) VALUES ('${name}', ${version}, ${now})`;
  return steps.map((step, index) => {
    const version = index + 1;
    const isLast = version === steps.length && dialect === postgresDialect;
    return {
      name: `${component.replaceAll(" ", "_")}_${version}`,
      sql: textOf(
        inSchema([
          row(component, version),
          ...step(dialect).map(statement),
          ...(isLast ? [row(sinceMark(component, version), since)] : []),
        ]),
      ),
    };
  });
}

function textOf(statements: readonly string[]): string {
  return statements.map((one) => `${one};\n`).join("");
}
