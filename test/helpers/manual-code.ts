import { join } from "node:path";

import { publicEntries } from "./entries.ts";

const ROOT = join(import.meta.dir, "../..");

/** Returns the code blocks of a language in a page of `docs/`, in order. */
export async function codeIn(page: string, language: string): Promise<readonly string[]> {
  const text = await Bun.file(join(ROOT, "docs", page)).text();
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return Array.from(blocks, ([, code = ""]) => code);
}

/** Makes code that imports the package import the sources of its entry points. */
export function fromSource(code: string): string {
  const entries = new Map(publicEntries().map(({ name, source }) => [name, join(ROOT, source)]));
  return code.replaceAll(/(?<=from ")petstore[^"]*(?=")/g, (name) => entries.get(name) ?? name);
}
