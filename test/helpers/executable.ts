import { stat } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const EXECUTABLE = "dist/petstore";
const VARIABLE = "TEST_EXECUTABLE";

/**
 * Makes test/helpers/process.ts, if imported afterwards, start the compiled program. The runner provides it; for a
 * single file it is compiled here, unless it is newer than all sources.
 */
export async function useExecutable(): Promise<void> {
  if (process.env[VARIABLE] !== undefined) return;
  if ((await changedAt([EXECUTABLE])) < (await changedAt(await sources()))) {
    const child = Bun.spawn([process.execPath, "run", "--silent", "compile"], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if ((await child.exited) !== 0) throw new Error("the program did not compile");
  }
  process.env[VARIABLE] = EXECUTABLE;
}

async function sources(): Promise<readonly string[]> {
  const patterns = [
    "{adapters,backup,cli,dashboard,domains,lib,server,settings,transfer}/**/*.{css,svg,ts,tsx}",
    "docs/*.md",
    "server.ts",
    "package.json",
    "package-lock.json",
  ];
  const found = patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(ROOT)));
  return (await Promise.all(found)).flat();
}

/** Returns when the latest of them changed; 0 for missing files. */
async function changedAt(paths: readonly string[]): Promise<number> {
  const times = paths.map(async (path) =>
    stat(join(ROOT, path)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return Math.max(0, ...(await Promise.all(times)));
}
