import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, reasonOf } from "../settings/failure.ts";

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

/** Makes the names in a directory durable: without it a crash may lose a file whose contents were synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A file that appears whole, or not at all. */
export interface FileSink {
  readonly write: (text: string) => Promise<void>;
  /** Puts it under its name, on disk. */
  finish(): Promise<void>;
  /** Leaves what was under the name as it is. */
  discard(): Promise<void>;
}

export async function fileSink(path: string): Promise<FileSink> {
  const beside = `${path}.${process.pid}.part`;
  const failed = (error: unknown): never => {
    throw new Failure("failed", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  };
  const file = await open(beside, "w").catch(failed);
  const discard = async (): Promise<void> => {
    await file.close();
    await rm(beside, { force: true });
  };
  return {
    write: (text) => file.writeFile(text).catch(failed),
    finish: async () => {
      try {
        await file.sync();
        await file.close();
        await rename(beside, path);
        await syncDirectory(dirname(path));
      } catch (error) {
        await discard();
        failed(error);
      }
    },
    discard,
  };
}
