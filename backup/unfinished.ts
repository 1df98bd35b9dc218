import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { isAbsent } from "../adapters/files/file-system.ts";
import { codeOf } from "../settings/failure.ts";
import { isPartial, partialOf } from "./directory.ts";

/** Names the partial file of a backup to a file, which may be on another disk. */
const PARTIAL_NAMED = "partial";

/** A directory of one backup below the scratch directory of its installation. */
export interface Workplace {
  readonly path: string;
  /** Makes `removeUnfinished` remove the partial file of `path`, if this process ends before it is complete. */
  remember(path: string): Promise<void>;
}

/**
 * Removes what interrupted backups left, then makes a directory for this one. Each has its own: the process of a killed
 * server may still be copying, and must not mistake our files for its own.
 */
export async function withWorkplace<Value>(
  scratch: string,
  use: (workplace: Workplace) => Promise<Value>,
): Promise<Value> {
  await removeUnfinished(scratch);
  const path = join(scratch, crypto.randomUUID());
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await use({
      path,
      remember: (written) =>
        writeFile(join(path, PARTIAL_NAMED), partialOf(written), { mode: 0o600 }),
    });
  } finally {
    await rm(path, { recursive: true, force: true });
    await rmdir(scratch).catch((error: unknown) => {
      // Another backup began.
      if (!isAbsent(error) && codeOf(error) !== "ENOTEMPTY") throw error;
    });
  }
}

/** Removes what interrupted backups of an installation left: plain copies of the database, and partial files. */
export async function removeUnfinished(scratch: string): Promise<void> {
  const names = await readdir(scratch).catch(() => []);
  for (const name of names) {
    const partial = await readFile(join(scratch, name, PARTIAL_NAMED), "utf8").catch(() => "");
    if (isPartial(partial)) await rm(partial, { force: true }).catch(() => undefined);
  }
  await rm(scratch, { recursive: true, force: true });
}
