import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";

import { blobSchema } from "../../adapters/postgres/blobs.ts";
import { checkBucket, openBlobs, type BlobPlace } from "../../backup/blobs.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import type { Clock, Log, Schema, Sql, SqlValue } from "../../lib/index.ts";
import type { Blobs } from "../../lib/publishing/index.ts";
import { Failure } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import { bucketOf, isBucketUrl, s3AccessFor, type S3Settings } from "../../settings/s3.ts";
import type { DataDirectory } from "./data-directory.ts";
import { readDatabase, type DatabasePlace, type DatabaseReader } from "./database.ts";
import { writePublic } from "./files.ts";
import { findFile, hasBlobs } from "./found-database.ts";

/** Bytes of site files that are copied from elsewhere to the local disk. */
const CACHE_BYTES = 2 * 1_073_741_824;

/** The options that say where the files of sites are. */
export type BlobSettings = Pick<Settings, "blobsUrl" | "databaseUrl"> & S3Settings;

/** Returns where the options place the site files of an installation. */
export function blobPlaceOf(settings: BlobSettings, { blobs }: DataDirectory): BlobPlace {
  const { blobsUrl: path, databaseUrl } = settings;
  if (path === undefined) {
    return databaseUrl === undefined
      ? { kind: "directory", path: blobs }
      : { kind: "database", path: "the database" };
  }
  if (!isBucketUrl(path)) return { kind: "directory", path: resolve(path) };
  const bucket = bucketOf(path);
  if (!bucket.ok) throw new Failure("configuration", `blobs-url ${bucket.failure}.`);
  return { kind: "bucket", path, ...bucket.value, s3: s3AccessFor(path, settings) };
}

/** An installation and the options that say where its site files are. */
export interface BlobOwner extends DatabasePlace {
  readonly settings: DatabasePlace["settings"] & BlobSettings;
}

/**
 * As `blobPlaceOf`; rejects if the installation has its files elsewhere. Without this, a command that lacks the option would
 * miss all of them, and add others where the server does not look. `database` is the installation's, if it is open.
 */
export async function usedBlobPlace(
  owner: BlobOwner,
  database?: DatabaseReader,
): Promise<BlobPlace> {
  const { settings, directory } = owner;
  const place = blobPlaceOf(settings, directory);
  const used = await usedPath(owner, database);
  if (used === undefined || used.path === place.path) return place;
  const { path, mark } = used;
  throw new Failure("configuration", elsewhere(path, settings.blobsUrl, mark));
}

function elsewhere(path: string, blobsUrl: string | undefined, mark: string | undefined): string {
  const given = blobsUrl === undefined ? "not set" : blobsUrl;
  const anew = mark === undefined ? "" : ` If nothing was deployed yet, remove ${mark} instead.`;
  return (
    `The files of sites are in ${path}, but blobs-url is ${given}. Correct the option. To move the files, ` +
    `export the installation and import it into a new one with the other blobs-url.${anew}`
  );
}

/** Returns where an installation has its files, and the file that says so. */
async function usedPath(
  owner: BlobOwner,
  database: DatabaseReader | undefined,
): Promise<{ readonly path: string; readonly mark?: string } | undefined> {
  const { settings, directory } = owner;
  const { blobsUrl, blobs } = directory;
  const isShared = settings.databaseUrl !== undefined;
  if (isShared) {
    const path = await (database === undefined ? readDatabase(owner, placeIn) : placeIn(database));
    if (typeof path === "string") return { path };
    const beside = findFile(directory);
    // Then the files are of an installation with SQLite.
    if (beside !== "missing" && beside !== "empty") return undefined;
  }
  if (existsSync(blobsUrl)) {
    return { path: readFileSync(blobsUrl, "utf8").trim(), mark: blobsUrl };
  }
  return (isShared ? hasBlobs(directory) : existsSync(blobs))
    ? { path: blobs, mark: blobs }
    : undefined;
}

