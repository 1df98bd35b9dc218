import { rmSync, statSync } from "node:fs";
import { lstat, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MINUTE_MS } from "../../lib/base/clock.ts";
import type { Clock } from "../../lib/index.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import { takeLock, type Lock } from "../data/lock.ts";

/** The directory that holds everything of a demo. */
export interface DemoDirectory {
  readonly path: string;
  /** Deletes it with everything in it. */
  remove(): void;
}

const PREFIX = "petstore-demo-";
const LOCK = "demo.lock";

/**
 * Creates the directory of a demo among the temporary files, and deletes those of demos that were killed. It also goes when
 * this process ends in any other way than by SIGKILL.
 */
export async function openDemoDirectory(clock: Clock): Promise<DemoDirectory> {
  let path: string;
  try {
    await removeLeftovers(clock);
    path = await mkdtemp(join(tmpdir(), PREFIX));
  } catch (error) {
    const message = `The directory for temporary files, ${tmpdir()}, cannot be used: ${reasonOf(error)}. Choose another with the environment variable TMPDIR.`;
    throw new Failure("configuration", message, { cause: error });
  }
  let lock: Lock | undefined;
  const remove = (): void => {
    process.off("exit", remove);
    lock?.release();
    lock = undefined;
    rmSync(path, { recursive: true, force: true });
  };
  process.on("exit", remove);
  const taken = takeLock(join(path, LOCK));
  if ("release" in taken) lock = taken;
  return { path, remove };
}

/** Deletes the directories of demos that no longer run: nobody holds their locks. */
async function removeLeftovers(clock: Clock): Promise<void> {
  const parent = tmpdir();
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const path = join(parent, name);
    // Of other users, or deleted meanwhile: it stays.
    if (await isOurs(path).catch(() => false)) removeIfDead(path, clock);
  }
}

/** Whether it is a directory, and no link to one, of this user. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
}

function removeIfDead(path: string, clock: Clock): void {
  const file = join(path, LOCK);
  const isLocked = statSync(file, { throwIfNoEntry: false }) !== undefined;
  // Another demo that starts right now has no lock yet.
  if (!isLocked && clock.now() - (statSync(path).mtimeMs ?? 0) < MINUTE_MS) return;
  const lock = takeLock(file);
  if (!("release" in lock)) return;
  lock.release();
  rmSync(path, { recursive: true, force: true });
}
