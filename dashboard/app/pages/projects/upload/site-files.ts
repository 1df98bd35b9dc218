import {
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
} from "../../../../../lib/publishing/archive/limits.ts";
import { quoted } from "../../../../../lib/publishing/archive/refused.ts";
import { siteName } from "../../../../../lib/publishing/model/site-path.ts";
import type { Found, FoundFile } from "./found-file.ts";
import { invalid, tooLargeFile, tooLargeTogether, tooMany } from "./refusal.ts";

/** What would be sent. */
export interface SiteFiles {
  /** By path, which is that in the site, without a slash before it. */
  readonly files: readonly FoundFile[];
  /** Their sizes together. */
  readonly bytes: number;
  /** Paths that a site does not take: dotfiles, and what systems leave behind. By path. */
  readonly leftOut: readonly string[];
  /** It has a first page of its own. */
  readonly hasIndex: boolean;
}

/** What of the files becomes the site. Throws `SiteRefused` for what the service would refuse, before anything is sent. */
export function siteFiles({ files: found, leftOut: unseen }: Found): SiteFiles {
  const leftOut = [...unseen];
  const files: FoundFile[] = [];
  let bytes = 0;
  const inSite = found.filter(({ path }) => {
    const taken = isTaken(path);
    if (!taken) leftOut.push(path);
    return taken;
  });
  const below = commonDirectory(inSite);
  for (const { path: whole, size, open } of inSite) {
    const path = whole.slice(below.length);
    // Below what was dropped it may be what it was not above: `site/v1` is fine, `v1` is not.
    const verdict = siteName(path);
    if (verdict.kind === "refused") throw invalid(`${quoted(path)} ${verdict.reason}.`);
    if (verdict.kind === "left out") leftOut.push(path);
    else {
      if (size > MAX_FILE_BYTES) throw tooLargeFile(path);
      files.push({ path: verdict.path.slice(1), size, open });
      bytes += size;
    }
  }
  if (files.length === 0) throw invalid("There is no file in it that a site could have.");
  if (files.length > MAX_ENTRIES) throw tooMany();
  if (bytes > MAX_TOTAL_BYTES) throw tooLargeTogether();
  return {
    files: files.toSorted(byPath),
    bytes,
    leftOut: leftOut.toSorted(),
    hasIndex: files.some(({ path }) => path === "index.html"),
  };
}

/** Whether a site might have it, in a directory or not: what begins with a dot is left where it is. */
export function isTaken(path: string): boolean {
  return siteName(path).kind !== "left out" || WELL_KNOWN.test(path);
}

/** It lies at the top of a site; in what was dropped it lies in the folder that is the site. */
const WELL_KNOWN = /^[^/.][^/]*\/\.well-known(?:\/(?!\.)[^/]+)*$/;

/** A name that leads nowhere else: neither up, nor to a drive. */
const PLAIN = /^(?:\.|[^./:\\][^/:\\]*)\/$/;

/** Names of directories that mean something to a site: what lies in one of them alone stays there. */
const MEANT: ReadonlySet<string> = new Set(["animals/", ".well-known/"]);

/** The one directory that everything lies in, with its slash: it is the site, not a part of it. */
function commonDirectory(files: readonly FoundFile[]): string {
  const end = files[0]?.path.indexOf("/") ?? -1;
  const directory = files[0]?.path.slice(0, end + 1) ?? "";
  if (!PLAIN.test(directory) || MEANT.has(directory)) return "";
  return files.every(({ path }) => path.startsWith(directory)) ? directory : "";
}

function byPath({ path: one }: FoundFile, { path: other }: FoundFile): number {
  return one < other ? -1 : 1;
}
