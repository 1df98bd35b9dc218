import { check } from "../../lib/base/check.ts";
import { array, boolean, integer, object, record, type ValueOf } from "../../lib/base/schema.ts";
import { anyText, digest, matching, readAs, size, type ReadAs } from "./document.ts";

/** The version of the format. A program refuses backups of a newer one. */
export const FORMAT = 1;

const MANY = Number.MAX_SAFE_INTEGER;

const blobEntry = object({ sha256: digest, bytes: size });
const fileEntry = object({ name: matching(/^[\w-]+(\.[\w-]+)*$/), bytes: size, sha256: digest });

const manifestSchema = object({
  format: integer({ minimum: 1, maximum: FORMAT }),
  /** Version of the program that made the backup. */
  petstore: anyText,
  /** The instant of the snapshot, RFC 3339. */
  madeAt: anyText,
  /** Version of the tables of each component. */
  schemas: record(anyText, integer({ minimum: 1 }), { maxProperties: 100 }),
  /** The database first, then further files of the data directory; in the order of the container. */
  files: array(fileEntry, { minItems: 1, maxItems: 10 }),
  /** Each table with its number of rows, and a sum over the digests of all rows. */
  tables: record(anyText, object({ rows: size, checksum: matching(/^[\da-f]{16}$/) }), {
    maxProperties: 1_000,
  }),
  /** The blobs that the database references, by name; in the order of the container. */
  blobs: array(blobEntry, { maxItems: MANY }),
  /** Whether the container has the blobs, or they are objects of their own beside it. */
  blobsInside: boolean(),
  /** The age recipient, which is part of the names of objects beside the container. */
  sealedTo: anyText,
  /** Referenced blobs that were missing or damaged when the backup was made. */
  missingBlobs: array(digest, { maxItems: MANY }),
});

/** Describes a backup: what is inside, with counts and checksums. */
export type Manifest = ValueOf<typeof manifestSchema>;
export type TableSums = Manifest["tables"];
export type BlobEntry = ValueOf<typeof blobEntry>;

const measured = { bytes: size, sha256: digest };

/** What is signed identifies the installation without revealing its key. */
const signed = {
  format: integer({ minimum: 1, maximum: FORMAT }),
  installation: matching(/^[\da-f]{32}$/),
  signature: digest,
};

const sealSchema = object({ ...signed, ...measured });

/** Precedes the manifest and signs its digest, so that nobody else's manifest is read into memory. */
type SignedSeal = ValueOf<typeof sealSchema>;
export type ManifestSeal = Omit<SignedSeal, "signature">;

const indexSchema = object({
  ...signed,
  /** `20261123T040000000Z` */
  id: anyText,
  madeAt: anyText,
  petstore: anyText,
  /** The sealed container. */
  sealed: object(measured),
  /** The list of the sealed blobs that the backup needs. */
  blobs: object(measured),
});

type SignedIndex = ValueOf<typeof indexSchema>;
/** Lies unsealed beside a backup of a directory or bucket, so that retention opens nothing. Written last. */
export type BackupIndex = Omit<SignedIndex, "signature">;

export function readManifest(text: string): ReadAs<Manifest> {
  return readAs(text, FORMAT, (value) => check(manifestSchema, value));
}

export function readSeal(text: string): ReadAs<SignedSeal> {
  return readAs(text, FORMAT, (value) => check(sealSchema, value));
}

export function readIndex(text: string): ReadAs<SignedIndex> {
  return readAs(text, FORMAT, (value) => check(indexSchema, value));
}

/** Describes the first difference between two sets of tables; undefined if they are equal. */
export function differenceOf(expected: TableSums, found: TableSums): string | undefined {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [before, after] = [expected[name], found[name]];
    if (before === undefined) return `the table ${name} was added`;
    if (after === undefined) return `the table ${name} is missing`;
    if (before.rows !== after.rows) {
      return `the table ${name} has ${after.rows} rows instead of ${before.rows}`;
    }
    if (before.checksum !== after.checksum) return `rows of the table ${name} differ`;
  }
  return undefined;
}

/** Returns the size of everything that a manifest describes, in bytes. */
export function sizeOf({ files, blobs }: Pick<Manifest, "files" | "blobs">): number {
  return [...files, ...blobs].reduce((sum, { bytes }) => sum + bytes, 0);
}
