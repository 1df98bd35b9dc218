import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./child.ts";

/** A control group whose processes together get a share of one core. */
export interface Quota extends AsyncDisposable {
  /** Moves a process with all of its threads into the group. */
  readonly confine: (pid: number) => Promise<void>;
}

const PERIOD_MICROS = 20_000;
const UNIFIED = "/sys/fs/cgroup";
const CONTROLLERS = join(UNIFIED, "cgroup.controllers");
/** Version 1, as the `cpu` controller is usually mounted. */
const SEPARATE = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"];

/**
 * Creates a group that gets `share` of a core, before what else the machine does; returns why not if this machine does not
 * allow it.
 */
export async function openQuota(name: string, share: number): Promise<Quota | string> {
  const quota = PERIOD_MICROS * share;
  try {
    if (existsSync(CONTROLLERS)) {
      await writeFile(join(UNIFIED, "cgroup.subtree_control"), "+cpu");
      return await groupIn(UNIFIED, name, {
        "cpu.max": `${quota} ${PERIOD_MICROS}`,
        "cpu.weight": "10000",
      });
    }
    const root = SEPARATE.find((path) => existsSync(join(path, "cpu.cfs_quota_us")));
    if (root === undefined) return "needs control groups with the cpu controller";
    return await groupIn(root, name, {
      "cpu.cfs_period_us": String(PERIOD_MICROS),
      "cpu.cfs_quota_us": String(quota),
      "cpu.shares": "262144",
    });
  } catch (error) {
    return `needs control groups that may be written: ${String(error)}`;
  }
}

async function groupIn(
  root: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<Quota> {
  const path = join(root, `petstore-${process.pid}-${name}`);
  await mkdir(path);
  const remove = (): Promise<void> => rmdir(path);
  try {
    for (const [file, text] of Object.entries(settings)) await writeFile(join(path, file), text);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    confine: async (pid) => {
      // Real-time processes, such as those of a bench with real-time priority, have no quota.
      await run(["chrt", "--all-tasks", "--other", "--pid", "0", String(pid)]);
      await writeFile(join(path, "cgroup.procs"), String(pid));
    },
    [Symbol.asyncDispose]: remove,
  };
}
