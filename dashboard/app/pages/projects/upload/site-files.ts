import { type Problem, problem } from "../../../../../lib/base/problem.ts";
import {
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
} from "../../../../../lib/publishing/archive/limits.ts";
import { quoted } from "../../../../../lib/publishing/archive/refused.ts";
import { siteName } from "../../../../../lib/publishing/model/site-path.ts";

/** The files of a site, before the upload. */
export interface SiteFiles {
  /** Sorted by path, which has no leading slash. */
  readonly files: readonly FoundFile[];
  /** The total size. */
  readonly bytes: number;
  /** Skipped paths, sorted: dotfiles and files of operating systems. */
  readonly leftOut: readonly string[];
  /** The site has an `index.html`. */
  readonly hasIndex: boolean;
}

/** Selects the files of the site. Throws `SiteRefused` for files that the service would refuse. */
export function siteFiles({ files: found, leftOut: unseen }: Found): SiteFiles {
  const leftOut = [...unseen];
  const files: FoundFile[] = [];
  let bytes = 0;
  const inSite = found.filter(({ path }) => {
    const taken = isSiteFile(path);
    if (!taken) leftOut.push(path);
    return taken;
  });
  const below = commonDirectory(inSite);
  for (const { path: whole, size, open } of inSite) {
    const path = whole.slice(below.length);
    // A name may be reserved at the top of a site: `site/v1` is valid, `v1` is not.
    const verdict = siteName(path);
    if (verdict.kind === "refused") throw invalid(`${quoted(path)} ${verdict.reason}.`);
    if (verdict.kind === "left out") leftOut.push(path);
    else {
      if (size > MAX_FILE_BYTES) throw tooLargeFile(path);
      files.push({ path: verdict.path.slice(1), size, open });
      bytes += size;
    }
  }
  if (files.length === 0) throw invalid("The upload contains no files for a site.");
  if (files.length > MAX_ENTRIES) throw tooMany();
  if (bytes > MAX_TOTAL_BYTES) throw tooLargeTogether();
  return {
    files: files.toSorted(byPath),
    bytes,
    leftOut: leftOut.toSorted(),
    hasIndex: files.some(({ path }) => path === "index.html"),
  };
}

/** Returns true for a path that may belong on a site. Dotfiles do not. */
export function isSiteFile(path: string): boolean {
  return siteName(path).kind !== "left out" || WELL_KNOWN.test(path);
}

/** `.well-known` at the top of the site, inside the dropped directory. */
const WELL_KNOWN = /^[^/.][^/]*\/\.well-known(?:\/(?!\.)[^/]+)*$/;

/** A directory name that is neither a parent nor a drive. */
const PLAIN = /^(?:\.|[^./:\\][^/:\\]*)\/$/;

/** Directories with a meaning on a site: they stay, even if they contain all files. */
const MEANT: ReadonlySet<string> = new Set(["animals/", ".well-known/"]);

/** Returns the directory that contains all files, with its slash: the site itself. */
function commonDirectory(files: readonly FoundFile[]): string {
  const end = files[0]?.path.indexOf("/") ?? -1;
  const directory = files[0]?.path.slice(0, end + 1) ?? "";
  if (!PLAIN.test(directory) || MEANT.has(directory)) return "";
  return files.every(({ path }) => path.startsWith(directory)) ? directory : "";
}

function byPath({ path: one }: FoundFile, { path: other }: FoundFile): number {
  return one < other ? -1 : 1;
}

/** A dropped or chosen file. */
export interface FoundFile {
  /** Includes the dropped directory: `site/animals/7/photo.jpg`. */
  readonly path: string;
  readonly size: number;
  /** Reads the content from its start. */
  readonly open: () => ReadableStream<Uint8Array>;
}

/** The files in a drop, a choice or an archive. */
export interface Found {
  readonly files: readonly FoundFile[];
  /** Skipped paths, whose content was not read. */
  readonly leftOut: readonly string[];
}

/** Widens the type of a blob's stream. */
export function bytesOf(blob: Blob): ReadableStream<Uint8Array> {
  return blob.stream();
}

const MIB = 1_048_576;

/** Thrown while a site is prepared; the uploader shows its problem. */
export class SiteRefused extends Error {
  override readonly name = "SiteRefused";
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** The files are unreadable or not allowed on a site. */
export function invalid(message: string): SiteRefused {
  return new SiteRefused(problem("invalid_archive", message));
}

export function tooLargeFile(path: string): SiteRefused {
  return tooLarge(`${quoted(path)} is larger than ${MAX_FILE_BYTES / MIB} MiB.`);
}

function tooLargeTogether(): SiteRefused {
  return tooLarge(`The files are larger than ${MAX_TOTAL_BYTES / MIB} MiB in total.`);
}

export function tooMany(): SiteRefused {
  return tooLarge(`The upload has more than ${MAX_ENTRIES} files.`);
}

function tooLarge(message: string): SiteRefused {
  return new SiteRefused(problem("payload_too_large", message));
}
