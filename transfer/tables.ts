import { bunSqliteSql } from "../adapters/sqlite-bun.ts";
import { migrate, type Schema } from "../lib/sql/migrate.ts";
import { number, text } from "../lib/sql/rows.ts";
import type { Sql, SqlRow } from "../lib/sql/sql.ts";

/** A table that an export carries, as its migrations declare it. */
export interface Table {
  /** `deleted_pets` */
  readonly name: string;
  /** `deleted-pets`: names the file. */
  readonly noun: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, which order the rows. */
  readonly key: readonly string[];
  /** The column whose values the database assigns. */
  readonly numbered: string | undefined;
}

export interface Column {
  /** `category_id` */
  readonly name: string;
  /** `categoryId`: names the member of a row. */
  readonly member: string;
  readonly type: "integer" | "text";
  /** The largest absolute value of an integer: other databases than SQLite refuse larger ones. */
  readonly maximum: number;
  readonly nullable: boolean;
}

/** Returns the query for the rows of a table, in the order of its key, under the names of the members. */
export function selectOf({ name, columns, key }: Table): string {
  const members = columns.map((column) => `${column.name} AS "${column.member}"`).join(", ");
  return `SELECT ${members} FROM ${name} ORDER BY ${key.join(", ")}`;
}

/** Lists the names of the referenced blobs, in order. */
export const BLOB_NAMES = "SELECT DISTINCT sha256 FROM deploy_blobs ORDER BY sha256";

/** Reads the newest version of each component's tables. */
export const VERSIONS =
  "SELECT component, MAX(version) AS version FROM schema_migrations GROUP BY component";

/** What a transfer carries: an export leaves out what lives for minutes or is made anew, a move to another database does not. */
export type Transfer = "export" | "move";

/**
 * Whether a transfer carries a table, or why an export does not. Every table is classified here, or `tablesOf` fails. Its
 * columns are not listed: all of them are carried.
 */
const uses: Readonly<
  Record<string, "carried" | { readonly left: string; readonly moved?: boolean }>
> = {
  accounts: "carried",
  catalogues: "carried",
  departed_catalogues: "carried",
  api_keys: "carried",
  categories: "carried",
  pets: "carried",
  deleted_pets: "carried",
  orders: "carried",
  answers: "carried",
  counters: "carried",
  events: "carried",
  feed: "carried",
  settings: "carried",
  usage_minutes: "carried",
  usage_days: "carried",
  projects: "carried",
  project_slugs: "carried",
  deploys: "carried",
  deploy_manifests: "carried",
  deploy_blobs: "carried",
  departed_deploys: "carried",
  management_tokens: "carried",
  setup_links: { left: "A new setup link is made by `petstore setup-link`.", moved: true },
  members: "carried",
  member_sessions: { left: "Members sign in again.", moved: true },
  member_passkeys: "carried",
  member_reset_links: { left: "A new link is made by `petstore members reset-link`.", moved: true },
  member_challenges: { left: "They live for minutes.", moved: true },
  domains: "carried",
  domain_holders: "carried",
  domain_targets: "carried",
  domain_accounts: "carried",
  domain_reports: "carried",
  domain_timeline: "carried",
  domain_orders: "carried",
  domain_challenges: "carried",
  domain_certificates: "carried",
  authority_accounts: "carried",
  replaced_accounts: "carried",
  authority_pauses: "carried",
  blocked_keys: "carried",
  nodes: { left: "They describe running processes." },
  places: { left: "They belong to callers of running processes." },
  leases: { left: "They belong to a process." },
  lease_fences: { left: "They number the leases." },
  blob_place: { left: "It belongs to the options." },
  blobs: { left: "Their contents are files." },
  blob_parts: { left: "Their contents are files." },
  schema_migrations: { left: "The manifest has the versions." },
};

/** The names of everything that migrations create: tables in the order of their creation, and sequences. */
export const created: {
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
} = { tables: Object.keys(uses), sequences: ["lease_fence"] };

/** The nouns of the tables that an export leaves out, with the reason. */
export const leftOut: ReadonlyMap<string, string> = new Map(
  Object.entries(uses).flatMap(([name, use]) => (use === "carried" ? [] : [[name, use.left]])),
);

/**
 * Returns the tables of the schemas that a transfer carries, in the order of their creation, so that rows follow those that
 * they reference. Reads them from a database in memory, which the migrations have made. Throws if a table is not classified.
 */
export async function tablesOf(
  schemas: readonly Schema[],
  transfer: Transfer = "export",
): Promise<readonly Table[]> {
  const sql = await bunSqliteSql({ path: ":memory:" });
  try {
    await migrate(sql, schemas, 0);
    const found: Table[] = [];
    for (const row of await sql.query({ text: TABLES, values: [] })) {
      const name = text(row, "name");
      const use = uses[name];
      if (use === undefined) {
        throw new Error(`The table ${name} is not classified: does an export carry it?`);
      }
      if (use !== "carried" && !(transfer === "move" && use.moved === true)) continue;
      found.push(await tableOf(sql, name, number(row, "numbered") === 1));
    }
    return found;
  } finally {
    await sql.close();
  }
}

const TABLES = `SELECT name, sql LIKE '%AUTOINCREMENT%' AS numbered FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`;
const COLUMNS = `SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?) ORDER BY cid`;

async function tableOf(sql: Sql, name: string, isNumbered: boolean): Promise<Table> {
  const rows = await sql.query({ text: COLUMNS, values: [name] });
  const place = (row: SqlRow): number => number(row, "pk");
  const key = rows
    .filter((row) => place(row) > 0)
    .toSorted((a, b) => place(a) - place(b))
    .map((row) => text(row, "name"));
  return {
    name,
    noun: name.replaceAll("_", "-"),
    columns: rows.map((row) => ({
      name: text(row, "name"),
      member: memberOf(text(row, "name")),
      type: typeOf(text(row, "type")),
      // An identity has 64 bits everywhere.
      maximum: text(row, "type") === "INTEGER" && !(isNumbered && place(row) > 0) ? MAX_SMALL : MAX,
      nullable: number(row, "required") === 0 && place(row) === 0,
    })),
    key,
    numbered: isNumbered ? key[0] : undefined,
  };
}

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_SMALL = 2 ** 31 - 1;

function memberOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function typeOf(declared: string): Column["type"] {
  if (declared === "TEXT") return "text";
  if (declared === "INTEGER" || declared === "BIGINT") return "integer";
  throw new Error(`An export has no columns of the type ${declared}.`);
}

/** Returns the schemas as they were at `versions`. A component without a version had no tables. */
export function schemasAt(
  schemas: readonly Schema[],
  versions: Readonly<Record<string, number>>,
): readonly Schema[] {
  return schemas.map(({ component, migrations }) => ({
    component,
    migrations: migrations.slice(0, versions[component] ?? 0),
  }));
}
