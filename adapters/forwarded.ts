/** The last value of a header that may be a list: what the nearest proxy wrote. */
export function lastOf(header: unknown): string | undefined {
  if (typeof header !== "string") return undefined;
  return header.slice(header.lastIndexOf(",") + 1).trim() || undefined;
}
