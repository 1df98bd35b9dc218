import { check } from "../../lib/base/check.ts";
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  record,
  type ValueOf,
} from "../../lib/base/schema.ts";
import {
  anyText,
  digest,
  matching,
  readAs,
  size,
  type ReadAs,
} from "../../backup/model/document.ts";

/** The version of the format. A program refuses exports of a newer one. */
export const FORMAT = 1;

export const MANIFEST = "manifest.json";
export const BLOB_LIST = "blobs.ndjson";

/** Returns where the rows of a table are. */
export function tableFile(noun: string): string {
  return `tables/${noun}.ndjson`;
}

/** Returns where a further file of an installation is. */
export function furtherFile(name: string): string {
  return `files/${name}`;
}

/** Returns where the content of a blob is. The whole name is the file's, so that common tools can compare it. */
export function blobFile(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256}`;
}

const described = { bytes: size, sha256: digest };

const tableEntry = object({
  /** `deleted-pets` for the file `tables/deleted-pets.ndjson`. */
  name: matching(/^[a-z]+(-[a-z]+)*$/),
  rows: size,
  ...described,
  /** The last number that the database has assigned to a row; null if it numbers none of the table's columns. */
  lastNumber: nullable(size),
});

const manifestSchema = object({
  format: integer({ minimum: 1, maximum: FORMAT }),
  /** Version of the program that made the export. */
  petstore: anyText,
  /** The instant of the contents, RFC 3339. */
  exportedAt: anyText,
  /** Whether a server used the installation, and so may have written after this instant. */
  serving: boolean(),
  /** Identifies the encryption key that the installation needs. The key itself is never inside. */
  keyFingerprint: matching(/^[\da-f]{32}$/),
  /** Version of the tables of each component. */
  schemas: record(anyText, integer({ minimum: 1 }), { maxProperties: 100 }),
  /** The tables in the order in which they are imported. */
  tables: array(tableEntry, { maxItems: 1_000 }),
  /** Further files, in `files/`. */
  files: array(object({ name: matching(/^[\w-]+(\.[\w-]+)*$/), ...described }), { maxItems: 10 }),
  /** The list of the blobs, `blobs.ndjson`, and what it adds up to. */
  blobs: object({
    ...described,
    count: size,
    /** Sum of their sizes, in bytes. */
    totalBytes: size,
    /** How many referenced blobs were missing or damaged when the export was made. */
    missing: size,
  }),
});

/** Describes an export. Written last: a directory without it is not a whole export. */
export type Manifest = ValueOf<typeof manifestSchema>;
export type TableEntry = ValueOf<typeof tableEntry>;

const blobLine = object({
  sha256: digest,
  /** Null if it was missing or damaged when the export was made. */
  bytes: nullable(size),
});

/** A line of `blobs.ndjson`. */
export type BlobLine = ValueOf<typeof blobLine>;

export function readManifest(text: string): ReadAs<Manifest> {
  return readAs(text, FORMAT, (value) => check(manifestSchema, value));
}

/** Reads a line of the list of blobs. */
export function readBlobLine(line: string): BlobLine | undefined {
  const read = readAs(line, FORMAT, (value) => check(blobLine, value));
  return typeof read === "string" ? undefined : read;
}

/** Returns the number of rows of all tables. */
export function rowsIn({ tables }: Pick<Manifest, "tables">): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the size of all files that a manifest describes, in bytes. */
export function sizeOf({ tables, files, blobs }: Pick<Manifest, "tables" | "files" | "blobs">) {
  const listed = [...tables, ...files, blobs].reduce((sum, { bytes }) => sum + bytes, 0);
  return listed + blobs.totalBytes;
}
