import { relative } from "node:path";

import { shellWord } from "./shell.ts";

/** How a shell in the directory `from` is told to use the file `path`: never by a bare name, which it would look up. */
export function typedPath(path: string, from: string): string {
  const way = relative(from, path);
  return shellWord(way.includes("/") ? way : `./${way}`);
}
