import type { Clock } from "../../base/clock.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { IN_SLICE, none, rotationOf } from "../../sql/rotation.ts";
import { number, readsOf, text } from "../../sql/rows.ts";
import { openTables, type Migration, type Schema } from "../../sql/migrate.ts";
import type { Sql, SqlValue } from "../../sql/sql.ts";
import { Script } from "../../sql/script.ts";
import { MAX_FILE_BYTES } from "../limits.ts";
import {
  importStates,
  openStates,
  workingStates,
  type ImportFiles,
  type StoredImport,
} from "./model.ts";
import { importColumns, importOf } from "./rows.ts";

/**
 * Stores imports, in the database of the `Store`. What an import did is recorded there, in the commits of its batches.
 * A missing row is `undefined`. Methods throw `StoreUnavailable` if a retry may succeed. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface ImportStore {
  byId(catalogueId: number, id: string): Eventual<StoredImport | undefined>;
  /** Lists at most `limit` imports of a catalogue, newest first. */
  list(catalogueId: number, limit: number): Eventual<readonly StoredImport[]>;
  /** How many imports of a catalogue have not ended. */
  open(catalogueId: number): Eventual<number>;
  /** Lists at most `limit` imports that the server works on, oldest first, and at most `ofAccount` of each account. */
  working(limit: number, ofAccount: number): Eventual<readonly StoredImport[]>;
  /** At most `limit` imports that were touched before `before`, or before `waitingBefore` and wait, or have no account. */
  expired(
    times: { readonly before: number; readonly waitingBefore: number },
    limit: number,
  ): Promise<readonly StoredImport[]>;
  /** How many bytes the files of an account's open imports have. */
  spooled(accountId: string): Eventual<number>;
  /** Which of at most 100 blobs are files of imports. */
  files(names: readonly string[]): Eventual<ReadonlySet<string>>;
  /** Adds an import. Returns false without its account, or if the catalogue has `atMost` that have not ended. */
  create(row: StoredImport, atMost: number): Promise<boolean>;
  /** Replaces state, files and details. Returns the new row; undefined if the row is of another version. */
  save(
    from: StoredImport,
    to: ImportFiles & Pick<StoredImport, "state" | "details">,
    at: number,
  ): Promise<StoredImport | undefined>;
  /** Takes an import for `holder` until a time, or keeps it. Returns false if another one has it. */
  hold(
    id: string,
    holder: string,
    times: { readonly now: number; readonly until: number },
  ): Promise<boolean>;
  /** Removes an import of this version. */
  remove(row: Pick<StoredImport, "id" | "version">): Promise<void>;
}

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  ({ identity }) => [
    `CREATE TABLE imports (
      seq ${identity},
      id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL,
      catalogue_id BIGINT NOT NULL,
      state TEXT NOT NULL,
      file TEXT,
      details TEXT NOT NULL,
      version BIGINT NOT NULL,
      holder TEXT,
      held_until BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      touched_at BIGINT NOT NULL
    )`,
    "CREATE INDEX imports_by_catalogue ON imports (catalogue_id, seq)",
    "CREATE INDEX imports_by_state ON imports (state, touched_at)",
    "CREATE INDEX imports_by_file ON imports (file)",
  ],
  () => [
    "ALTER TABLE imports ADD COLUMN photos_file TEXT",
    "ALTER TABLE imports ADD COLUMN spool_bytes BIGINT",
    "CREATE INDEX imports_by_photos_file ON imports (photos_file)",
  ],
];

/** The tables of `sqlImportStore`. */
export const importSchema: Schema = { component: "imports", migrations };

