import { HOUR_MS } from "../base/clock.ts";
import type { Blobs } from "./blobs.ts";
import type { ProjectStore } from "./project-store.ts";

/**
 * How long a blob that nobody needs stays. Whoever makes a deploy puts each of its blobs, which makes that young
 * again, and is done within half this time (`MAX_MAKING_MS`): so none is taken away before its deploy names it.
 */
const UNNEEDED_KEPT_MS: number = HOUR_MS;

/** Asked for at once. */
const BATCH = 100;

/** More deploys than can be made at the same time. */
const ALL = 1_000;

/** Removes the blobs that no deploy consists of. Returns how many. */
export async function collectBlobs(
  { blobs, projectStore }: { readonly blobs: Blobs; readonly projectStore: ProjectStore },
  now: number,
): Promise<number> {
  const making = await projectStore.deploys.silent(Number.MAX_SAFE_INTEGER, ALL);
  // A clock that was put forward makes old what was put for a deploy a moment ago: what came after its beginning stays.
  const putBefore = Math.min(now - UNNEEDED_KEPT_MS, ...making.map(({ createdAt }) => createdAt));
  let removed = 0;
  const collect = async (names: readonly string[]): Promise<void> => {
    const needed = await projectStore.blobs.needed(names);
    for (const name of names) {
      if (needed.has(name)) continue;
      // It may have been put again since it was listed: then it stays.
      await blobs.delete(name, putBefore);
      removed++;
    }
  };
  let names: string[] = [];
  for await (const { sha256, putAt } of blobs.list()) {
    if (putAt >= putBefore) continue;
    names.push(sha256);
    if (names.length < BATCH) continue;
    await collect(names);
    names = [];
  }
  if (names.length > 0) await collect(names);
  return removed;
}
