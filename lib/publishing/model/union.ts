import { MAX_ENTRIES, MAX_TOTAL_BYTES } from "../archive/limits.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Manifest, ManifestFile } from "./deploy.ts";
import { SITE_FILE } from "./site-file.ts";
import { foldedPath } from "./site-path.ts";

const MIB = 1_048_576;

/**
 * Adds files to a live site. Of two files at one path, ignoring case, the added one stays; so it does if one of them is a file
 * where the other has a directory. The site file of `added` replaces the live one as a whole. Refused
 * `payload_too_large` if the site becomes larger than a site may be.
 */
export function unionOf(live: Manifest, added: Manifest): Result<Manifest, Problem> {
  const places = new Set<string>();
  const directories = new Set<string>();
  for (const { path } of added.files) {
    const folded = foldedPath(path);
    places.add(folded);
    for (const directory of above(folded)) directories.add(directory);
  }
  const kept = live.files.filter(({ path }) => {
    const folded = foldedPath(path);
    const replaced = places.has(folded) || directories.has(folded);
    return !replaced && !above(folded).some((directory) => places.has(directory));
  });
  const files = [...kept, ...added.files].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const fault = faultOfSize(files);
  if (fault !== undefined) return refused(problem("payload_too_large", fault));
  const ownSiteFile = added.files.some(({ path }) => path === SITE_FILE);
  return done({ files, site: ownSiteFile ? added.site : live.site });
}

/** Returns the directories above a path: `/a` and `/a/b` for `/a/b/c`. */
function above(path: string): readonly string[] {
  const found: string[] = [];
  for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) {
    found.push(path.slice(0, end));
  }
  return found;
}

function faultOfSize(files: readonly ManifestFile[]): string | undefined {
  if (files.length > MAX_ENTRIES) {
    return `Together with the live site there are ${files.length} files: there may be ${MAX_ENTRIES}.`;
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes > MAX_TOTAL_BYTES
    ? `Together with the live site the files are larger than ${MAX_TOTAL_BYTES / MIB} MiB.`
    : undefined;
}
