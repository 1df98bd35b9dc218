import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { Failure } from "./exit.ts";
import { syncDirectory } from "./sync-directory.ts";
import { reasonOf } from "./system-error.ts";

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
