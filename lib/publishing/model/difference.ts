import type { Deploy, ManifestFile } from "./deploy.ts";

/** Of files that were added, changed and removed so many are named; all of them are counted. */
const MAX_NAMED = 200;

export interface NamedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface ChangedFile extends NamedFile {
  readonly bytesBefore: number;
}

/** What a site is like, seen from another version of it. Files by path. */
export interface SiteDifference {
  readonly added: readonly NamedFile[];
  readonly changed: readonly ChangedFile[];
  readonly removed: readonly NamedFile[];
  readonly counts: Readonly<Record<"added" | "changed" | "removed" | "same", number>>;
  /** There are more than are named. */
  readonly more: boolean;
}

/** How `after` differs from `before`: by content, not by when it was sent or how it is served. */
export function differenceBetween(
  before: readonly ManifestFile[],
  after: readonly ManifestFile[],
): SiteDifference {
  const old = new Map(before.map((file) => [file.path, file]));
  const added: NamedFile[] = [];
  const changed: ChangedFile[] = [];
  for (const file of after) {
    const was = old.get(file.path);
    old.delete(file.path);
    if (was === undefined) added.push(named(file));
    else if (was.sha256 !== file.sha256) changed.push({ ...named(file), bytesBefore: was.size });
  }
  const removed = Array.from(old.values(), named);
  const same = after.length - added.length - changed.length;
  const lists = [added, changed, removed];
  return {
    added: added.slice(0, MAX_NAMED),
    changed: changed.slice(0, MAX_NAMED),
    removed: removed.slice(0, MAX_NAMED),
    counts: { added: added.length, changed: changed.length, removed: removed.length, same },
    more: lists.some(({ length }) => length > MAX_NAMED),
  };
}

function named({ path, size }: ManifestFile): NamedFile {
  return { path, bytes: size };
}

/**
 * The deploy that people compare one with: the live one; of the live one itself the one that was live before.
 * Undefined when there is none.
 */
export function comparedWith(id: string, deploys: readonly Deploy[]): Deploy | undefined {
  const live = deploys.find(({ state }) => state === "live");
  if (live !== undefined && live.id !== id) return live;
  return deploys
    .filter((one) => one.id !== id && one.supersededAt !== undefined)
    .toSorted((a, b) => (b.supersededAt ?? 0) - (a.supersededAt ?? 0))[0];
}
