import { expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Profile } from "../../lib/catalogue/model-profile.ts";
import { normalPet } from "../../lib/catalogue/pets.ts";
import { changedProfile } from "../../lib/catalogue/profile-input.ts";
import { exportHeader, exportRow, fullExportColumns } from "../../lib/import/export-rows.ts";
import { planImport, type ImportPlan } from "../../lib/import/plan.ts";
import { openTable } from "../../lib/import/reading/open.ts";
import { runSeed } from "../helpers/chance.ts";
import { categories, planned } from "../lib/import/tables.ts";

const lineFields = ["colour", "fee", "microchip", "externalId", "source"] as const;
const linesFields = ["specialNeeds", "text", "staffNotes"] as const;
const fields = ["name", "breed", ...lineFields, ...linesFields] as const;
type Texts = Readonly<Record<(typeof fields)[number], string>>;

const core = fc
  .array(fc.constantFrom("Rex", "Zoe\u0308", "a\u200Bb", "x\u0344", "&lt;", "5", "ﬁ"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => `A${parts.join("")}z`);
const invisible = ["", " ", "\t", "\u00A0", "\uFEFF", "\u200B", "\u2060", "\u2000"] as const;
const breaks = ["\n", "\r\n", "\r"] as const;
const markup = [
  "<br>",
  "<p>",
  "</p>",
  "&#8203;",
  "<br>&#x2060;",
  "&nbsp;",
  "&#13;",
  "</p>&#xFEFF;",
] as const;
const among = (parts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((some) => some.join(""));
const around = (parts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(among(parts), core, among(parts)).map((all) => all.join(""));
/** A text for each field, with these parts at its ends. */
const textsWith = (parts: readonly string[]): fc.Arbitrary<Texts> =>
  fc.record(
    Object.fromEntries(fields.map((field) => [field, around(parts)])),
  ) as fc.Arbitrary<Texts>;

/** Returns what the API stores. */
function stored({ name, breed, ...texts }: Texts): Texts {
  const profile = changedProfile({}, { ...texts, breed: { text: breed } });
  return textsOf(normalPet({ name, categoryId: 1 }).name, profile);
}

function textsOf(name: string, profile: Profile): Texts {
  const texts = { ...profile, name, breed: profile.breed?.text };
  return Object.fromEntries(fields.map((field) => [field, texts[field] ?? ""])) as Texts;
}

/** Returns what the only row of an import has. */
function imported({ faults, first: [animal] }: ImportPlan): Texts {
  expect(faults).toEqual([]);
  return textsOf(animal?.name ?? "", animal?.profile ?? {});
}

async function importedFrom(columns: readonly string[], texts: Texts): Promise<Texts> {
  const all: Readonly<Record<string, string>> = { ...texts, category: "Dogs", status: "available" };
  return imported(await planned(columns, [columns.map((column) => all[column] ?? "")]));
}

/** Exports an animal, and imports the file. */
async function exportedAndImported({ name, breed, ...texts }: Texts): Promise<Texts> {
  const pet = { id: 7, name, categoryId: 1, status: "available" } as const;
  const file =
    exportHeader(",") + exportRow(pet, "Dogs", { ...texts, breed: { text: breed } }, ",");
  const opened = await openTable({
    async *open() {
      await Promise.resolve();
      yield new TextEncoder().encode(file);
    },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const today = "2026-11-26";
  return imported(await planImport({ table: opened.value, choices: {}, categories, today }));
}

test("every text of an export is imported as the API stores it", async () => {
  await fc.assert(
    fc.asyncProperty(textsWith(invisible), async (texts) => {
      expect(await importedFrom(fullExportColumns, texts)).toEqual(stored(texts));
    }),
    { seed: runSeed },
  );
  const several = fc.record({ text: around([...invisible, ...breaks]), texts: textsWith([""]) });
  await fc.assert(
    fc.asyncProperty(several, async ({ text, texts }) => {
      const all = { ...texts, specialNeeds: text, text, staffNotes: text };
      expect(await importedFrom(fullExportColumns, all)).toEqual(stored(all));
    }),
    { seed: runSeed },
  );
});

test("every text of another file is imported as the API stores it, also where HTML ends in what does not show", async () => {
  const columns = [...fields, "category", "status"];
  const parts = [...invisible, ...breaks, ...markup];
  await fc.assert(
    fc.asyncProperty(textsWith(parts), async (texts) => {
      const found = await importedFrom(columns, texts);
      expect(found).toEqual(stored(found));
      for (const field of [...lineFields, ...linesFields]) expect(found[field]).toMatch(/^A.*z$/u);
    }),
    { seed: runSeed },
  );
  await fc.assert(
    fc.asyncProperty(textsWith([...invisible, ...breaks]), async (texts) => {
      const plain = Object.fromEntries(
        fields.map((field) => [field, texts[field].replaceAll("&lt;", "")]),
      ) as Texts;
      expect(await importedFrom(columns, plain)).toEqual(stored(plain));
    }),
    { seed: runSeed },
  );
});

test("an import, its export and the import of that give the same texts", async () => {
  const columns = [...fields, "category", "status"];
  await fc.assert(
    fc.asyncProperty(textsWith([...invisible, ...breaks, ...markup]), async (texts) => {
      const found = await importedFrom(columns, texts);
      expect(await exportedAndImported(found)).toEqual(found);
    }),
    { seed: runSeed },
  );
});
