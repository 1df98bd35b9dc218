/**
 * Headers that a site may add to its files. What frames a message, sets cookies, speaks for the whole host or is ours to
 * get right (`Content-Type`, `Cache-Control`, `ETag`, `Strict-Transport-Security`) is not among them.
 */
export const allowedHeaders: readonly string[] = [
  "Access-Control-Allow-Origin",
  "Content-Disposition",
  "Content-Language",
  "Content-Security-Policy",
  "Content-Security-Policy-Report-Only",
  "Cross-Origin-Embedder-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Link",
  "Origin-Agent-Cluster",
  "Permissions-Policy",
  "Referrer-Policy",
  "Timing-Allow-Origin",
  "X-Frame-Options",
  "X-Robots-Tag",
];

const allowed: ReadonlySet<string> = new Set(allowedHeaders.map((name) => name.toLowerCase()));

/** Why a site may not send a header of this name; undefined when it may. Upper and lower case are the same. */
export function faultOfHeaderName(name: string): string | undefined {
  if (allowed.has(name.toLowerCase())) return undefined;
  return `is not a header that a site may set; those are ${allowedHeaders.join(", ")}`;
}

export const MAX_HEADER_VALUE = 4_096;

/** Printable ASCII, with no space at its ends: nothing that could end the line or be read in two ways. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export function faultOfHeaderValue(value: string): string | undefined {
  if (value.length > MAX_HEADER_VALUE) return `must be at most ${MAX_HEADER_VALUE} characters long`;
  return VALUE.test(value) ? undefined : "must be printable ASCII on one line";
}
