import { Database } from "bun:sqlite";
import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { failureOf, sqliteDialect } from "../lib/sql/sqlite.ts";
import { findVersionsTable, readVersions, VERSIONS_TABLE } from "../lib/sql/versions-table.ts";
import { codeOf, Failure } from "../settings/failure.ts";
import type { TableSums } from "./model/manifest.ts";
import { createCollector } from "./streams.ts";

/** How a snapshot affected the database that it was made of. */
export interface SnapshotCost {
  /** Sizes of the write-ahead log, which cannot be reused while the snapshot reads. */
  readonly walBytesBefore: number;
  readonly walBytesAfter: number;
}

/**
 * Copies a database that other processes write to, as of one instant, into a new file. Reads in one transaction, which
 * blocks no writer.
 */
export function takeSnapshot(path: string, into: string): SnapshotCost {
  const walBytes = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const walBytesBefore = walBytes();
  // SQLite writes into an existing empty file and keeps its mode.
  closeSync(openSync(into, "wx", 0o600));
  const database = new Database(path, { readonly: true });
  try {
    // The copy is temporary: a sync of all of it would delay the commits of the service.
    database.exec("PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF");
    database.exec(`VACUUM INTO '${into.replaceAll("'", "''")}'`);
  } catch (cause) {
    const reason = codeOf(cause) === "SQLITE_FULL" ? fullAt(into) : failureOf(cause).message;
    throw new Failure("failed", `${path} cannot be copied: ${reason}`, { cause });
  } finally {
    database.close();
  }
  return { walBytesBefore, walBytesAfter: walBytes() };
}

function fullAt(path: string): string {
  return `the disk of ${dirname(path)} is full. Free some space there, then try again.`;
}

/** What a database that nobody writes to contains. */
export interface Contents {
  readonly schemas: Readonly<Record<string, number>>;
  readonly tables: TableSums;
  /** Names of the referenced blobs, in order. */
  readonly blobs: readonly string[];
}

/** Reads every row of a database. `onRows` receives the number of rows read so far. */
export function readContents(path: string, onRows: (rows: number) => void = () => {}): Contents {
  const database = new Database(path, { readonly: true });
  try {
    const texts = (query: string): readonly string[] => {
      using statement = database.prepare(query);
      return statement.values().map(([value]) => String(value));
    };
    const names = texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    );
    const tables: Record<string, TableSums[string]> = {};
    let rows = 0;
    for (const name of names) {
      tables[name] = sumOf(database, name, () => {
        rows++;
        if (rows % ROWS_PER_REPORT === 0) onRows(rows);
      });
    }
    const [table] = texts(findVersionsTable(sqliteDialect));
    if (table === undefined) throw new Error(`the table ${VERSIONS_TABLE} is missing`);
    using versions = database.prepare(readVersions(table));
    return {
      schemas: Object.fromEntries(
        versions.values().map(([component, version]) => [String(component), Number(version)]),
      ),
      tables,
      blobs: texts(
        `SELECT sha256 FROM deploy_blobs ${
          names.includes("photos") ? "UNION SELECT hash FROM photos" : "GROUP BY sha256"
        } ORDER BY sha256`,
      ),
    };
  } finally {
    database.close();
  }
}

const ROWS_PER_REPORT = 20_000;
const ROWS_PER_COLLECTION = 20_000;

/** The order of rows is not defined, so their digests are added up. */
function sumOf(database: Database, table: string, onRow: () => void): TableSums[string] {
  using all = database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`);
  const collect = createCollector(ROWS_PER_COLLECTION);
  let rows = 0;
  let sum = 0n;
  // Reused: a hasher or a buffer for each row would be garbage faster than it is collected.
  const digest = new Uint8Array(32);
  const head = new DataView(digest.buffer);
  for (const row of all.iterate()) {
    Bun.SHA256.hash(JSON.stringify(row), digest);
    sum = BigInt.asUintN(64, sum + head.getBigUint64(0));
    rows++;
    onRow();
    collect(1);
  }
  return { rows, checksum: sum.toString(16).padStart(16, "0") };
}

/** Returns the faults that SQLite finds in the whole file; undefined if it is sound. */
export function faultsOf(path: string): string | undefined {
  const database = new Database(path, { readonly: true });
  try {
    using checked = database.prepare("PRAGMA integrity_check(5)");
    const faults = checked.values().map(([fault]) => String(fault));
    return faults.join(", ") === "ok" ? undefined : faults.join(", ");
  } finally {
    database.close();
  }
}
