/** Percent-encoded letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3). */
const UNRESERVED = /%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

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
