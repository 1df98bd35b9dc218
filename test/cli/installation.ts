import { Database } from "bun:sqlite";
import { join } from "node:path";

import { runProgram, startProgram, type Finished, type Program } from "../helpers/process.ts";
import { folders } from "../helpers/folders.ts";

/** A data directory, and ways to run commands on it. */
export interface Installation {
  readonly dataDir: string;
  /** Runs a command on it. */
  run(...args: readonly string[]): Promise<Finished>;
  /** Runs a command with `--json`; throws unless it exits with 0. */
  json<Document>(...args: readonly string[]): Promise<Document>;
  /** Runs a command with `input` as its stdin. */
  feed(input: string, ...args: readonly string[]): Promise<Finished>;
  serve(...args: readonly string[]): Promise<Program>;
  path(name: string): string;
}

/** Creates a directory that is removed after the tests of the file. */
export const { folder: scratch } = folders();

/** Default: a new data directory. `env` is the environment of its programs. */
export async function installation(
  dataDir?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const directory = dataDir ?? join(await scratch(), "data");
  const where = ["--data-dir", directory];
  const run = (...args: readonly string[]): Promise<Finished> =>
    runProgram([...args, ...where], { env });
  return {
    dataDir: directory,
    run,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await run(...args, "--json");
      if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
      return JSON.parse(stdout);
    },
    feed: (input, ...args) => runProgram([...args, ...where], { input, env }),
    serve: (...args) => startProgram({ dataDir: directory, args, env }),
    path: (name) => join(directory, name),
  };
}

/** Returns who caused the stored events of a type, oldest first. The service must not be running. */
export function storedActors(dataDir: string, type: string): readonly unknown[] {
  using database = new Database(join(dataDir, "petstore.db"), { readonly: true });
  const rows = database.query<{ actor: string | null }, [string]>(
    "SELECT actor FROM events WHERE type = ? ORDER BY seq",
  );
  return rows.all(type).map(({ actor }) => actor);
}
