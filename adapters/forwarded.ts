/** Returns the last value of a list header, which the nearest proxy added. */
export function lastOf(header: unknown): string | undefined {
  if (typeof header !== "string") return undefined;
  return header.slice(header.lastIndexOf(",") + 1).trim() || undefined;
}
