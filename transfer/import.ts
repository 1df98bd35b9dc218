import { join } from "node:path";

import { readWhole } from "../backup/directory.ts";
import type { OnProgress } from "../backup/progress.ts";
import { createCollector, measure, measuring, textOf, type Measured } from "../backup/streams.ts";
import type { Schema } from "../lib/sql/migrate.ts";
import type { SqlRow } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { BlobNames, copyBlobs, type KeepBlob } from "./blobs.ts";
import { copyRows, rowCount, RowsRefused, type EmptyDatabase } from "./copy.ts";
import {
  BYTES_PER_COLLECTION,
  damagedLine,
  ExportDamaged,
  linesOf,
  readRow,
  type Lines,
} from "./lines.ts";
import type { Gap } from "./model/gap.ts";
import {
  BLOB_LIST,
  blobFile,
  furtherFile,
  MANIFEST,
  tableFile,
  readBlobLine,
  readManifest,
  type Manifest,
  type TableEntry,
} from "./model/manifest.ts";
import type { Snapshot } from "./snapshot.ts";
import { knownSchemasAt, tablesOf, type Table } from "./tables.ts";

const MAX_MANIFEST_BYTES = 4 * 1_048_576;
const MAX_FURTHER_BYTES = 1_048_576;

/** An export: its rows as a snapshot, and the contents of its files. */
export interface OpenedExport {
  readonly manifest: Manifest;
  /** The tables as the export has them, which may be older than this program's. */
  readonly schemas: readonly Schema[];
  readonly tables: readonly Table[];
  readonly snapshot: Snapshot;
  /** Opens the content of a blob. */
  readonly blobs: { readonly open: (sha256: string) => Promise<ReadableStream<Uint8Array>> };
  /** Opens a further file. */
  readonly file: (name: string) => Promise<ReadableStream<Uint8Array>>;
  /** Lists the blobs that the export has. */
  readonly listed: () => AsyncIterable<Measured>;
}

/**
 * Reads the manifest and compares it with what this program knows. `accept` rejects an export that is not wanted. Rejects
 * with `ExportDamaged`, as do all methods of the result, or with a `Failure`.
 */
export async function openExport(
  directory: string,
  schemas: readonly Schema[],
  accept: (manifest: Manifest) => void,
): Promise<OpenedExport> {
  const manifest = await manifestIn(directory);
  accept(manifest);
  const found = knownSchemasAt(schemas, manifest.schemas, {
    holder: "The export",
    fix: `Import it with version ${manifest.petstore} or newer.`,
  });
  const tables = await tablesOf(found, "export");
  const entries = entriesOf(manifest, tables);
  const entryOf = ({ name, noun }: Table): TableEntry => {
    const entry = entries.get(noun);
    if (entry === undefined) throw new TypeError(`The export has no table ${name}.`);
    return entry;
  };
  const contentOf = async (file: string): Promise<ReadableStream<Uint8Array>> => {
    const content = await readWhole(join(directory, file));
    if (content === undefined) throw new ExportDamaged(`${file} is missing`);
    return content;
  };
  const listed = async function* (): AsyncGenerator<Measured, void, undefined> {
    const { blobs } = manifest;
    const expected = { ...blobs, rows: blobs.count + blobs.missing };
    const collect = createCollector(BYTES_PER_COLLECTION);
    // The whole list first: a file with a damaged name would be reported as missing.
    await Array.fromAsync(wholeFile(BLOB_LIST, contentOf, expected), () => undefined);
    for await (const { first, lines } of wholeFile(BLOB_LIST, contentOf, expected)) {
      for (const [index, line] of lines.entries()) {
        const blob = readBlobLine(line);
        if (blob === undefined) {
          throw damagedLine(BLOB_LIST, first + index, "is not a digest with a size");
        }
        const { sha256, bytes } = blob;
        if (bytes === null) continue;
        yield { sha256, bytes };
        collect(bytes);
      }
    }
  };
  return {
    manifest,
    schemas: found,
    tables,
    blobs: { open: (sha256) => contentOf(blobFile(sha256)) },
    file: (name) => contentOf(furtherFile(name)),
    listed,
    snapshot: {
      rows: async function* (table): AsyncGenerator<SqlRow, void, undefined> {
        const file = tableFile(table.noun);
        for await (const { first, lines } of wholeFile(file, contentOf, entryOf(table))) {
          for (const [index, line] of lines.entries()) {
            const row = readRow(table, line);
            if (typeof row === "string") throw damagedLine(file, first + index, row);
            yield row;
          }
        }
      },
      count: (table) => entryOf(table).rows,
      sum: entryOf,
      lastNumber: (table) => entryOf(table).lastNumber ?? 0,
      versions: () => manifest.schemas,
      blobs: async function* () {
        for await (const { sha256 } of listed()) yield sha256;
      },
      close: () => {},
    },
  };
}

