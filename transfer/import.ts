import { join } from "node:path";

import { readWhole } from "../backup/directory.ts";
import { advanced, isNextId, type Gap } from "../backup/model/gap.ts";
import { createCollector, measure, measuring, textOf, type Measured } from "../backup/streams.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";
import { beginImport, markDatabase, migrate, type Schema } from "../lib/sql/migrate.ts";
import { number } from "../lib/sql/rows.ts";
import { StoreUnavailable, type Sql, type SqlValue, type Step } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import {
  BLOB_LIST,
  blobFile,
  furtherFile,
  MANIFEST,
  tableFile,
  type OnTransfer,
} from "./export.ts";
import { addRows, continueNumbers } from "./copy.ts";
import { BYTES_PER_COLLECTION, damagedLine, ExportDamaged, linesOf, readRow } from "./lines.ts";
import { readBlobLine, readManifest, type Manifest, type TableEntry } from "./model/manifest.ts";
import { schemasAt, tablesOf, type Table } from "./tables.ts";

const MAX_MANIFEST_BYTES = 4 * 1_048_576;
const MAX_FURTHER_BYTES = 1_048_576;

/** An export whose files are what its manifest says. */
export interface CheckedExport {
  readonly directory: string;
  readonly manifest: Manifest;
  /** The tables as the export has them, which may be older than this program's. */
  readonly tables: readonly (readonly [Table, TableEntry])[];
}

/**
 * Reads the manifest and compares it with what this program knows. `accept` rejects an export that is not wanted. Rejects
 * with `ExportDamaged`, or with a `Failure`.
 */
export async function openExport(
  directory: string,
  schemas: readonly Schema[],
  accept: (manifest: Manifest) => void,
): Promise<CheckedExport> {
  const stream = await readWhole(join(directory, MANIFEST));
  if (stream === undefined) {
    throw new ExportDamaged(
      `it has no ${MANIFEST}, which an export writes last: it is not a whole export`,
    );
  }
  const text = await textOf(stream, MAX_MANIFEST_BYTES);
  const manifest = text === undefined ? "damaged" : readManifest(text);
  if (manifest === "damaged") throw new ExportDamaged(`its ${MANIFEST} cannot be read`);
  if (manifest === "newer") {
    throw new Failure(
      "configuration",
      "A newer version of this program made this export. Import it with that version.",
    );
  }
  accept(manifest);
  for (const [component, version] of Object.entries(manifest.schemas)) {
    const known = schemas.find((one) => one.component === component)?.migrations.length ?? 0;
    if (version <= known) continue;
    throw new Failure(
      "configuration",
      `The export has version ${version} of the schema "${component}", and this program knows ${known} at most. Import it with version ${manifest.petstore} or newer.`,
    );
  }
  const declared = await tablesOf(schemasAt(schemas, manifest.schemas));
  const entries = new Map(manifest.tables.map((entry) => [entry.name, entry]));
  const tables = declared.map((table): readonly [Table, TableEntry] => {
    const entry = entries.get(table.noun);
    if (entry === undefined) throw new ExportDamaged(`its ${MANIFEST} lacks ${table.noun}`);
    if ((entry.lastNumber === null) !== (table.numbered === undefined)) {
      throw new ExportDamaged(`its ${MANIFEST} has a wrong lastNumber of ${table.noun}`);
    }
    return [table, entry];
  });
  if (entries.size !== tables.length || manifest.tables.length !== tables.length) {
    throw new ExportDamaged(`its ${MANIFEST} has tables that this version of the format lacks`);
  }
  return { directory, manifest, tables };
}

/** Reads every file of an export and compares it with its manifest. Rejects with `ExportDamaged`. */
export async function checkExport(
  { directory, manifest, tables }: CheckedExport,
  onProgress: OnTransfer,
): Promise<void> {
  let rows = 0;
  for (const [table, entry] of tables) {
    const file = tableFile(table.noun);
    await readLines(directory, file, entry, entry.rows, async ({ first, lines }) => {
      for (const [index, line] of lines.entries()) rowOf(table, file, first + index, line);
      onProgress("checking rows", (rows += lines.length));
    });
  }
  let [checked, totalBytes] = [0, 0];
  await eachBlob(directory, manifest, async ({ sha256, bytes }) => {
    const found = await measure(await contentOf(directory, blobFile(sha256)));
    expectSame(blobFile(sha256), found, { sha256, bytes });
    totalBytes += bytes;
    onProgress("checking files", ++checked);
  });
  if (checked !== manifest.blobs.count || totalBytes !== manifest.blobs.totalBytes) {
    throw new ExportDamaged(`${BLOB_LIST} has other files than ${MANIFEST} counts`);
  }
  for (const entry of manifest.files) {
    const file = furtherFile(entry.name);
    expectSame(file, await measure(await contentOf(directory, file)), entry);
  }
}

