#!/usr/bin/env bun
import { basename } from "node:path";

import { main } from "./cli/main.ts";
import { processTerminal, typedPath } from "./cli/terminal.ts";
import { shellWord } from "./lib/base/readable.ts";
import manifest from "./package.json";
import { machineClock } from "./server/runtime.ts";

process.exitCode = await main(process.argv.slice(2), {
  terminal: processTerminal(process.env),
  environment: process.env,
  clock: machineClock,
  version: manifest.version,
  program: programName(),
});

/** Returns what a user types to start this program from the current directory. */
function programName(): string {
  const compiled = Bun.main.startsWith("/$bunfs/");
  if (!compiled) return `npx bun ${typedPath(import.meta.path, process.cwd())}`;
  const name = basename(process.execPath);
  return Bun.which(name) === process.execPath
    ? shellWord(name)
    : typedPath(process.execPath, process.cwd());
}
