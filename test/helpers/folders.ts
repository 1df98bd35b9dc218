import { afterAll } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Directories for the tests of a file, which are removed after them. */
export interface Folders {
  /** Creates a directory with a short path: a server's socket in it may have 107 bytes. */
  readonly folder: () => Promise<string>;
  /** Mounts a separate disk in a new directory. Undefined without permission to mount. */
  readonly disk: (options: string) => Promise<string | undefined>;
}

export function folders(): Folders {
  const made: string[] = [];
  const mounts: string[] = [];
  afterAll(async () => {
    for (const path of mounts) Bun.spawnSync(["umount", "--lazy", path]);
    for (const path of made) await rm(path, { recursive: true, force: true });
  });
  const folder: Folders["folder"] = async () => {
    const path = await mkdtemp(join(tmpdir(), "pet-"));
    made.push(path);
    return path;
  };
  return {
    folder,
    disk: async (options) => {
      const path = await folder();
      mounts.push(path);
      const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]);
      return mounted.exitCode === 0 ? path : undefined;
    },
  };
}
