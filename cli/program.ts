import { basename, dirname, join } from "node:path";

import { shellWord } from "../lib/base/readable.ts";
import { asTyped } from "../lib/base/commands.ts";
import { typedPath } from "./terminal.ts";

/** How this process was started. */
export interface Start {
  /** The path of the executable: the compiled program, or the runtime. */
  readonly executable: string;
  /** The path of the script that the runtime runs; undefined in the compiled program. */
  readonly script: string | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the path of the program that a shell finds under a name. */
  readonly which: (name: string) => string | null;
}

/** Returns what a user types to start the program again, in the way in which it was started. */
export function programTyped(start: Start): string {
  return spelled(start, typedPath);
}

/** Returns `programTyped` for visitors: a path that leaves the working directory is only its last name. */
export function programShown(start: Start): string {
  return spelled(start, (path, from) => {
    const inside = from !== "/" && path.startsWith(`${from}/`);
    return inside ? typedPath(path, from) : shellWord(basename(path, ".exe"));
  });
}

function spelled(start: Start, written: typeof typedPath): string {
  const { executable, script, directory, environment, which } = start;
  if (script === undefined) {
    const name = basename(executable);
    return which(name) === executable ? shellWord(name) : written(executable, directory);
  }
  const root = dirname(script);
  const ofPackage = environment["npm_package_json"] === join(root, "package.json");
  if (ofPackage && environment["npm_lifecycle_event"] === "start") return "npm -s start --";
  const bun = which("bun");
  const path = written(script, directory);
  // npx puts the package's own runtime into the path.
  if (bun !== null && !bun.includes("/node_modules/")) return `bun ${path}`;
  const inside = directory === root || directory.startsWith(`${root}/`);
  // Elsewhere, npx would offer to install another one.
  return inside ? `npx bun ${path}` : `${written(executable, directory)} ${path}`;
}

/** `asTyped` for a help text, whose examples include the program's name alone. */
export function helpAsTyped(text: string, program: string): string {
  const alone = program.replace(/ --$/, "");
  return asTyped(text, program).replaceAll(/^ {2}petstore$/gm, () => `  ${alone}`);
}
