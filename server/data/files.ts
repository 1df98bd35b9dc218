import { constants } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, reasonOf } from "../../settings/failure.ts";

/** Writes a file that only its owner may read. */
export function writeSecret(path: string, text: string): Promise<void> {
  return write(path, text, 0o600);
}

/** Writes a file that every user may read. */
export function writePublic(path: string, text: string): Promise<void> {
  return write(path, text, 0o644);
}

/** Writes a temporary file and renames it: the path never holds half a secret, and a crash does not undo the write. */
async function write(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.new`;
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  try {
    const file = await open(temporary, O_CREAT | O_TRUNC | O_WRONLY, mode);
    await file.writeFile(text).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    await publish(file, temporary, path);
  } catch (cause) {
    const message = `${path} cannot be written: ${reasonOf(cause)}.`;
    throw new Failure("configuration", message, { cause });
  }
}

/** Gives a written file its name, durably, and closes it. */
async function publish(file: FileHandle, temporary: string, path: string): Promise<void> {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Makes the names in a directory durable: without this, a crash may lose a file whose contents were synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A file that appears complete, or not at all. */
export interface FileSink {
  readonly write: (content: string | Uint8Array) => Promise<void>;
  /** Gives the file its name, durably. */
  finish(): Promise<void>;
  /** Leaves the previous file as it is. */
  discard(): Promise<void>;
}

export async function fileSink(path: string): Promise<FileSink> {
  const temporary = `${path}.${process.pid}.part`;
  const failed = (error: unknown): never => {
    throw new Failure("failed", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  };
  const file = await open(temporary, "w").catch(failed);
  const remove = (): Promise<void> => rm(temporary, { force: true });
  return {
    write: (content) => file.writeFile(content).catch(failed),
    finish: async () => {
      try {
        await publish(file, temporary, path);
      } catch (error) {
        await remove();
        failed(error);
      }
    },
    discard: async () => {
      await file.close();
      await remove();
    },
  };
}
