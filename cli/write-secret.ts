import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

import { Failure } from "./exit.ts";
import { syncDirectory } from "./sync-directory.ts";
import { reasonOf } from "./system-error.ts";

/**
 * Writes a file beside and renames it: the name never holds half a secret, and a crash does not undo it. A failure
 * names the path.
 */
export async function writeSecret(path: string, text: string): Promise<void> {
  try {
    await write(path, text, 0o600);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** The same for a file that every user may read. */
export async function writePublic(path: string, text: string): Promise<void> {
  try {
    await write(path, text, 0o644);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, cause: unknown): Failure {
  return new Failure("configuration", `${path} cannot be written: ${reasonOf(cause)}.`, { cause });
}

async function write(path: string, text: string, mode: number): Promise<void> {
  const beside = `${path}.new`;
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const file = await open(beside, O_CREAT | O_TRUNC | O_WRONLY, mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncDirectory(dirname(path));
}
