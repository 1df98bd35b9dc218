/** Percent-encoded letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3). */
const UNRESERVED = /%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Returns true when the path of a URL is `root` or below it. */
export function isBelow({ url }: { readonly url: string }, root: string): boolean {
  // Some runtimes pass on a Host header that is no valid host.
  if (!URL.canParse(url, "http://localhost")) return false;
  const path = normalTarget(new URL(url, "http://localhost").pathname);
  return path === root || path.startsWith(`${root}/`);
}

/**
 * Decodes unreserved characters in the path of a target, because both spellings are the same path (RFC 3986 §6.2.2.2). All
 * others stay as they are: `%2F` is data. Does not change the query. Every decision about a path must be made on this.
 */
export function normalTarget(target: string): string {
  if (!target.includes("%")) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const normal = path.replaceAll(UNRESERVED, decodeURIComponent);
  return end === -1 ? normal : normal + target.slice(end);
}