/** Options of an import store in a SQL database. */
export interface SqlImportStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the import store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlImportStore(options: SqlImportStoreOptions): Promise<ImportStore> {
  const sql = await openTables("sqlImportStore", options, importSchema);
  const { all, first } = readsOf(sql);
  const rotation = rotationOf(sql);
  const write = async (query: string, values: readonly SqlValue[]): Promise<boolean> => {
    const script = new Script<"refused">();
    script.demand(query, values, "refused");
    return (await script.write(sql, LANE)).ok;
  };
  return {
    byId: (catalogueId, id) => first(BY_ID, [catalogueId, id], importOf),
    list: (catalogueId, limit) => all(LIST, [catalogueId, limit], importOf),
    open: (catalogueId) =>
      andThen(
        first(OPEN, [catalogueId], (row) => number(row, "count")),
        (count) => count ?? 0,
      ),
    working: (limit, ofAccount) => all(WORKING, [ofAccount, limit], importOf),
    expired: async ({ before, waitingBefore }, limit) => {
      const old: StoredImport[] = [];
      // One state at a time, by the index.
      for (const state of importStates) {
        const end = state === "waiting" ? Math.max(before, waitingBefore) : before;
        old.push(...(await all(EXPIRED, [state, end, limit - old.length], importOf)));
      }
      const slice = await rotation.next("imports");
      const left = await all(LEFT, [slice.after, slice.through, limit], importOf);
      return [...old, ...left];
    },
    spooled: (accountId) =>
      andThen(
        first(SPOOLED, [MAX_FILE_BYTES, accountId], (row) => number(row, "bytes")),
        (bytes) => bytes ?? 0,
      ),
    files: (names) => {
      const values = Array.from({ length: MOST_NAMES }, (_, index) => names[index] ?? "");
      return andThen(
        sql.query({ text: FILES, values: [...values, ...values] }),
        (rows) => new Set(rows.map((row) => text(row, "file"))),
      );
    },
    create: async (row, atMost) => {
      const { id, accountId, catalogueId, state, file, spoolBytes, details, createdAt } = row;
      const script = new Script<"refused">();
      script.demand(HOLD_ACCOUNT, [accountId], "refused");
      script.demand(FEWER_OPEN, [catalogueId, atMost], "refused");
      const json = JSON.stringify(details);
      const files = [file ?? null, spoolBytes ?? null];
      const values = [id, accountId, catalogueId, state, ...files, json, createdAt, createdAt];
      script.add(INSERT, values);
      return (await script.write(sql, LANE)).ok;
    },
    save: async (from, to, at) => {
      const { state, file, photosFile, spoolBytes, details } = to;
      const files = [file ?? null, photosFile ?? null, spoolBytes ?? null];
      const values = [state, ...files, JSON.stringify(details), at, from.id, from.version];
      if (!(await write(SAVE, values))) return undefined;
      const { photosFile: _photosFile, spoolBytes: _spoolBytes, ...rest } = from;
      return { ...rest, ...to, version: from.version + 1, touchedAt: at };
    },
    hold: (id, holder, { now, until }) => write(HOLD, [holder, until, id, holder, now]),
    remove: async ({ id, version }) => {
      await write(REMOVE, [id, version]);
    },
  };
}

const LANE = "imports";

const BY_ID = `SELECT ${importColumns} FROM imports WHERE catalogue_id = ? AND id = ?`;
const LIST = `SELECT ${importColumns} FROM imports WHERE catalogue_id = ? ORDER BY seq DESC LIMIT ?`;
const IN_WORK = `state IN (${workingStates.map((state) => `'${state}'`).join(", ")})`;
const WORKING = `SELECT ${importColumns} FROM (
    SELECT imports.*, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY seq) AS place
    FROM imports WHERE ${IN_WORK}
  ) AS placed WHERE place <= ? ORDER BY seq LIMIT ?`;
const EXPIRED = `SELECT ${importColumns} FROM imports
  WHERE state = ? AND touched_at < ? ORDER BY touched_at LIMIT ?`;
/** Imports of deleted accounts: by their catalogues, because a new account may have the same id. */
const LEFT = `SELECT ${importColumns} FROM imports
  WHERE ${IN_SLICE} AND ${none("catalogues WHERE catalogues.id = imports.catalogue_id")} LIMIT ?`;
const MOST_NAMES = 100;
const NAMES = Array.from({ length: MOST_NAMES }, () => "?").join(", ");
/** An older version removes the file of an import that ends, and knows no archive. */
const FILES = `SELECT file FROM imports WHERE file IN (${NAMES})
  UNION SELECT photos_file AS file FROM imports WHERE photos_file IN (${NAMES}) AND file IS NOT NULL`;
/** An older version does not count the bytes. */
const SPOOLED = `SELECT CAST(COALESCE(SUM(COALESCE(spool_bytes, ?)), 0) AS BIGINT) AS bytes FROM imports
  WHERE account_id = ? AND file IS NOT NULL
    AND state IN (${openStates.map((state) => `'${state}'`).join(", ")})`;
// Changes nothing. The row lock serializes changes that count the account's imports.
const HOLD_ACCOUNT = "UPDATE accounts SET id = id WHERE id = ? RETURNING id";
const OPEN = `SELECT COUNT(*) AS count FROM imports
  WHERE catalogue_id = ? AND state IN ('reading', 'waiting', 'running', 'undoing')`;
const FEWER_OPEN = `${OPEN} HAVING COUNT(*) < ?`;
const INSERT = `INSERT INTO imports (id, account_id, catalogue_id, state, file, spool_bytes, details, version,
    holder, held_until, created_at, touched_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 0, ?, ?)`;
const SAVE = `UPDATE imports SET state = ?, file = ?, photos_file = ?, spool_bytes = ?, details = ?,
    version = version + 1, touched_at = ?
  WHERE id = ? AND version = ? RETURNING id`;
const HOLD = `UPDATE imports SET holder = ?, held_until = ?
  WHERE id = ? AND (holder IS NULL OR holder = ? OR held_until < ?) RETURNING id`;
const REMOVE = "DELETE FROM imports WHERE id = ? AND version = ? RETURNING id";