async function placeIn({ has, query }: DatabaseReader): Promise<SqlValue | undefined> {
  return (await has("blob_place")) ? (await query(FIND_PLACE))[0]?.["path"] : undefined;
}

/** Names where the files are, in a database that several machines can use. No export carries it. */
const placeSchema: Schema = {
  component: "site files",
  migrations: [() => ["CREATE TABLE blob_place (id INTEGER PRIMARY KEY, path TEXT NOT NULL)"]],
};

/** The components of tables for site files, which no backup has: it has the files. */
export const blobComponents: readonly string[] = [placeSchema, blobSchema].map(
  ({ component }) => component,
);

/** Returns the tables that the site files of an installation need in its database. */
export function blobSchemasOf(
  { kind }: BlobPlace,
  { settings: { databaseUrl } }: DatabasePlace,
): readonly Schema[] {
  if (databaseUrl === undefined) return [];
  return kind === "database" ? [placeSchema, blobSchema] : [placeSchema];
}

/**
 * Remembers where an installation has its files: in the database if that is PostgreSQL, so that all machines agree, else in
 * the data directory, whose lock the caller holds. Rejects if another machine was faster. In the data directory, `moved` files
 * replace those that an earlier installation in it had elsewhere.
 */
export async function rememberBlobPlace(
  { kind, path }: BlobPlace,
  { settings: { databaseUrl }, directory }: DatabasePlace,
  sql: Sql,
  moved = false,
): Promise<void> {
  if (databaseUrl === undefined) {
    if (moved) await rm(directory.blobsUrl, { force: true });
    await markBlobPlace({ path }, directory);
    return;
  }
  const find = { text: FIND_PLACE, values: [] };
  if ((await sql.query(find)).length > 0) return;
  const set = { text: SET_PLACE, values: [path] };
  const written = await sql.batch([set, find], () => true);
  const agreed = String((written.ok ? written.value[1]?.[0]?.["path"] : undefined) ?? path);
  if (agreed === path) return;
  const given = kind === "database" ? undefined : path;
  throw new Failure("configuration", elsewhere(agreed, given, undefined));
}

const FIND_PLACE = "SELECT path FROM blob_place";
const SET_PLACE = "INSERT INTO blob_place (id, path) VALUES (1, ?) ON CONFLICT (id) DO NOTHING";

/** Remembers in the data directory where the files are, unless they are inside. */
export async function markBlobPlace(
  { path }: Pick<BlobPlace, "path">,
  { blobs, blobsUrl }: DataDirectory,
): Promise<void> {
  if (path !== blobs && !existsSync(blobsUrl)) await writePublic(blobsUrl, `${path}\n`);
}

/** Opens the site files of an installation. Those in the database need it, with its tables. */
export function blobsAt(place: BlobPlace, { blobCache }: DataDirectory, sql?: Sql): Blobs {
  return openBlobs(place, { path: blobCache, bytes: CACHE_BYTES }, sql);
}

/** A request for readiness checks the bucket at most so often. */
const CHECK_EVERY_MS: number = 5 * SECOND_MS;

/**
 * Returns whether the bucket of the site files could be reached since the start. An outage later only concerns files that are
 * not cached: it must not take the rest of the service out of rotation.
 */
export function watchBucket(
  place: BlobPlace,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<boolean> {
  let reached = place.kind !== "bucket";
  let checkedAt = -Infinity;
  let checking = Promise.resolve();
  let failing = false;
  const check = async (): Promise<void> => {
    if (place.kind !== "bucket") return;
    try {
      await checkBucket(place);
      reached = true;
      if (failing) log.info("the bucket of the site files can be used again");
    } catch (error) {
      if (!failing) log.error("the bucket of the site files cannot be used", error);
      failing = true;
    }
  };
  return async () => {
    const now = clock.now();
    if (!reached && !(now >= checkedAt && now - checkedAt < CHECK_EVERY_MS)) {
      checkedAt = now;
      checking = check();
    }
    await checking;
    return reached;
  };
}
