#!/usr/bin/env bun
import { basename } from "node:path";

import { nodeDigest } from "./adapters/node.ts";
import { bunSqliteStore } from "./adapters/sqlite-bun.ts";
import type { Composition } from "./cli/composition.ts";
import { main } from "./cli/main.ts";
import { shellWord } from "./cli/shell.ts";
import { processTerminal } from "./cli/terminal.ts";
import { typedPath } from "./cli/typed-path.ts";
import { createPetstore, schemaVersion, systemClock } from "./lib/index.ts";
import manifest from "./package.json";

/** SQLite in one file; Production and Staging over the same store. */
const composition: Composition = {
  schemaVersion,
  openStore: (path) => bunSqliteStore({ path }),
  openMemory: () => bunSqliteStore({ path: ":memory:" }),
  createPetstores: (parts) => ({
    production: createPetstore({ ...parts, digest: nodeDigest, environment: "production" }),
    staging: createPetstore({ ...parts, digest: nodeDigest, environment: "staging" }),
  }),
};

process.exitCode = await main(process.argv.slice(2), {
  terminal: processTerminal(process.env),
  environment: process.env,
  clock: systemClock,
  version: manifest.version,
  program: programName(),
  composition,
});

/** What a person types to get here, from the directory where they are. */
function programName(): string {
  const compiled = Bun.main.startsWith("/$bunfs/");
  if (!compiled) return `npx bun ${typedPath(import.meta.path, process.cwd())}`;
  const name = basename(process.execPath);
  return Bun.which(name) === process.execPath
    ? shellWord(name)
    : typedPath(process.execPath, process.cwd());
}
