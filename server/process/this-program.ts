import { join } from "node:path";

/** Returns the command that starts this program again: the compiled one, or the runtime with the script. */
export function thisProgram(): readonly string[] {
  const compiled = Bun.main.startsWith("/$bunfs/");
  return compiled
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, "../../server.ts")];
}
