import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";

import { common } from "../../../../dashboard/app/words/de/shell.ts";
import { showLanguage } from "../../../../dashboard/app/words/format.ts";
import { DAY_MS, HOUR_MS } from "../../../../lib/base/clock.ts";

const WORDS = join(import.meta.dir, "../../../../dashboard/app/words");

const files = Array.from(new Bun.Glob("*.ts").scanSync(join(WORDS, "en"))).toSorted();

type Leaves = ReadonlyMap<string, unknown>;

/** Every text of a catalogue and everything that makes one, by where it stands. */
async function leavesOf(language: "en" | "de", file: string): Promise<Leaves> {
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

/** What a text says; of what makes one, what it says of sevens. Undefined where that means nothing to it. */
function said(leaf: unknown): string | undefined {
  if (typeof leaf === "string") return leaf;
  if (typeof leaf !== "function") return undefined;
  for (const seven of [7, "7"]) {
    try {
      const text: unknown = leaf(seven, seven, seven, seven);
      if (typeof text === "string") return text;
    } catch {
      // It is made for something else.
    }
  }
  return undefined;
}

/** What the rest of the catalogues is made of, name by name; English needs no words where the service has said it. */
const OPEN: ReadonlySet<string> = new Set(["index.ts", "problems.ts"]);

/** Words that are the same in both languages. */
const SHARED: ReadonlySet<string> = new Set([
  ..."Browser Domain Domains Feeds Import Installation Live Minute Name Operation Person".split(
    " ",
  ),
  ..."OK Server Staging Status System Token Version optional".split(" "),
  // Names: of plans, formats, protocols, languages, animals; what stands in a file.
  ..."Free Pro Business Enterprise Atom Sitemap DNS TTL English Deutsch Rex Luna".split(" "),
  ...["JSON Feed", "Passkey", "Passkeys", "Port 80", "Port 443", "petstore.env"],
  ..."id name category status".split(" "),
]);

afterAll(() => {
  showLanguage("en");
});

test.each(files.filter((file) => !OPEN.has(file)))(
  "both languages have the same places for the same kinds of words, in %s",
  async (file) => {
    const kinds = (leaves: Leaves): readonly string[] =>
      Array.from(leaves, ([path, leaf]) => `${path}: ${typeof leaf}`).toSorted();
    expect(kinds(await leavesOf("de", file))).toEqual(kinds(await leavesOf("en", file)));
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

/** What is called by another word everywhere else, and what nobody says to people one does not know. */
const STRAYS =
  /Schaufenster|Verwaltungs-Token|Kommandozeile|Beispiel-Tierheim|Basis-Domain|\b(?:Deploys?|die DNS|[Dd]u|[Dd]eine?[mnrs]?|[Dd]ich|[Dd]ir)\b/;

test.each(files)(
  "each thing has one name and everybody is called Sie, in the German of %s",
  async (file) => {
    showLanguage("de");
    const strays = Array.from(await leavesOf("de", file), ([, leaf]) => said(leaf)).filter(
      (text) => text !== undefined && STRAYS.test(text),
    );
    expect(strays).toEqual([]);
  },
);

test("German says how long something lasts as its grammar has it", () => {
  showLanguage("de");
  const lasting = [DAY_MS, 30 * DAY_MS, HOUR_MS, 12 * HOUR_MS];
  expect(lasting.map((ms) => common.lifetime.after(ms))).toEqual([
    "In 1 Tag",
    "In 30 Tagen",
    "In 1 Stunde",
    "In 12 Stunden",
  ]);
});
