import type { BackupIndex } from "./manifest.ts";

/** A backup of a directory or bucket. */
export interface KeptBackup {
  /** The instant of its snapshot, such as `20261123T040000000Z`: the order of the names is the order of time. */
  readonly id: string;
  readonly index: BackupIndex;
}

/** Objects to remove, in this order: a crash in between leaves no backup that lacks its blobs. */
export interface Removal {
  readonly backups: readonly string[];
  /** Names of sealed blobs. */
  readonly blobs: readonly string[];
}

/**
 * Returns the backups beyond the newest `keep`, and the blobs that none of the others needs. `found` lists the sealed
 * blobs that exist, including those of interrupted backups.
 */
export function planRemoval(
  backups: readonly KeptBackup[],
  found: readonly string[],
  keep: number,
): Removal {
  const newestFirst = backups.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const needed = new Set(newestFirst.slice(0, keep).flatMap(({ index }) => index.blobs));
  return {
    backups: newestFirst.slice(keep).map(({ id }) => id),
    blobs: found.filter((name) => !needed.has(name)),
  };
}
