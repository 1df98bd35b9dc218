import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";

/** True when the client's copy is as good as `etag`: weak comparison (RFC 9110 §13.1.2). */
export function isFresh(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const bare = opaque(etag);
  return tags(ifNoneMatch).some((tag) => opaque(tag) === bare);
}

/** True when `etag` is one of those that the change may be made to: strong comparison (RFC 9110 §13.1.1). */
export function mayChange(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === "*" || tags(ifMatch).some((tag) => tag === etag && tag.startsWith('"'));
}

/** What is remembered with its versions. */
export interface Versioned {
  readonly id: number;
  readonly version: number;
  readonly updatedAt: number;
}

/** The strong `ETag` of a row: another version never has it, nor another row of its kind. */
export function entityTag({ id, version, updatedAt }: Versioned): string {
  return `"${id}-${version}-${updatedAt.toString(36)}"`;
}

/**
 * The version on which a change has to be made: undefined for any. Of a request with `If-Match` the row as it is must
 * be one that it names (RFC 9110 §13.1.1); refused as `stale` otherwise, and with what `read` is refused.
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
