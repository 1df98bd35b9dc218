import { open, rename, rm } from "node:fs/promises";

import { Failure } from "./exit.ts";
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
  const file = await open(beside, "w").catch((error: unknown) => {
    throw new Failure("failed", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  });
  return {
    write: async (text) => {
      await file.writeFile(text);
    },
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(beside, path);
    },
    discard: async () => {
      await file.close();
      await rm(beside, { force: true });
    },
  };
}
