import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { shareCookies } from "../../domains/index.ts";
import { fail, ok, skip, warn, type Check, type Subject } from "./check.ts";
import { checkBucket } from "../../backup/blobs.ts";
import { isLocal } from "../../settings/domain-names.ts";
import { sitesDomain } from "../../settings/public-address.ts";
import { codeOf, reasonOf } from "../../settings/failure.ts";
import { WILDCARD_PROBE } from "../base-domain/candidate.ts";
import { usedBlobPlace } from "../data/blobs.ts";
import type { DatabaseReader } from "../data/database.ts";
import { addressesOf } from "../resolvers.ts";

/** Checks that the database or bucket of the site files answers, or that their directory is readable and writable. */
export const blobsAreSound: Check = async ({ settings, directory, database, signal }) => {
  const shared = settings.databaseUrl === undefined ? undefined : await database();
  const place = await usedBlobPlace({ settings, directory }, shared);
  const { path } = place;
  if (place.kind === "bucket") {
    try {
      await checkBucket(place);
      return ok("bucket_sound", { bucket: path });
    } catch (error) {
      return fail("bucket_unusable", { bucket: path, reason: reasonOf(error).replace(/\.$/, "") });
    }
  }
  if (place.kind === "database") return ok("files_in_database", await stored(await database()));
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return skip("files_none", {});
  if (!found.isDirectory()) return fail("not_a_directory", { path });
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail("directory_unusable", { path, reason: reasonOf(error) });
  }
  const { files, bytes } = await measured(path, signal);
  return ok("files_sound", { path, files, bytes });
};

/** Counts the files in the database. */
async function stored({ has, query }: DatabaseReader) {
  // The first start creates the table.
  const [row] = (await has("blobs")) ? await query(COUNT) : [];
  return { files: Number(row?.["files"] ?? 0), bytes: Number(row?.["bytes"] ?? 0) };
}

const COUNT = `SELECT COUNT(*) AS files, CAST(SUM(size) AS BIGINT) AS bytes
  FROM blobs WHERE complete = 1`;

async function measured(
  directory: string,
  signal: AbortSignal,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  signal.throwIfAborted();
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const within = await measured(path, signal);
      files += within.files;
      bytes += within.bytes;
    } else {
      files++;
      // A missing file was deleted with its deploy.
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return { files, bytes };
}

/** Every project has an address, including future ones. */
export const sitesResolve: Check = async (subject) => {
  const domain = sitesDomain(subject.settings);
  if (isLocal(domain)) return ok("sites_local", { domain });
  const found = await addressesOf(subject, `${WILDCARD_PROBE}.${domain}`);
  return found.length === 0 ? warn("sites_missing", { domain }) : ok("sites_resolve", { domain });
};

/** No site can set cookies for the dashboard, whether or not its name has an address yet. */
export const cookiesAreApart: Check = async (subject) => {
  const domain = sitesDomain(subject.settings);
  if (isLocal(domain)) return skip("cookies_local", {});
  const dashboard = subject.settings.baseDomain;
  const shared =
    (await shareCookies(`${WILDCARD_PROBE}.${domain}`, dashboard)) && (await hasPublished(subject));
  return shared
    ? warn("sites_share_cookies", { domain, dashboard })
    : ok("cookies_apart", { dashboard });
};

/** Returns whether a project shows a site. Until then, there is nobody to set cookies. */
async function hasPublished({ database }: Subject): Promise<boolean> {
  const { found, has, query } = await database();
  return found === "ours" && (await has("projects")) && (await query(PUBLISHED)).length > 0;
}

const PUBLISHED = `SELECT id FROM projects
  WHERE live_deploy_id IS NOT NULL AND deleted_at IS NULL LIMIT 1`;
