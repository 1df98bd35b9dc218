import type { PostgresClaim } from "../../adapters/postgres/claim.ts";

/** Keeps files of photos and imports while a node of an older version could delete them. */
export interface FilesKept {
  /** Claims the files while an older node is in the list, and releases them when it has left. */
  review(): Promise<void>;
  release(): Promise<void>;
}

/**
 * A node of a version without photos and imports deletes their files an hour after they were stored, because no deploy
 * needs them. Like every version, it deletes no file while another process has a claim on them.
 */
export function keepFilesFromOlder({
  hasOlder,
  claim,
}: {
  /** Returns whether such a node was active within the last hour. */
  readonly hasOlder: () => Promise<boolean>;
  readonly claim: () => Promise<PostgresClaim | undefined>;
}): FilesKept {
  let held: PostgresClaim | undefined;
  const release = async (): Promise<void> => {
    const before = held;
    held = undefined;
    await before?.release();
  };
  return {
    review: async () => {
      if (!(await hasOlder())) return release();
      // A claim ends with its connection.
      if ((await held?.holds()) === true) return;
      await release();
      held = await claim();
    },
    release,
  };
}
