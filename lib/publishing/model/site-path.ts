import { utf8 } from "../../base/digest.ts";
import { normalized } from "../../base/normalized.ts";
import { areaOfPath } from "../hosts.ts";

/** The decision about a name in an archive. */
export type NameVerdict =
  /** Becomes part of the site at this absolute path. */
  | { readonly kind: "path"; readonly path: string }
  /** Left out silently: tools add it, and no site needs it. */
  | { readonly kind: "left out" }
  /** The reason completes a sentence that begins with the name. */
  | { readonly kind: "refused"; readonly reason: string };

const MAX_DEPTH = 32;
const MAX_NAME_BYTES = 1_024;
const MAX_SEGMENT_BYTES = 255;

const CONTROL = /\p{Cc}/u;
const DRIVE = /^[A-Za-z]:/;

/** Files that macOS and Windows leave in archives and directories. Dotfiles are left out separately. */
const debris: ReadonlySet<string> = new Set(["__macosx", "thumbs.db", "desktop.ini"]);

/** Decides about the raw name of a file or directory. Refuses traversal even in names that would be left out. */
export function siteName(name: string): NameVerdict {
  const reason = faultOfForm(name);
  if (reason !== undefined) return { kind: "refused", reason };
  const segments = normalized(name, "NFC")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  const fault = segments.includes("..") ? faultOfClimbing(segments) : faultOfSize(segments);
  if (fault !== undefined) return { kind: "refused", reason: fault };
  if (segments.length === 0 || segments.some(isLeftOut)) return { kind: "left out" };
  const path = `/${segments.join("/")}`;
  const area = areaOfPath(path);
  // Visitors could never reach a file at a reserved path.
  if (area !== "page" && area !== "setup") {
    return { kind: "refused", reason: "belongs to a place that this service answers itself" };
  }
  return { kind: "path", path };
}

function faultOfForm(name: string): string | undefined {
  if (name === "") return "is an entry without a name";
  if (utf8(name).length > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (CONTROL.test(name)) return "has a control character in its name";
  if (name.includes("\\")) return "has a backslash in its name";
  if (name.startsWith("/")) return "is an absolute path";
  return DRIVE.test(name) ? "begins with the letter of a drive" : undefined;
}

function faultOfClimbing(segments: readonly string[]): string {
  let depth = 0;
  for (const segment of segments) {
    depth += segment === ".." ? -1 : 1;
    if (depth < 0) return "leaves the site";
  }
  return 'has ".." in its path';
}

function faultOfSize(segments: readonly string[]): string | undefined {
  if (segments.length > MAX_DEPTH) return `lies deeper than ${MAX_DEPTH} directories`;
  const long = segments.some((segment) => utf8(segment).length > MAX_SEGMENT_BYTES);
  return long ? `has a part longer than ${MAX_SEGMENT_BYTES} bytes` : undefined;
}

function isLeftOut(segment: string, index: number): boolean {
  if (index === 0 && segment === ".well-known") return false;
  return segment.startsWith(".") || debris.has(segment.toLowerCase());
}

/** Folds case, so that names are equal if a case-insensitive file system cannot tell them apart. */
export function foldedPath(path: string): string {
  // Both ways, so that ß equals ss and the long s equals s.
  return normalized(path.toUpperCase().toLowerCase(), "NFC");
}
