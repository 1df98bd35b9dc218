import { normalized } from "../../base/normalized.ts";

/** The undecoded path and query of a request. */
export interface RequestTarget {
  /** Undecoded, such as `/a%20b`; begins with a slash. */
  readonly rawPath: string;
  /** The query with its `?`, or empty. */
  readonly search: string;
}

/** Splits an address without parsing all of it. Some runtimes pass only the path when a request has no host. */
export function requestTarget(url: string): RequestTarget {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
  if (start === -1) return { rawPath: "/", search: "" };
  const fragment = url.indexOf("#", start);
  const end = fragment === -1 ? url.length : fragment;
  const query = url.indexOf("?", start);
  if (query === -1 || query > end) return { rawPath: url.slice(start, end), search: "" };
  return { rawPath: url.slice(start, query), search: url.slice(query, end) };
}

/** A path that decoding does not change and that a file of a site can have. */
const PLAIN = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)*\/?$/;

// oxlint-disable-next-line no-control-regex -- matches control characters
const UNFIT = /[\u0000-\u001f\u007f\\]|\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * Decodes `rawPath` strictly and normalizes it to NFC. Undefined for paths that no file can have: invalid UTF-8, control
 * characters, lone surrogates, empty, `.` and `..` segments, and encoded slashes.
 */
export function decodePath(rawPath: string): string | undefined {
  if (PLAIN.test(rawPath)) return rawPath;
  if (/%2f|%5c/i.test(rawPath)) return undefined;
  try {
    const path = normalized(decodeURIComponent(rawPath), "NFC");
    return UNFIT.test(path) || !path.isWellFormed() ? undefined : path;
  } catch {
    // Malformed encoding.
    return undefined;
  }
}

/** Encodes a path for an address. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
}
