import { base36Time } from "../base/clock.ts";

/** Returns true if the client's copy is as current as `etag`, by weak comparison (RFC 9110 §13.1.2). */
export function isFresh(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const bare = opaque(etag);
  return tags(ifNoneMatch).some((tag) => opaque(tag) === bare);
}

/** A row with versions. */
export interface Versioned {
  /** Tells versions of different things with one id apart. Default: there is only one. */
  readonly kind?: string;
  readonly id: number;
  readonly version: number;
  readonly updatedAt: number;
}

/** Returns the strong `ETag` of a row, unique among the rows of its kind and their versions. */
export function entityTag({ kind, id, version, updatedAt }: Versioned): string {
  const tag = `${id}-${version}-${base36Time(updatedAt)}`;
  return kind === undefined ? `"${tag}"` : `"${kind}-${tag}"`;
}

const MAX_TAGS = 100;

/** Returns the entity tags of a header. */
export function tags(header: string): readonly string[] {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).slice(0, MAX_TAGS);
}

function opaque(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
