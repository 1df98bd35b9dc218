import type { Deploy, ManifestFile } from "./deploy.ts";

/** The most files listed per kind of change. The counts include all files. */
const MAX_NAMED = 200;

export interface NamedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface ChangedFile extends NamedFile {
  readonly bytesBefore: number;
}

/** The differences between two versions of a site. */
export interface SiteDifference {
  readonly added: readonly NamedFile[];
  readonly changed: readonly ChangedFile[];
  readonly removed: readonly NamedFile[];
  readonly counts: Readonly<Record<"added" | "changed" | "removed" | "same", number>>;
  /** True if some files are counted but not listed. */
  readonly more: boolean;
}

/** Compares two versions of a site by the content of their files. */
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
 * Finds the deploy to compare with: the live one or, for the live one, the previously live one.
 * Undefined if there is none.
 */
export function comparedWith(id: string, deploys: readonly Deploy[]): Deploy | undefined {
  const live = deploys.find(({ state }) => state === "live");
  if (live !== undefined && live.id !== id) return live;
  return deploys
    .filter((one) => one.id !== id && one.supersededAt !== undefined)
    .toSorted((a, b) => (b.supersededAt ?? 0) - (a.supersededAt ?? 0))[0];
}