async function manifestIn(directory: string): Promise<Manifest> {
  const stream = await readWhole(join(directory, MANIFEST));
  if (stream === undefined) {
    throw new ExportDamaged(
      `it has no ${MANIFEST}, which an export writes last: it is not a whole export`,
    );
  }
  const text = await textOf(stream, MAX_MANIFEST_BYTES);
  const manifest = text === undefined ? "damaged" : readManifest(text);
  if (manifest === "damaged") throw new ExportDamaged(`its ${MANIFEST} cannot be read`);
  if (manifest !== "newer") return manifest;
  throw new Failure(
    "configuration",
    "A newer version of this program made this export. Import it with that version.",
  );
}

/** Returns the entries of the tables, which are those of the manifest. */
function entriesOf(manifest: Manifest, tables: readonly Table[]): ReadonlyMap<string, TableEntry> {
  const entries = new Map(manifest.tables.map((entry) => [entry.name, entry]));
  for (const { noun, numbered } of tables) {
    const entry = entries.get(noun);
    if (entry === undefined) throw new ExportDamaged(`its ${MANIFEST} lacks ${noun}`);
    if ((entry.lastNumber === null) !== (numbered === undefined)) {
      throw new ExportDamaged(`its ${MANIFEST} has a wrong lastNumber of ${noun}`);
    }
  }
  if (entries.size !== tables.length || manifest.tables.length !== tables.length) {
    throw new ExportDamaged(`its ${MANIFEST} has tables that this version of the format lacks`);
  }
  return entries;
}

/** Reads every file of an export and compares it with its manifest. Rejects with `ExportDamaged`. */
export async function checkExport(
  { manifest, tables, snapshot, blobs, file, listed }: OpenedExport,
  onProgress: OnProgress,
): Promise<void> {
  let rows = 0;
  const total = await rowCount(snapshot, tables);
  for (const table of tables) {
    for await (const _ of snapshot.rows(table)) onProgress("checking rows", ++rows, total);
  }
  let [checked, totalBytes] = [0, 0];
  for await (const expected of listed()) {
    const { sha256, bytes } = expected;
    expectSame(blobFile(sha256), await measure(await blobs.open(sha256)), expected);
    totalBytes += bytes;
    onProgress("checking files", ++checked, manifest.blobs.count);
  }
  if (checked !== manifest.blobs.count || totalBytes !== manifest.blobs.totalBytes) {
    throw new ExportDamaged(`${BLOB_LIST} has other files than ${MANIFEST} counts`);
  }
  for (const entry of manifest.files) {
    expectSame(furtherFile(entry.name), await measure(await file(entry.name)), entry);
  }
}

/** Where to import. */
export interface ImportTarget {
  /** Marked as incomplete. */
  readonly database: EmptyDatabase;
  /** The newest schemas. */
  readonly schemas: readonly Schema[];
  readonly keepBlob: KeepBlob;
  /** Receives a further file. */
  readonly keepFile: (name: string, text: string) => Promise<void>;
  /** How far to advance numbers; undefined to continue where the export ends. */
  readonly gap: Gap | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Writes a checked export into an empty database and its blobs. Rejects with `ExportDamaged` if a file changed since it was
 * checked, or if its rows contradict each other.
 */
export async function writeImport(
  { manifest, schemas: found, tables, snapshot, blobs, file }: OpenedExport,
  { database, schemas, keepBlob, keepFile, gap, at }: ImportTarget,
  onProgress: OnProgress,
): Promise<void> {
  const names = await BlobNames.of(snapshot.blobs());
  for await (const { sha256, bytes } of copyBlobs(names, blobs, keepBlob, onProgress)) {
    if (bytes === null) throw changed(blobFile(sha256));
  }
  for (const { name, sha256 } of manifest.files) {
    const { stream, end } = measuring(await file(name));
    const text = await textOf(stream, MAX_FURTHER_BYTES);
    if (text === undefined || end().sha256 !== sha256) throw changed(furtherFile(name));
    await keepFile(name, text);
  }
  const copying = { found, tables, schemas, gap, at, onProgress };
  await copyRows(snapshot, database, copying).catch((error: unknown) => {
    if (!(error instanceof RowsRefused)) throw error;
    const { table, first, cause } = error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExportDamaged(
      `${tableFile(table.noun)}: the lines from ${first} cannot be added: ${reason}`,
    );
  });
}

/** Reads the lines of a file, and compares it with its manifest at the end. */
async function* wholeFile(
  file: string,
  contentOf: (file: string) => Promise<ReadableStream<Uint8Array>>,
  expected: Measured & { readonly rows: number },
): AsyncGenerator<Lines, void, undefined> {
  const { stream, end } = measuring(await contentOf(file));
  let found = 0;
  for await (const part of linesOf(file, stream)) {
    found += part.lines.length;
    yield part;
  }
  if (found !== expected.rows) {
    throw new ExportDamaged(`${file} has ${found} lines instead of ${expected.rows}`);
  }
  expectSame(file, end(), expected);
}

function expectSame(file: string, found: Measured, expected: Measured): void {
  if (found.bytes === expected.bytes && found.sha256 === expected.sha256) return;
  throw new ExportDamaged(`${file} differs from its checksum`);
}

function changed(file: string): ExportDamaged {
  return new ExportDamaged(`${file} changed while it was imported`);
}
