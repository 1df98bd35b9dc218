import { base36Time } from "../base/clock.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";

/** Returns true if the client's copy is as current as `etag`, by weak comparison (RFC 9110 §13.1.2). */
export function isFresh(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const bare = opaque(etag);
  return tags(ifNoneMatch).some((tag) => opaque(tag) === bare);
}

/** Returns true if `If-Match` allows a change of the version `etag`, by strong comparison (RFC 9110 §13.1.1). */
export function mayChange(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === "*" || tags(ifMatch).some((tag) => tag === etag && tag.startsWith('"'));
}

/** A row with versions. */
export interface Versioned {
  readonly id: number;
  readonly version: number;
  readonly updatedAt: number;
}

/** Returns the strong `ETag` of a row, unique among the rows of its kind and their versions. */
export function entityTag({ id, version, updatedAt }: Versioned): string {
  return `"${id}-${version}-${base36Time(updatedAt)}"`;
}

/**
 * Returns the version that a change must be based on; undefined for any. With `If-Match`, the header must name the
 * current version of the row (RFC 9110 §13.1.1), otherwise the result is `stale`. Passes on refusals of `read`.
 */
export async function wantedVersion(
  { headers }: Request,
  read: () => Promise<Result<Versioned, Problem>>,
  stale: Problem,
): Promise<Result<number | undefined, Problem>> {
  const ifMatch = headers.get("if-match");
  if (ifMatch === null) return done(undefined);
  const found = await read();
  if (!found.ok) return found;
  return mayChange(ifMatch, entityTag(found.value))
    ? done(ifMatch.trim() === "*" ? undefined : found.value.version)
    : refused(stale);
}

const MAX_TAGS = 100;

function tags(header: string): readonly string[] {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).slice(0, MAX_TAGS);
}

function opaque(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
