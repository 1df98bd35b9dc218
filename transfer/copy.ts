import type { OnProgress } from "../backup/progress.ts";
import { createCollector } from "../backup/streams.ts";
import { migrate, type Schema } from "../lib/sql/migrate.ts";
import { StoreUnavailable, type Sql, type SqlValue, type Statement } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { BYTES_PER_COLLECTION } from "./lines.ts";
import { advanced, isNextId, type Gap } from "./model/gap.ts";
import { lineOf, type Snapshot, type TableSum } from "./snapshot.ts";
import type { Table } from "./tables.ts";

/** An empty database to copy to. */
export interface EmptyDatabase {
  readonly sql: Sql;
  /** Begins to read what was copied. Rejects with a `Failure`. */
  read(): Snapshot | Promise<Snapshot>;
}

export interface CopyOptions {
  /** The schemas as the source has them. */
  readonly found: readonly Schema[];
  /** The tables of these schemas that are carried. */
  readonly tables: readonly Table[];
  /** The schemas of this program, to which older ones are upgraded at the end. */
  readonly schemas: readonly Schema[];
  /** How far to advance numbers. Default: they continue where the source ends. */
  readonly gap?: Gap | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly onProgress: OnProgress;
}

/**
 * Fills an empty database: creates the tables as the source has them, copies the rows, compares both sides, advances the numbers
 * by the gap, and upgrades the tables like those of an older database. Rejects with a `Failure` if the sides differ, with
 * `RowsRefused`, or with `StoreUnavailable`.
 */
export async function copyRows(
  from: Snapshot,
  to: EmptyDatabase,
  { found, tables, schemas, gap, at, onProgress }: CopyOptions,
): Promise<readonly TableSum[]> {
  await migrate(to.sql, found, at, true);
  let copied = 0;
  const total = await rowCount(from, tables);
  for (const table of tables) {
    const onRows = (rows: number): void => onProgress("copying rows", (copied += rows), total);
    await copyTable(from, to.sql, table, onRows);
  }
  const copy = await to.read();
  let sums: readonly TableSum[];
  try {
    sums = await compareTables(from, copy, tables, onProgress);
  } finally {
    await copy.close();
  }
  if (gap !== undefined) await advanceNumbers(to, tables, gap);
  await migrate(to.sql, schemas, at, true);
  return sums;
}

/** The database does not accept rows, which contradict each other. */
export class RowsRefused extends Error {
  override readonly name = "RowsRefused";
  readonly table: Table;
  /** The number of the first row that was added in the same transaction, from 1. */
  readonly first: number;

