import {
  array,
  boolean,
  check,
  integer,
  nullable,
  object,
  record,
  string,
  type ValueOf,
} from "../../lib/base/schema.ts";

/** The version of the format. A program refuses exports of a newer one. */
export const FORMAT = 1;

const size = integer({ minimum: 0 });
const anyText = string(() => undefined, {});
const digest = matching(/^[\da-f]{64}$/);

function matching(pattern: RegExp) {
  return string((text) => (pattern.test(text) ? undefined : "has a wrong form"), {
    pattern: pattern.source,
  });
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
  /** In the order in which they are imported. */
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

/** Reads a manifest; `newer` was written by a newer program. */
export function readManifest(text: string): Manifest | "newer" | "damaged" {
  const value = parsed(text);
  if (typeof value === "object" && value !== null && "format" in value) {
    if (typeof value.format === "number" && value.format > FORMAT) return "newer";
  }
  const outcome = check(manifestSchema, value);
  return outcome.ok ? outcome.value : "damaged";
}

/** Reads a line of the list of blobs; undefined if it is none. */
export function readBlobLine(line: string): BlobLine | undefined {
  const outcome = check(blobLine, parsed(line));
  return outcome.ok ? outcome.value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
