/** The path and the query of a request, as they stand in its address. */
export interface RequestTarget {
  /** Undecoded, `/a%20b`; begins with a slash. */
  readonly rawPath: string;
  /** `?` and what follows it, or nothing. */
  readonly search: string;
}

/** Takes an address apart without parsing all of it; some runtimes give the path alone where a request names no host. */
export function requestTarget(url: string): RequestTarget {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
  if (start === -1) return { rawPath: "/", search: "" };
  const fragment = url.indexOf("#", start);
  const end = fragment === -1 ? url.length : fragment;
  const query = url.indexOf("?", start);
  if (query === -1 || query > end) return { rawPath: url.slice(start, end), search: "" };
  return { rawPath: url.slice(start, query), search: url.slice(query, end) };
}

/** Nothing in it that decoding changes, or that no file of a site can have in its path. */
const PLAIN = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)*\/?$/;

// oxlint-disable-next-line no-control-regex -- they are what it looks for
const UNFIT = /[\u0000-\u001f\u007f\\]|\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * The path of a file that `rawPath` asks for: percent-decoded strictly, in NFC. Undefined for what no file can have:
 * bytes that are no UTF-8, control characters, empty, `.` and `..` segments, and slashes in disguise.
 */
export function decodePath(rawPath: string): string | undefined {
  if (PLAIN.test(rawPath)) return rawPath;
  if (/%2f|%5c/i.test(rawPath)) return undefined;
  try {
    const path = decodeURIComponent(rawPath).normalize("NFC");
    return UNFIT.test(path) ? undefined : path;
  } catch {
    // What is not well encoded names nothing.
    return undefined;
  }
}

/** The other way round: a decoded path as it stands in an address. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
}
