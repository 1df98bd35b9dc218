import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { fail, skip, warn, type Check } from "./check.ts";
import { readableBytes, readableFiles } from "../../settings/values.ts";
import { isLocal } from "../../settings/options.ts";
import { sitesDomain } from "../../settings/public-address.ts";
import { codeOf, reasonOf } from "../../settings/failure.ts";
import { WILDCARD_PROBE } from "../base-domain/candidate.ts";
import { addressesOf } from "../resolvers.ts";

/** Checks that the directory of site files is readable and writable. */
export const blobsAreSound: Check = async ({ directory: { blobs }, signal }) => {
  const found = await stat(blobs).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return skip("none yet; the first deploy creates the directory");
  if (!found.isDirectory()) return fail(`${blobs} is not a directory`);
  try {
    await access(blobs, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(`${blobs} cannot be used: ${reasonOf(error)}`);
  }
  const { files, bytes } = await measured(blobs, signal);
  return `${blobs}, ${readableFiles(files)}, ${readableBytes(bytes)}`;
};

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
  if (isLocal(domain)) return `projects are at <slug>.${domain}, which browsers and curl resolve`;
  const found = await addressesOf(subject, `${WILDCARD_PROBE}.${domain}`);
  return found.length > 0
    ? `every name below ${domain} has an address`
    : warn(`no address found for names below ${domain}`, `add A or AAAA records for *.${domain}`);
};
