import { basename, dirname, join } from "node:path";

import { shellWord } from "../lib/base/readable.ts";
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
  const { executable, script, directory, environment, which } = start;
  if (script === undefined) {
    const name = basename(executable);
    return which(name) === executable ? shellWord(name) : typedPath(executable, directory);
  }
  const root = dirname(script);
  const ofPackage = environment["npm_package_json"] === join(root, "package.json");
  if (ofPackage && environment["npm_lifecycle_event"] === "start") return "npm -s start --";
  const bun = which("bun");
  const path = typedPath(script, directory);
  // npx puts the package's own runtime into the path.
  if (bun !== null && !bun.includes("/node_modules/")) return `bun ${path}`;
  const inside = directory === root || directory.startsWith(`${root}/`);
  // Elsewhere, npx would offer to install another one.
  return inside ? `npx bun ${path}` : `${typedPath(executable, directory)} ${path}`;
}

/** The first words of all commands. */
export const COMMAND_WORDS: readonly string[] = [
  "accounts",
  "backup",
  "certs",
  "config",
  "deploy",
  "deploys",
  "doctor",
  "domains",
  "export",
  "healthcheck",
  "import",
  "keys",
  "members",
  "migrate",
  "nodes",
  "openapi",
  "pets",
  "projects",
  "restore",
  "rollback",
  "serve",
  "setup-link",
  "tokens",
  "usage",
  "version",
];

const COMMAND = new RegExp(
  `(?<![\\w./-])petstore (?=(?:${COMMAND_WORDS.join("|")})(?![\\w-])|\\[?COMMAND\\b|--help|--version)`,
  "g",
);

/** Replaces the name of the program, in the commands of a text for people, by what the user types. */
export function asTyped(text: string, program: string): string {
  if (program === "petstore") return text;
  const alone = program.replace(/ --$/, "");
  return text.replaceAll(COMMAND, `${program} `).replaceAll(/^ {2}petstore$/gm, `  ${alone}`);
}
