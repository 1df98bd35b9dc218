import { afterEach, expect, test } from "bun:test";

import { join } from "node:path";

import { prepared } from "../../../../dashboard/app/words/isolated.ts";
import { startedAs, typed } from "../../../../dashboard/app/words/typed.ts";
import { asTyped, COMMAND_WORDS } from "../../../../lib/base/commands.ts";

const APP = join(import.meta.dir, "../../../../dashboard/app");
const NPM = "npm -s start --";

afterEach(() => startedAs("petstore"));

test("a catalogue's commands are written as they are typed, wherever its sentences have them", () => {
  const catalogue = prepared({
    plain: "Run petstore doctor.",
    list: ["petstore serve"],
    made: (name: string) => `petstore deploy ${name}`,
    deeper: { both: () => ({ message: "None", fix: ["`petstore certs list` shows which."] }) },
  });
  expect(catalogue.plain).toBe("Run petstore doctor.");
  startedAs(NPM);
  const later = prepared({ plain: "Run petstore doctor.", list: ["petstore serve"] });
  expect(later).toEqual({ plain: `Run ${NPM} doctor.`, list: [`${NPM} serve`] });
  expect(catalogue.made("pages")).toBe(`${NPM} deploy pages`);
  expect(catalogue.deeper.both().fix).toEqual([`\`${NPM} certs list\` shows which.`]);
});

/** Facts in which every member is text, a number and a list of such facts. */
const anything: unknown = new Proxy(() => "7", {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) return () => "7";
    if (name === Symbol.iterator) return [][Symbol.iterator].bind(["7"]);
    if (name === "length") return 1;
    return name in Array.prototype || name in String.prototype ? undefined : anything;
  },
});

/** Returns every text that a catalogue can say about sevens. */
function textsOf(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part === "object" && part !== null) return Object.values(part).flatMap(textsOf);
  if (typeof part !== "function") return [];
  for (const fact of [7, "7", anything]) {
    try {
      const said: unknown = part(fact, fact, fact, fact);
      if (typeof said === "string" || typeof said === "object") return textsOf(said);
    } catch {
      // It needs other facts.
    }
  }
  return [];
}

const catalogues = Array.from(new Bun.Glob("words/*/**/*.ts").scanSync(APP)).toSorted();

test("no catalogue leaves a command for another way to start the program", async () => {
  let commands = 0;
  for (const file of catalogues) {
    const catalogue: unknown = { ...(await import(join(APP, file))) };
    const plain = textsOf(catalogue);
    commands += plain.filter((text) => asTyped(text, NPM) !== text).length;
    startedAs(NPM);
    for (const text of textsOf(prepared(catalogue))) expect(text).toBe(asTyped(text, NPM));
    startedAs("petstore");
  }
  expect(commands).toBeGreaterThan(10);
});

/** A command in source text: the program's name in the documentation, and a word. */
const COMMAND = /(typed\(\s*["`])?(?<![\w./-])petstore ([a-z][\w-]*)/g;

test("every command that the dashboard names is one that is replaced", async () => {
  const found: string[] = [];
  const wrong: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(APP)) {
    const source = await Bun.file(join(APP, file)).text();
    for (const [text, isTyped, word = ""] of source.matchAll(COMMAND)) {
      found.push(text);
      // Only catalogues are prepared.
      const replaced = isTyped !== undefined || catalogues.includes(file);
      if (!replaced || !new RegExp(`^(?:${COMMAND_WORDS})$`).test(word))
        wrong.push(`${file}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(found.length).toBeGreaterThan(10);
  expect(typed("petstore setup-link")).toBe("petstore setup-link");
});
