import { constants } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

import { Failure, codeOf, reasonOf } from "../settings/failure.ts";
import { syncDirectory } from "../server/files.ts";

const OTHERS = 0o077;
/** Longer than any token; who names the wrong file is told so at once. */
const MAX_BYTES = 4_096;

/**
 * The management token in a file. Refused when the file is ours and others may read it, as ssh does: one that
 * somebody else put there, such as a secret of a container, is theirs to protect.
 */
export async function readTokenFile(path: string): Promise<string> {
  try {
    const { mode, uid, size } = await stat(path);
    if (size > MAX_BYTES) throw new Failure("configuration", `${path} holds no management token.`);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) {
      throw new Failure(
        "denied",
        `Other users of this machine may read ${path}, so its token is not used. Close it: chmod 600 ${path}`,
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

/** What can be sent in a header; anything else is no token. It is not repeated: it may be most of a secret. */
export function checkedToken(token: string, place: string): string {
  if (/^[\w-]{1,200}$/.test(token)) return token;
  throw new Failure("configuration", `${place} holds no management token.`);
}

/** A file that is made for a token before it is asked for, so that none is given out in vain. */
export interface TokenFile {
  /** Puts the token in, on disk. */
  write(token: string): Promise<void>;
  /** Takes the file away again. */
  discard(): Promise<void>;
}

/** Makes a file that its owner alone may read. Fails when there is one of that name. */
export async function newTokenFile(path: string): Promise<TokenFile> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  } catch (error) {
    const reason =
      codeOf(error) === "EEXIST" ? "there is a file of that name already" : reasonOf(error);
    throw new Failure("failed", `The token file ${path} cannot be made: ${reason}.`, {
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
