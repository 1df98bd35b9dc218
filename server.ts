#!/usr/bin/env bun
import { main } from "./cli/main.ts";
import { programShown, programTyped, type Start } from "./cli/program.ts";
import { processTerminal } from "./cli/terminal.ts";
import manifest from "./package.json";
import { machineClock } from "./server/process/runtime.ts";

const start: Start = {
  executable: process.execPath,
  script: Bun.main.startsWith("/$bunfs/") ? undefined : import.meta.path,
  directory: process.cwd(),
  environment: process.env,
  which: (name) => Bun.which(name),
};

process.exitCode = await main(process.argv.slice(2), {
  terminal: processTerminal(process.env),
  environment: process.env,
  clock: machineClock,
  version: manifest.version,
  program: programTyped(start),
  programShown: programShown(start),
});