/** Where to import. */
export interface ImportTarget {
  /** An empty database. */
  readonly sql: Sql;
  readonly schemas: readonly Schema[];
  readonly blobs: Pick<Blobs, "put">;
  /** The tables that the blobs need. Default: none. */
  readonly blobSchemas?: readonly Schema[];
  /** Receives a further file. */
  readonly keepFile: (name: string, text: string) => Promise<void>;
  /** How far to advance numbers; undefined to continue where the export ends. */
  readonly gap: Gap | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** What is in the database is another process's. */
export class DatabaseInUse extends Failure {
  constructor() {
    super("configuration", "The database is not empty. Import into an empty one.");
  }
}

/**
 * Writes a checked export into an empty database and its blobs, in batches. Until the last one, the database is marked as
 * incomplete, and no program of ours opens it. Rejects with `ExportDamaged` if a file changed since it was checked,
 * and with `DatabaseInUse` before it writes anything.
 */
export async function writeImport(
  checked: CheckedExport,
  target: ImportTarget,
  onProgress: OnTransfer,
): Promise<void> {
  const { directory, manifest, tables } = checked;
  const { sql, schemas, blobs, blobSchemas = [], keepFile, gap, at } = target;
  if (!(await beginImport(sql, at))) {
    throw new DatabaseInUse();
  }
  await migrate(sql, blobSchemas, at, true);
  let copied = 0;
  await eachBlob(directory, manifest, async ({ sha256 }) => {
    const stored = await blobs.put(await contentOf(directory, blobFile(sha256)));
    if (stored.sha256 !== sha256) throw changed(blobFile(sha256));
    onProgress("importing files", ++copied);
  });
  for (const { name, sha256 } of manifest.files) {
    const file = furtherFile(name);
    const { stream, end } = measuring(await contentOf(directory, file));
    const text = await textOf(stream, MAX_FURTHER_BYTES);
    if (text === undefined || end().sha256 !== sha256) throw changed(file);
    await keepFile(name, text);
  }
  await migrate(sql, schemasAt(schemas, manifest.schemas), at, true);
  let rows = 0;
  for (const [table, entry] of tables) {
    const file = tableFile(table.noun);
    await readLines(directory, file, entry, entry.rows, async ({ first, lines }) => {
      const values = lines.map((line, index) => rowOf(table, file, first + index, line));
      await addRows(sql, table, values).catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new ExportDamaged(`${file}: the lines from ${first} cannot be added: ${reason}`);
      });
      onProgress("importing rows", (rows += lines.length));
    });
    const [counted] = await sql.query({
      text: `SELECT COUNT(*) AS rows_found FROM ${table.name}`,
      values: [],
    });
    if (counted === undefined || number(counted, "rows_found") !== entry.rows) {
      throw new Error(`The table ${table.name} has other rows than were written.`);
    }
  }
  const added = gap?.numbers ?? 0;
  const numbering = tables.flatMap(([table, { lastNumber }]) =>
    continueNumbers(sql, table, (lastNumber ?? 0) + added),
  );
  await sql.batch([...numbering, ...(gap === undefined ? [] : advance(tables, gap))], () => true);
  // An export of an older version; its rows are upgraded like those of an older database.
  await migrate(sql, schemas, at, true);
  await markDatabase(sql, undefined, at);
}

function advance(tables: CheckedExport["tables"], { ids, revision }: Gap): readonly Step[] {
  const catalogues = tables.find(([{ name }]) => name === "catalogues")?.[0].columns ?? [];
  const counters = catalogues.map(({ name }) => name).filter(isNextId);
  return [
    ...counters.map((counter) => ({
      text: `UPDATE catalogues SET ${counter} = ${advanced(counter)}`,
      values: [ids, ids],
    })),
    { text: ADVANCE_REVISIONS, values: [revision, revision] },
  ];
}

const ADVANCE_REVISIONS =
  "UPDATE catalogues SET revision = CASE WHEN revision < ? THEN ? ELSE revision + 1 END";

function rowOf(table: Table, file: string, line: number, text: string): readonly SqlValue[] {
  const row = readRow(table, text);
  if (typeof row === "string") throw damagedLine(file, line, row);
  return row;
}

/** Reads a file of lines, and compares it with its manifest at its end. */
async function readLines(
  directory: string,
  file: string,
  expected: Measured,
  rows: number,
  use: (lines: { readonly first: number; readonly lines: readonly string[] }) => Promise<void>,
): Promise<void> {
  const { stream, end } = measuring(await contentOf(directory, file));
  let found = 0;
  for await (const part of linesOf(file, stream)) {
    found += part.lines.length;
    await use(part);
  }
  if (found !== rows) {
    throw new ExportDamaged(`${file} has ${found} lines instead of ${rows}`);
  }
  expectSame(file, end(), expected);
}

async function eachBlob(
  directory: string,
  { blobs }: Manifest,
  use: (blob: Measured) => Promise<void>,
): Promise<void> {
  const collect = createCollector(BYTES_PER_COLLECTION);
  const names = blobs.count + blobs.missing;
  await readLines(directory, BLOB_LIST, blobs, names, async ({ first, lines }) => {
    for (const [index, line] of lines.entries()) {
      const blob = readBlobLine(line);
      if (blob === undefined) {
        throw damagedLine(BLOB_LIST, first + index, "is not a digest with a size");
      }
      const { sha256, bytes } = blob;
      if (bytes === null) continue;
      await use({ sha256, bytes });
      collect(bytes);
    }
  });
}

async function contentOf(directory: string, file: string): Promise<ReadableStream<Uint8Array>> {
  const content = await readWhole(join(directory, file));
  if (content === undefined) throw new ExportDamaged(`${file} is missing`);
  return content;
}

function expectSame(file: string, found: Measured, expected: Measured): void {
  if (found.bytes === expected.bytes && found.sha256 === expected.sha256) return;
  throw new ExportDamaged(`${file} differs from its checksum`);
}

function changed(file: string): ExportDamaged {
  return new ExportDamaged(`${file} changed while it was imported`);
}
