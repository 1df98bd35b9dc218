import { number, text } from "../lib/sql/rows.ts";
import type { SqlRow } from "../lib/sql/sql.ts";
import type { Table, Versions } from "./tables.ts";

/**
 * The rows of an installation as of one instant, and the names of the site files that they reference. A SQLite file, a
 * PostgreSQL database and an export are sources of it; an export and an empty database receive it.
 */
export interface Snapshot {
  /** The name of the table with the versions of a database. Absent for an export. */
  readonly versionsTable?: string;
  /** Reads the rows of a table in the order of its key, under the names of the members. */
  rows(table: Table): Iterable<SqlRow> | AsyncIterable<SqlRow>;
  /** Returns the number of rows of a table. */
  count(table: Table): number | Promise<number>;
  /** Returns the last number that the database has assigned in a table, the same each time; 0 if none. */
  lastNumber(table: Table): number | Promise<number>;
  /** Returns the contents of a table, if reading its rows compares them with that. */
  sum?(table: Table): TableSum;
  /** Returns the version of each component's tables, and the marks that stand beside them. */
  versions(): Versions | Promise<Versions>;
  /** Lists the names of the referenced blobs, in order. */
  blobs(): Iterable<string> | AsyncIterable<string>;
  close(): void | Promise<void>;
}

/** Returns the query for the names of the referenced blobs, in order. Older versions of the tables have no photos. */
export function blobNamesAt({ petstore = 0 }: Versions): string {
  const photos = petstore < PHOTOS_SINCE ? "" : "UNION SELECT hash FROM photos";
  return `SELECT sha256 FROM deploy_blobs ${photos || "GROUP BY sha256"} ORDER BY sha256`;
}

/** The first version of the tables with photos. */
const PHOTOS_SINCE = 8;

/** Returns the versions in the rows of `readVersions`. */
export function versionsIn(rows: readonly SqlRow[]): Versions {
  return Object.fromEntries(rows.map((row) => [text(row, "component"), number(row, "version")]));
}

/** The contents of a table: the number of its rows, and the SHA-256 of the lines that an export has for them. */
export interface TableSum {
  /** `deleted-pets` */
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

/** Returns a row as the line of an export. */
export function lineOf(row: object): string {
  return `${JSON.stringify(row)}\n`;
}
