import { constants } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

import { Failure, codeOf, reasonOf } from "../settings/failure.ts";
import { syncDirectory } from "../server/data/files.ts";

const OTHERS = 0o077;
/** Longer than any token: a larger file is the wrong one. */
const MAX_BYTES = 4_096;

/**
 * Reads the management token in a file. As ssh does, refuses a file of the current user that others may read; a file of
 * another user, such as a container secret, is theirs to protect.
 */
export async function readTokenFile(path: string): Promise<string> {
  try {
    const { mode, uid, size } = await stat(path);
    if (size > MAX_BYTES)
      throw new Failure("configuration", `${path} contains no management token.`);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) {
      throw new Failure(
        "denied",
        `Other users can read the token file ${path}. Run chmod 600 ${path}`,
      );
    }
    return checkedToken((await Bun.file(path).text()).trim(), path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const exit = codeOf(error) === "EACCES" ? "denied" : "configuration";
    throw new Failure(exit, `The token file ${path} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Accepts what fits a header. The error does not repeat the text, which may contain most of a secret. */
export function checkedToken(token: string, place: string): string {
  if (/^[\w-]{1,200}$/.test(token)) return token;
  throw new Failure("configuration", `${place} contains no management token.`);
}

/** A file created before its token is requested, so that no issued token is lost. */
export interface TokenFile {
  /** Writes the token, durably. */
  write(token: string): Promise<void>;
  /** Deletes the file. */
  discard(): Promise<void>;
}

/** Creates a file that only its owner may read. Fails if the path exists. */
export async function newTokenFile(path: string): Promise<TokenFile> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  } catch (error) {
    const reason = codeOf(error) === "EEXIST" ? "the file exists" : reasonOf(error);
    throw new Failure("failed", `The token file ${path} cannot be created: ${reason}.`, {
      cause: error,
    });
  }
  return {
    write: async (token) => {
      await file.writeFile(`${token}\n`);
      await file.sync();
      await file.close();
      await syncDirectory(dirname(path));
    },
    discard: async () => {
      await file.close();
      await Bun.file(path).delete();
    },
  };
}
