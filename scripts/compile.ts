import { join } from "node:path";

import type { Build } from "../cli/build.ts";

const ROOT = join(import.meta.dir, "..");

/** A system that the program is compiled for. */
export interface Target {
  /** As in `bun build --target`: `bun-linux-x64`. */
  readonly name: string;
  /** Path of the runtime for it. Default: the one that runs this script. */
  readonly runtime?: string;
}

/**
 * Compiles the program. The same sources, runtime and `build` give the same bytes in any directory, if the file has the
 * same name, which is in the bytes.
 */
export async function compile(
  outfile: string,
  build: Build | undefined,
  target?: Target,
): Promise<void> {
  const child = Bun.spawn(
    [
      process.execPath,
      ...["build", "--compile", "--splitting", "--minify-whitespace", "--minify-syntax"],
      ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
      ...["--bytecode", "--format=esm"],
      ...(build === undefined ? [] : [`--define=PETSTORE_BUILD=${JSON.stringify(build)}`]),
      ...(target === undefined ? [] : [`--target=${target.name}`]),
      ...(target?.runtime === undefined ? [] : [`--compile-executable-path=${target.runtime}`]),
      ...["server.ts", "--outfile", outfile],
    ],
    { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] },
  );
  if ((await child.exited) !== 0) throw new Error(`${outfile} was not compiled.`);
}

/** Returns the commit and its time; undefined outside a repository. `-changed` marks files that are not committed. */
export function committed(): Pick<Build, "commit" | "at"> | undefined {
  const git = (...args: readonly string[]): string | undefined => {
    if (Bun.which("git") === null) return undefined;
    const { success, stdout } = Bun.spawnSync(["git", ...args], { cwd: ROOT, stderr: "ignore" });
    return success ? stdout.toString().trim() : undefined;
  };
  const [commit, at] = git("log", "-1", "--format=%H %cI")?.split(" ") ?? [];
  if (commit === undefined || at === undefined) return undefined;
  const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
  return { commit: changed ? `${commit}-changed` : commit, at: new Date(at).toISOString() };
}

if (import.meta.main) {
  const target = `${process.platform}-${process.arch}`;
  // A container image is built without the repository.
  const given = process.env["PETSTORE_COMMIT"];
  const known =
    given === undefined || given === ""
      ? committed()
      : { commit: given, at: process.env["PETSTORE_COMMIT_TIME"] ?? "" };
  await compile("dist/petstore", known && { ...known, target });
}
