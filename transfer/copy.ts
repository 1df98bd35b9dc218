import { createCollector } from "../backup/streams.ts";
import { BlobDamaged, type Blobs } from "../lib/publishing/blobs.ts";
import type { Sql, SqlValue, Statement } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { DIGEST_BYTES, type OnTransfer, type Snapshot } from "./export.ts";
import { BYTES_PER_COLLECTION } from "./lines.ts";
import type { Table } from "./tables.ts";

/** Adds rows to a table in one transaction. */
export async function addRows(
  sql: Sql,
  { name, columns }: Table,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const names = columns.map((column) => column.name).join(", ");
  const places = columns.map(() => "?").join(", ");
  const text = `INSERT INTO ${name} (${names}) VALUES (${places})`;
  const values = (_earlier: unknown, index: number) => rows[index];
  await sql.batch([{ text, times: rows.length, values }], () => true);
}

/** Makes the database assign numbers above `last`: those of deleted rows are not assigned again. */
export function continueNumbers(
  { dialect }: Sql,
  { name, numbered }: Table,
  last: number,
): readonly Statement[] {
  return numbered === undefined || last === 0 ? [] : dialect.continueAfter(name, numbered, last);
}

/** A transaction of so many characters, or so many rows, is written while the next rows are read. */
const PART_CHARACTERS = 1_048_576;
const PART_ROWS = 5_000;

/** Copies the rows of all tables into empty ones, in parts, and continues their numbers. */
export async function copyTables(
  from: Snapshot,
  to: Sql,
  tables: readonly Table[],
  onProgress: OnTransfer,
): Promise<void> {
  const collect = createCollector(BYTES_PER_COLLECTION);
  let copied = 0;
  let rows: (readonly SqlValue[])[] = [];
  let characters = 0;
  let writing = Promise.resolve();
  const flush = async (table: Table): Promise<void> => {
    await writing;
    collect(characters);
    onProgress("copying rows", (copied += rows.length));
    writing = addRows(to, table, rows);
    // Awaited with the next part.
    writing.catch(() => undefined);
    rows = [];
    characters = 0;
  };
  for (const table of tables) {
    for await (const row of from.rows(table)) {
      const values = table.columns.map(({ member }) => row[member] ?? null);
      for (const value of values) characters += typeof value === "string" ? value.length : 8;
      rows.push(values);
      if (rows.length === PART_ROWS || characters >= PART_CHARACTERS) await flush(table);
    }
    if (rows.length > 0) await flush(table);
    await writing;
    if (table.numbered === undefined) continue;
    await to.batch(continueNumbers(to, table, await from.lastNumber(table)), () => true);
  }
}

/** What a table contains: its number of rows, and the SHA-256 of its rows as an export has them. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Reads all rows of both databases and compares them in the order of their keys; also their numbers of rows as each database
 * counts them, and the last numbers that were assigned. Rejects with a `Failure` that names the table.
 */
export async function compareTables(
  from: Snapshot,
  to: Snapshot,
  tables: readonly Table[],
  onProgress: OnTransfer,
): Promise<readonly TableSum[]> {
  let compared = 0;
  const sumOf = async (side: Snapshot, table: Table): Promise<TableSum & { last: number }> => {
    const hash = new Bun.CryptoHasher("sha256");
    const collect = createCollector(BYTES_PER_COLLECTION);
    let rows = 0;
    for await (const row of side.rows(table)) {
      const line = `${JSON.stringify(row)}\n`;
      hash.update(line);
      collect(line.length);
      rows++;
      if (side === to) onProgress("comparing rows", ++compared);
    }
    const counted = await side.count(table);
    if (counted !== rows) throw differing(table, `${counted} rows, but ${rows} were read`);
    const last = table.numbered === undefined ? 0 : await side.lastNumber(table);
    return { name: table.noun, rows, sha256: hash.digest("hex"), last };
  };
  const sums: TableSum[] = [];
  for (const table of tables) {
    const [{ last, ...mine }, { last: copiedLast, ...copy }] = [
      await sumOf(from, table),
      await sumOf(to, table),
    ];
    if (mine.rows !== copy.rows) throw differing(table, `${mine.rows} rows, the copy ${copy.rows}`);
    if (mine.sha256 !== copy.sha256) throw differing(table, "other values than the copy");
    if (last !== copiedLast)
      throw differing(table, `the last number ${last}, the copy ${copiedLast}`);
    sums.push(mine);
  }
  return sums;
}

function differing({ name }: Table, what: string): Failure {
  return new Failure("failed", `The copy cannot be used: the table ${name} has ${what}.`);
}

/** Copies blobs by their packed names. Returns the names of those that are missing or damaged. */
export async function copyBlobs(
  names: Uint8Array,
  from: Pick<Blobs, "open">,
  to: Pick<Blobs, "put" | "delete">,
  onProgress: OnTransfer,
): Promise<readonly string[]> {
  const missing: string[] = [];
  const collect = createCollector(BYTES_PER_COLLECTION);
  for (let at = 0; at < names.length; at += DIGEST_BYTES) {
    const sha256 = names.subarray(at, at + DIGEST_BYTES).toHex();
    const bytes = await copyBlob(sha256, from, to);
    if (bytes === undefined) missing.push(sha256);
    collect(bytes ?? 0);
    onProgress("copying files", at / DIGEST_BYTES + 1);
  }
  return missing;
}

/** Copies a blob; returns its size, or undefined if it is missing or damaged. */
async function copyBlob(
  sha256: string,
  from: Pick<Blobs, "open">,
  to: Pick<Blobs, "put" | "delete">,
): Promise<number | undefined> {
  try {
    const body = await from.open(sha256);
    const content = body === undefined ? null : new Response(body).body;
    if (content === null) return undefined;
    const stored = await to.put(content);
    if (stored.sha256 === sha256) return stored.size;
    if (stored.added) await to.delete(stored.sha256);
    return undefined;
  } catch (error) {
    if (error instanceof BlobDamaged) return undefined;
    throw error;
  }
}
