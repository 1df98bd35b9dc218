import { type Problem, problem } from "../../../../../lib/base/problem.ts";
import {
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
} from "../../../../../lib/publishing/archive/limits.ts";
import { quoted } from "../../../../../lib/publishing/archive/refused.ts";
import { siteName } from "../../../../../lib/publishing/model/site-path.ts";

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

/** A file that somebody dropped or chose, before it is known whether a site takes it. */
export interface FoundFile {
  /** With slashes, below what was dropped: `site/animals/7/photo.jpg`. */
  readonly path: string;
  readonly size: number;
  /** Its content, read anew each time. */
  readonly open: () => ReadableStream<Uint8Array>;
}

/** What was found by looking through something. */
export interface Found {
  readonly files: readonly FoundFile[];
  /** What was not even looked into, as no site has it. */
  readonly leftOut: readonly string[];
}

/** The streams of browsers yield bytes of ordinary memory; their types say so more narrowly. */
export function bytesOf(blob: Blob): ReadableStream<Uint8Array> {
  return blob.stream();
}

const MIB = 1_048_576;

/** Ends the preparation of a site. Never leaves it: whoever prepares it answers with the problem. */
export class SiteRefused extends Error {
  override readonly name = "SiteRefused";
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** What was chosen holds what a site may not, or cannot be read. */
export function invalid(message: string): SiteRefused {
  return new SiteRefused(problem("invalid_archive", message));
}

export function tooLargeFile(path: string): SiteRefused {
  return tooLarge(`${quoted(path)} has more than ${MAX_FILE_BYTES / MIB} MiB.`);
}

function tooLargeTogether(): SiteRefused {
  return tooLarge(`The files have more than ${MAX_TOTAL_BYTES / MIB} MiB together.`);
}

export function tooMany(): SiteRefused {
  return tooLarge(`There are more than ${MAX_ENTRIES} files.`);
}

function tooLarge(message: string): SiteRefused {
  return new SiteRefused(problem("payload_too_large", message));
}
