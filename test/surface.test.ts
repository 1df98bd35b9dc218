import { expect, test } from "bun:test";

import { dirname, join } from "node:path";

import { undocumentedErrors, undocumentedMembers } from "./helpers/documented.ts";
import { publicEntries } from "./helpers/entries.ts";

const ROOT = join(import.meta.dir, "..");
const GOLDEN = join(import.meta.dir, "surface.golden.txt");

test("the public names equal test/surface.golden.txt", async () => {
  const surface = await publicSurface();
  if (process.env["UPDATE_SURFACE"] === "1") await Bun.write(GOLDEN, surface);
  const golden = await Bun.file(GOLDEN).text();
  // A removed or changed name breaks users' builds, and an added one must stay.
  expect(surface, "if this is meant, run `npm run surface:update`").toBe(golden);
});

test("every public name has a doc comment", async () => {
  const undocumented: string[] = [];
  for (const { name, source } of publicEntries()) {
    for (const exported of exportedNames(await Bun.file(join(ROOT, source)).text())) {
      const before = await textBefore(source, exported.replace("type ", ""));
      if (before?.trimEnd().endsWith("*/") !== true) undocumented.push(`${name}: ${exported}`);
    }
  }
  expect(undocumented).toEqual([]);
});

test("comments of exported types leave no unit and no default to guess", () => {
  expect(undocumentedMembers()).toEqual([]);
});

test("comments of functions that check their options say what happens to invalid ones", () => {
  expect(undocumentedErrors()).toEqual([]);
});

/** Returns what precedes the declaration of an exported name, which may be in another file; undefined without one. */
async function textBefore(source: string, name: string): Promise<string | undefined> {
  const text = await Bun.file(join(ROOT, source)).text();
  const declaration = new RegExp(
    `^(?:export )?(?:declare )?(?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`,
    "m",
  ).exec(text);
  if (declaration !== null) return text.slice(0, declaration.index);
  const lists = /^(?:export|import) (?:type )?\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm;
  for (const [, list = "", from = ""] of text.matchAll(lists)) {
    for (const item of list.split(",")) {
      const [, original, alias = original] = /^\s*(?:type )?(\w+)(?: as (\w+))?/.exec(item) ?? [];
      if (original === undefined || alias !== name) continue;
      return textBefore(join(dirname(source), from), original);
    }
  }
  return undefined;
}

/** Every public entry with its sorted exports. */
async function publicSurface(): Promise<string> {
  const parts: string[] = [];
  for (const { name, source } of publicEntries()) {
    const names = exportedNames(await Bun.file(join(ROOT, source)).text());
    parts.push(`${[name, ...names.map((one) => `  ${one}`)].join("\n")}\n`);
  }
  return parts.join("\n");
}

/** Parsed from the text, because types leave no other trace and an index names every export. */
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
