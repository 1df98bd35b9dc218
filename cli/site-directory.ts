import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "../lib/publishing/index.ts";
import { Failure, codeOf, reasonOf } from "../settings/failure.ts";

/** What of a directory would become a site. */
export interface SiteDirectory {
  /** By path. */
  readonly files: readonly SiteEntry[];
  /** Their sizes together. */
  readonly bytes: number;
  /** Paths that a site does not take: dotfiles, links, and what is neither file nor directory. */
  readonly leftOut: readonly string[];
}

export interface SiteEntry {
  /** Relative to the directory, with slashes. */
  readonly path: string;
  readonly size: number;
}

/**
 * Looks through the directory. Fails when it is none, is empty, or holds more than a site may: before anything is sent,
 * and before the disk is walked to its end because somebody named the wrong directory.
 */
export async function siteDirectory(root: string): Promise<SiteDirectory> {
  await mustBeDirectory(root);
  const files: SiteEntry[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  const waiting = [""];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(
      cannotRead(join(root, directory)),
    );
    for (const entry of entries) {
      const path = directory + entry.name;
      if (isHidden(path, entry.name) || !(entry.isDirectory() || entry.isFile())) {
        leftOut.push(path);
      } else if (entry.isDirectory()) waiting.push(`${path}/`);
      else {
        const { size } = await stat(join(root, path)).catch(cannotRead(join(root, path)));
        if (size > MAX_FILE_BYTES) throw tooLarge(join(root, path), MAX_FILE_BYTES);
        files.push({ path, size });
        bytes += size;
      }
    }
    if (files.length > MAX_ENTRIES) throw tooMany(root);
    if (bytes > MAX_TOTAL_BYTES) throw tooLarge(root, MAX_TOTAL_BYTES);
  }
  if (files.length === 0) {
    const why = leftOut.length === 0 ? "is empty" : `holds nothing but ${leftOut.join(", ")}`;
    throw new Failure(
      "usage",
      `${root} ${why}: there is nothing to publish. --starter publishes the storefront alone.`,
    );
  }
  return { files: files.toSorted(byPath), bytes, leftOut: leftOut.toSorted() };
}

/** Ours are left alone: `/.well-known` is for others to find things in (RFC 8615). */
function isHidden(path: string, name: string): boolean {
  return name.startsWith(".") && path !== ".well-known";
}

function byPath({ path: a }: SiteEntry, { path: b }: SiteEntry): number {
  return a < b ? -1 : 1;
}

async function mustBeDirectory(root: string): Promise<void> {
  const found = await stat(root).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") throw new Failure("notFound", `There is no directory ${root}.`);
    return cannotRead(root)(error);
  });
  if (!found.isDirectory()) {
    throw new Failure("usage", `${root} is a file: name the directory that it is in.`);
  }
}

/** Ends the command with the reason. */
export function cannotRead(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Failure) throw error;
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  };
}

function tooLarge(path: string, limit: number): Failure {
  return new Failure(
    "failed",
    `${path} has more than ${limit / 1_048_576} MiB, which a site may not. Large films and the like are better kept elsewhere.`,
  );
}

function tooMany(root: string): Failure {
  const limit = MAX_ENTRIES.toLocaleString("en");
  return new Failure(
    "failed",
    `${root} has more than ${limit} files, and a site may have ${limit}. Is it the right directory?`,
  );
}
