import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Every `*.test.ts` below `folder`, except in nested projects with installed packages. */
export async function testFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map(async (entry): Promise<readonly string[]> => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith(".test.ts") ? [path] : [];
    const foreign = entry.name === "node_modules" || entry.name === "project";
    return entry.isDirectory() && !foreign ? testFiles(path) : [];
  });
  return (await Promise.all(nested)).flat();
}
