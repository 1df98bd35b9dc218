import { bunSqliteSql } from "../adapters/sqlite/bun.ts";
import { migrate, type Schema } from "../lib/sql/migrate.ts";
import { number, text } from "../lib/sql/rows.ts";
import type { Sql, SqlRow } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";

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
  /** Whether it names the files that backups and exports contain. */
  readonly namesFile: boolean;
}

/** The version of each component's tables. */
export type Versions = Readonly<Record<string, number>>;

/** Returns the query for the rows of a table, in the order of its key, under the names of the members. */
export function selectOf({ name, columns, key }: Table): string {
  const members = columns.map((column) => `${column.name} AS "${column.member}"`).join(", ");
  return `SELECT ${members} FROM ${name} ORDER BY ${key.join(", ")}`;
}

/** What carries rows to another database. A backup of PostgreSQL, and a restore into it, carry the same tables as a move. */
export type Transfer = "export" | "move";

/**
 * What carries the rows of a table:
 *
 * - `carried`: exports and moves.
 * - `notExported`: moves only. The text says why an export leaves them out.
 * - `nowhere`: neither. The text says why. Only a backup of SQLite, which copies the whole file, contains them.
 */
type Carriage = "carried" | { readonly notExported: string } | { readonly nowhere: string };

/**
 * How each table of an installation is carried, in the order in which tables are created. A new table needs a line here, or
 * `tablesOf` throws and no test of backups, exports and moves passes. A new column needs nothing: all columns are carried.
 */
const carriages: Readonly<Record<string, Carriage>> = {
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
  profiles: "carried",
  photos: "carried",
  adoptions: "carried",
  projects: "carried",
  project_slugs: "carried",
  deploys: "carried",
  deploy_manifests: "carried",
  deploy_blobs: "carried",
  departed_deploys: "carried",
  imports: "carried",
  management_tokens: "carried",
  setup_links: { notExported: "A new setup link is made by `petstore setup-link`." },
  members: "carried",
  member_sessions: { notExported: "Members sign in again." },
  member_passkeys: "carried",
  member_reset_links: { notExported: "A new link is made by `petstore members reset-link`." },
  member_challenges: { notExported: "They live for minutes." },
  mail_queue: { notExported: "Mails are sent within three days; those that wait are sent here." },
  audit_log: "carried",
  audit_chain: "carried",
  enquiry_boxes: "carried",
  enquiries: "carried",
  webhooks: "carried",
  webhook_deliveries: {
    notExported: "Those that wait are sent here, and the others are kept for days.",
  },
  request_log: {
    nowhere: "It tells about requests of the last days, and would make backups larger.",
  },
  request_days: { nowhere: "They count the requests of the last days." },
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
  successor_accounts: "carried",
  overdue_notices: { nowhere: "They keep mails from being sent twice." },
  nodes: { nowhere: "They describe running processes." },
  places: { nowhere: "They belong to callers of running processes." },
  leases: { nowhere: "They belong to a process." },
  lease_fences: { nowhere: "They number the leases." },
  blob_place: { nowhere: "It belongs to the options." },
  blobs: { nowhere: "Their contents are files." },
  blob_parts: { nowhere: "Their contents are files." },
  limit_counters: { nowhere: "They count the requests of the windows that run now." },
  limit_standing: { nowhere: "It says which database counts them." },
  petstore_migrations: { nowhere: "The manifest has the versions." },
};

/** The names of everything that an installation creates in its database: tables in the order of their creation, and sequences. */
export const created: {
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
} = { tables: Object.keys(carriages), sequences: ["lease_fence"] };

/** Returns whether a transfer carries a table. Throws if it has no line in `carriages`. */
export function isCarried(name: string, transfer: Transfer): boolean {
  const carriage = carriages[name];
  if (carriage === undefined) {
    throw new Error(
      `Add the table ${name} to transfer/tables.ts, which says what carries its rows.`,
    );
  }
  return carriage === "carried" || (transfer === "move" && "notExported" in carriage);
}

/**
 * Returns the tables of the schemas that a transfer carries, in the order of their creation, so that rows follow those that
 * they reference. Reads them from a database in memory, which the migrations have made. Throws if `carriages` lacks one.
 */
export async function tablesOf(
  schemas: readonly Schema[],
  transfer: Transfer,
): Promise<readonly Table[]> {
  const sql = await bunSqliteSql({ path: ":memory:" });
  try {
    await migrate(sql, schemas, 0);
    const found: Table[] = [];
    for (const row of await sql.query({ text: TABLES, values: [] })) {
      const name = text(row, "name");
      if (!isCarried(name, transfer)) continue;
      found.push(await tableOf(sql, name, number(row, "numbered") === 1));
    }
    return found;
  } finally {
    await sql.close();
  }
}

/** The columns whose values name the files that backups and exports contain. */
const FILE_NAMES = new Set(["deploy_blobs.sha256", "photos.hash"]);

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
      namesFile: FILE_NAMES.has(`${name}.${text(row, "name")}`),
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

/**
 * Returns the schemas as they were at `versions`. A component without a version had no tables. Programs that work with the newest
 * tables also work with the older ones that they know.
 */
export function schemasAt(schemas: readonly Schema[], versions: Versions): readonly Schema[] {
  return schemas.map(({ component, migrations, since = migrations.length }) => {
    const version = versions[component] ?? 0;
    return {
      component,
      migrations: migrations.slice(0, version),
      since: Math.min(since, version),
    };
  });
}

/**
 * As `schemasAt`. Throws a `Failure` if a version is newer than this program, which would miss tables and columns: `holder`
 * has the versions, and `fix` says what to do.
 */
export function knownSchemasAt(
  schemas: readonly Schema[],
  versions: Versions,
  { holder, fix }: { readonly holder: string; readonly fix: string },
): readonly Schema[] {
  for (const [component, version] of Object.entries(versions)) {
    const known = schemas.find((one) => one.component === component)?.migrations.length ?? 0;
    if (version <= known) continue;
    throw new Failure(
      "configuration",
      `${holder} has version ${version} of the schema "${component}", and this program knows ${known} at most. ${fix}`,
    );
  }
  return schemasAt(schemas, versions);
}
