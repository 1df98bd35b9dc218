import { Database } from "bun:sqlite";

import type { SqlRow } from "../lib/sql/sql.ts";
import { failureOf } from "../lib/sql/sqlite.ts";
import { Failure } from "../settings/failure.ts";
import { FIND_VERSIONS_IN_FILE, readVersions } from "./marks.ts";
import { blobNamesAt, type Snapshot, versionsIn } from "./snapshot.ts";
import { selectOf, type Versions } from "./tables.ts";

/**
 * Reads a SQLite file that other processes write to, as of one instant. Blocks no writer, but the write-ahead log cannot
 * be reused until it is closed.
 */
export function sqliteSnapshot(path: string): Snapshot {
  const database = new Database(path, { readonly: true });
  let versionsTable = "";
  const versions = (): Versions => versionsIn([...iterate(readVersions(versionsTable))]);
  try {
    database.exec("PRAGMA busy_timeout = 5000; BEGIN");
    // The first read fixes the instant.
    using first = database.prepare(FIND_VERSIONS_IN_FILE);
    const [found] = first.values();
    if (found === undefined) throw new Error("it has no Petstore tables");
    versionsTable = String(found[0]);
  } catch (cause) {
    database.close();
    throw unreadable(path, cause);
  }
  return {
    rows: (table) => iterate(selectOf(table)),
    count: ({ name }) => {
      using count = database.prepare(`SELECT COUNT(*) FROM ${name}`);
      return Number(count.values()[0]?.[0]);
    },
    lastNumber: ({ name }) => {
      using sequence = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?");
      return Number(sequence.values(name)[0]?.[0] ?? 0);
    },
    versions,
    blobs: function* () {
      for (const { sha256 } of iterate(blobNamesAt(versions()))) yield String(sha256);
    },
    close: () => database.close(),
  };

  function* iterate(query: string): Generator<SqlRow, void, undefined> {
    try {
      using statement = database.prepare<SqlRow, []>(query);
      yield* statement.iterate();
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }
}

function unreadable(path: string, cause: unknown): Failure {
  return new Failure("failed", `${path} cannot be read: ${failureOf(cause).message}`, { cause });
}