  constructor(table: Table, first: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The rows of ${table.name} from row ${first} cannot be added: ${reason}`, { cause });
    this.table = table;
    this.first = first;
  }
}

/** A transaction of so many characters, or so many rows, is written while the next rows are read. */
const PART_CHARACTERS = 1_048_576;
const PART_ROWS = 5_000;

/** Copies the rows of a table into an empty one, in parts, and continues its numbers. */
async function copyTable(
  from: Snapshot,
  to: Sql,
  table: Table,
  onAdded: (rows: number) => void,
): Promise<void> {
  const collect = createCollector(BYTES_PER_COLLECTION);
  let added = 0;
  let rows: (readonly SqlValue[])[] = [];
  let characters = 0;
  let writing = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    collect(characters);
    writing = addRows(to, table, rows, added + 1);
    // Awaited with the next part.
    writing.catch(() => undefined);
    added += rows.length;
    onAdded(rows.length);
    rows = [];
    characters = 0;
  };
  for await (const row of from.rows(table)) {
    const values = table.columns.map(({ member }) => row[member] ?? null);
    for (const value of values) characters += typeof value === "string" ? value.length : 8;
    rows.push(values);
    if (rows.length === PART_ROWS || characters >= PART_CHARACTERS) await flush();
  }
  if (rows.length > 0) await flush();
  await writing;
  if (table.numbered !== undefined) {
    await to.batch(continueNumbers(to, table, await from.lastNumber(table)), () => true);
  }
}

/** Adds rows to a table in one transaction. `first` is the number of the first one. */
async function addRows(
  sql: Sql,
  table: Table,
  rows: readonly (readonly SqlValue[])[],
  first: number,
): Promise<void> {
  const { name, columns } = table;
  const names = columns.map((column) => column.name).join(", ");
  const places = columns.map(() => "?").join(", ");
  const text = `INSERT INTO ${name} (${names}) VALUES (${places})`;
  const values = (_earlier: unknown, index: number) => rows[index];
  try {
    await sql.batch([{ text, times: rows.length, values }], () => true);
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : new RowsRefused(table, first, error);
  }
}

/** Makes the database assign numbers above `last`: those of deleted rows are not assigned again. */
function continueNumbers(
  { dialect }: Sql,
  { name, numbered }: Table,
  last: number,
): readonly Statement[] {
  return numbered === undefined || last === 0 ? [] : dialect.continueAfter(name, numbered, last);
}

/**
 * Advances all numbers of a copied database beyond those that the original may have assigned since: an id must not name
 * another animal, and a client must not get 304 for a list that differs from its copy.
 */
export async function advanceNumbers(
  to: EmptyDatabase,
  tables: readonly Table[],
  { ids, numbers, revision }: Gap,
): Promise<void> {
  const steps: Statement[] = [];
  // Closed before the steps run: SQLite may change its journal only while no other connection reads.
  const copy = await to.read();
  try {
    for (const table of tables) {
      if (table.numbered === undefined) continue;
      const last = await copy.lastNumber(table);
      const next = last > Number.MAX_SAFE_INTEGER - numbers ? last : last + numbers;
      steps.push(...continueNumbers(to.sql, table, next));
    }
  } finally {
    await copy.close();
  }
  const { columns = [] } = tables.find(({ name }) => name === "catalogues") ?? {};
  for (const { name } of columns.filter((column) => isNextId(column.name))) {
    steps.push({ text: `UPDATE catalogues SET ${name} = ${advanced(name)}`, values: [ids, ids] });
  }
  steps.push({ text: ADVANCE_REVISIONS, values: [revision, revision] });
  await to.sql.batch(steps, () => true);
}

const ADVANCE_REVISIONS =
  "UPDATE catalogues SET revision = CASE WHEN revision < ? THEN ? ELSE revision + 1 END";

/**
 * Compares all rows of both sides in the order of their keys; also their numbers of rows as each database counts them, and
 * the last numbers that were assigned. Does not read again what the source has verified: of that, counts the copied rows.
 * Rejects with a `Failure` that names the table.
 */
export async function compareTables(
  from: Snapshot,
  to: Snapshot,
  tables: readonly Table[],
  onProgress: OnProgress,
): Promise<readonly TableSum[]> {
  let compared = 0;
  const read = tables.filter((table) => from.sum?.(table) === undefined);
  const total = await rowCount(from, read);
  const onRow = (): void => onProgress("comparing rows", ++compared, total);
  const sums: TableSum[] = [];
  for (const table of tables) {
    const verified = from.sum?.(table);
    const mine = verified ?? (await sumOf(from, table, () => {}));
    const copy =
      verified === undefined
        ? await sumOf(to, table, onRow)
        : { ...verified, rows: await to.count(table) };
    if (mine.rows !== copy.rows) throw differing(table, `${mine.rows} rows, the copy ${copy.rows}`);
    if (mine.sha256 !== copy.sha256) throw differing(table, "other values than the copy");
    if (table.numbered !== undefined) {
      const [last, copiedLast] = [await from.lastNumber(table), await to.lastNumber(table)];
      if (last !== copiedLast) {
        throw differing(table, `the last number ${last}, the copy ${copiedLast}`);
      }
    }
    sums.push(mine);
  }
  return sums;
}

/** Counts the rows of tables, for the progress. */
export async function rowCount(side: Snapshot, tables: readonly Table[]): Promise<number> {
  let rows = 0;
  for (const table of tables) rows += await side.count(table);
  return rows;
}

/** Reads all rows of a table, and compares their number with the database's. */
async function sumOf(side: Snapshot, table: Table, onRow: () => void): Promise<TableSum> {
  const hash = new Bun.CryptoHasher("sha256");
  const collect = createCollector(BYTES_PER_COLLECTION);
  let rows = 0;
  for await (const row of side.rows(table)) {
    const line = lineOf(row);
    hash.update(line);
    collect(line.length);
    rows++;
    onRow();
  }
  const counted = await side.count(table);
  if (counted !== rows) throw differing(table, `${counted} rows, but ${rows} were read`);
  return { name: table.noun, rows, sha256: hash.digest("hex") };
}

function differing({ name }: Table, what: string): Failure {
  return new Failure("failed", `The copy cannot be used: the table ${name} has ${what}.`);
}
