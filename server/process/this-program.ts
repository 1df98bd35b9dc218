import { existsSync } from "node:fs";
import { join } from "node:path";

/** The file of this process on Linux, also after an upgrade has replaced or removed it. */
const SELF = "/proc/self/exe";

/** Returns the command that starts this program again: the compiled one, or the runtime with the script. */
export function thisProgram(): readonly string[] {
  const compiled = Bun.main.startsWith("/$bunfs/");
  return compiled
    ? [existsSync(SELF) ? SELF : process.execPath]
    : [process.execPath, join(import.meta.dir, "../../server.ts")];
}
