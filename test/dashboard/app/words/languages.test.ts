import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";

import { common } from "../../../../dashboard/app/words/de/shell.ts";
import { shell } from "../../../../dashboard/app/words/en/shell.ts";
import { showLanguage } from "../../../../dashboard/app/words/format.ts";
import { DAY_MS, HOUR_MS } from "../../../../lib/base/clock.ts";

const WORDS = join(import.meta.dir, "../../../../dashboard/app/words");

const files = Array.from(new Bun.Glob("*.ts").scanSync(join(WORDS, "en"))).toSorted();

/** Every language that is compared with English. */
const translations = Array.from(new Bun.Glob("*/index.ts").scanSync(WORDS), (path) =>
  path.slice(0, path.indexOf("/")),
).filter((language) => language !== "en");

/** Every file of every translation. */
const translated = translations.flatMap((language) => files.map((file) => ({ language, file })));

type Leaves = ReadonlyMap<string, unknown>;

/** Returns every text and text function of a catalogue by its path. */
async function leavesOf(language: string, file: string): Promise<Leaves> {
  const found = new Map<string, unknown>();
  const collect = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) {
      found.set(path, value);
      return;
    }
    for (const [name, member] of Object.entries(value)) collect(member, `${path}.${name}`);
  };
  collect({ ...(await import(join(WORDS, language, file))) }, "");
  return found;
}

/** Returns a text, or a text function's result for sevens; undefined if it does not accept them. */
function said(leaf: unknown): string | undefined {
  if (typeof leaf === "string") return leaf;
  if (typeof leaf !== "function") return undefined;
  for (const seven of [7, "7"]) {
    try {
      const text: unknown = leaf(seven, seven, seven, seven);
      if (typeof text === "string") return text;
    } catch {
      // Takes other arguments.
    }
  }
  return undefined;
}

/** Catalogues whose languages differ: an index, and texts that English takes from the service. */
const OPEN: ReadonlySet<string> = new Set(["index.ts", "problems.ts"]);

/** Words that are the same in both languages. */
const SHARED: ReadonlySet<string> = new Set([
  ..."Backups Browser Domain Domains Feeds Import Installation Links Live Logo Minute Name Operation Person".split(
    " ",
  ),
  ..."OK Server Staging Status System Token Version Webhooks optional".split(" "),
  ...Object.values(shell.languages),
  // Names of plans, formats, protocols, programs and animals, units, and contents of files.
  ..."Free Pro Business Enterprise Atom RSS Sitemap DNS TTL PostgreSQL Redis Rex Luna".split(" "),
  ...["JSON Feed", "Passkey", "Passkeys", "Port 80", "Port 443", "7 ms", "petstore.env"],
  ..."id name category status".split(" "),
]);

afterAll(() => {
  showLanguage("en");
});

test.each(translated.filter(({ file }) => !OPEN.has(file)))(
  "a translation has the same members as English in $language/$file",
  async ({ language, file }) => {
    const kinds = (leaves: Leaves): readonly string[] =>
      Array.from(leaves, ([path, leaf]) => `${path}: ${typeof leaf}`).toSorted();
    expect(kinds(await leavesOf(language, file))).toEqual(kinds(await leavesOf("en", file)));
  },
);

test.each(files)("no English is left in the German of %s", async (file) => {
  showLanguage("en");
  const english = new Map(
    Array.from(await leavesOf("en", file), ([path, leaf]) => [path, said(leaf)]),
  );
  showLanguage("de");
  const left: string[] = [];
  for (const [path, leaf] of await leavesOf("de", file)) {
    const text = said(leaf);
    const same = text !== undefined && text === english.get(path);
    if (same && /\p{L}{2}/u.test(text) && !SHARED.has(text)) left.push(`${path}: ${text}`);
  }
  expect(left).toEqual([]);
});

/** Words that German calls otherwise everywhere else, and the informal address. */
const STRAYS =
  /Schaufenster|Verwaltungs-Token|Kommandozeile|Beispiel-Tierheim|Basis-Domain|\b(?:Deploys?|die DNS|[Dd]u|[Dd]eine?[mnrs]?|[Dd]ich|(?<!-)[Dd]ir)\b/;

test.each(files)(
  "the German of %s uses one term for each thing, and the formal address",
  async (file) => {
    showLanguage("de");
    const strays = Array.from(await leavesOf("de", file), ([, leaf]) => said(leaf)).filter(
      (text) => text !== undefined && STRAYS.test(text),
    );
    expect(strays).toEqual([]);
  },
);

test("German durations are in the dative", () => {
  showLanguage("de");
  const lasting = [DAY_MS, 30 * DAY_MS, HOUR_MS, 12 * HOUR_MS];
  expect(lasting.map((ms) => common.lifetime.after(ms))).toEqual([
    "In 1 Tag",
    "In 30 Tagen",
    "In 1 Stunde",
    "In 12 Stunden",
  ]);
});
