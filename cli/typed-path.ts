import { relative } from "node:path";

import { shellWord } from "./shell.ts";

/** Returns how a shell in the directory `from` calls the file `path`, the shorter way; never by a bare name, which it would look up. */
export function typedPath(path: string, from: string): string {
  const way = relative(from, path);
  const near = way.includes("/") ? way : `./${way}`;
  return shellWord(near.length <= path.length ? near : path);
}
