import { expect, test } from "bun:test";

import { join } from "node:path";

import manifest from "../package.json";

const ROOT = join(import.meta.dir, "..");
const GOLDEN = join(import.meta.dir, "surface.golden.txt");

test("the public names are those of test/surface.golden.txt", async () => {
  const surface = await publicSurface(manifest.exports);
  if (process.env["PETSTORE_SURFACE"] === "update") await Bun.write(GOLDEN, surface);
  const golden = await Bun.file(GOLDEN).text();
  // A name that goes or changes breaks somebody's build; one that comes has to stay.
  expect(surface, "if this is meant, run `npm run surface:update`").toBe(golden);
});

/** Every entry of `exports` that is code, with the names it exports below it, sorted. */
async function publicSurface(entries: Readonly<Record<string, unknown>>): Promise<string> {
  const parts: string[] = [];
  for (const [subpath, target] of Object.entries(entries)) {
    const built = builtFile(target);
    if (!built.endsWith(".js")) continue;
    const source = built.replace("./dist/", "").replace(/\.js$/, ".ts");
    const names = exportedNames(await Bun.file(join(ROOT, source)).text());
    parts.push([join("petstore", subpath), ...names.map((name) => `  ${name}`), ""].join("\n"));
  }
  return parts.join("\n");
}

function builtFile(target: unknown): string {
  if (typeof target === "string") return target;
  const file: unknown = Object.values(target ?? {}).at(-1);
  return typeof file === "string" ? file : builtFile(file);
}

/** By the text: types have no other trace, and an index writes every name out. */
function exportedNames(source: string): readonly string[] {
  expect(source).not.toMatch(/^export \*/m);
  const names: string[] = [];
  for (const [, kind, list = ""] of source.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const item of list.split(",")) {
      const [, type, name] = /^\s*(type )?(?:\w+ as )?(\w+)/.exec(item) ?? [];
      if (name !== undefined) names.push(kind || type ? `type ${name}` : name);
    }
  }
  const declarations =
    /^export (?:declare )?(?:async )?(function\*?|const|class|interface|type) (\w+)/gm;
  for (const [, kind, name = ""] of source.matchAll(declarations)) {
    names.push(kind === "interface" || kind === "type" ? `type ${name}` : name);
  }
  return names.toSorted();
}
