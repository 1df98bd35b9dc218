import { ENDED_KEYS_KEPT_MS, endOfKey, type ApiKey } from "../../model/api-key.ts";
import type { World } from "./world.ts";

/** How many keys of a catalogue work at `at`: those with a successor, or those without one. */
export function countWorking(
  world: World,
  {
    catalogueId,
    replaced,
    at,
  }: { readonly catalogueId: number; readonly replaced: boolean; readonly at: number },
): number {
  return [...world.keys.values()].filter(
    (key) =>
      key.catalogueId === catalogueId &&
      (key.replacedBy !== undefined) === replaced &&
      worksAt(key, at),
  ).length;
}

export function worksAt({ revokedAt, expiresAt }: ApiKey, at: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > at);
}

/** Of a catalogue's keys that ended by `at` the newest `max` stay. */
export function dropOldestEnded(
  world: World,
  {
    catalogueId,
    max,
    at,
  }: { readonly catalogueId: number; readonly max: number; readonly at: number },
): void {
  const ended = endedBy(world, at).filter((key) => key.catalogueId === catalogueId);
  for (const { id } of ended.slice(0, Math.max(ended.length - max, 0))) drop(world, id, at);
}

/** Drops at most `limit` keys of all that ended long ago; how many. */
export function dropEndedLongAgo(world: World, now: number, limit: number): number {
  const ended = endedBy(world, now - ENDED_KEYS_KEPT_MS - 1).slice(0, limit);
  for (const { id } of ended) drop(world, id, now);
  return ended.length;
}

/** Other processes may remember it. */
function drop(world: World, keyId: string, at: number): void {
  world.put(world.keys, keyId, undefined);
  world.notice("key", keyId, at);
}

/** Oldest end first. */
function endedBy(world: World, at: number): readonly ApiKey[] {
  const ended: { readonly key: ApiKey; readonly end: number }[] = [];
  for (const key of world.keys.values()) {
    const end = endOfKey(key);
    if (end !== undefined && end <= at) ended.push({ key, end });
  }
  return ended
    .toSorted((a, b) => a.end - b.end || (a.key.id < b.key.id ? -1 : 1))
    .map(({ key }) => key);
}
