import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { animalReader } from "../../lib/import/animal.ts";
import { exportHeader, exportRow } from "../../lib/import/export-rows.ts";
import { planImport } from "../../lib/import/plan.ts";
import { openTable } from "../../lib/import/reading/open.ts";
import { exportArchive, type ExportedPet } from "../../lib/import/export-archive.ts";
import { openPhotoArchive } from "../../lib/import/photo-archive.ts";
import { photoFiles, withPhotoFiles } from "../../lib/import/photo-files.ts";
import { delimiters } from "../../lib/import/table.ts";
import type { PhotoShown } from "../../lib/catalogue/profile-schema.ts";
import { storedBytes } from "../helpers/zips.ts";
import { petStatuses } from "../../lib/catalogue/model.ts";
import type { Profile } from "../../lib/catalogue/model-profile.ts";
import { normalText } from "../../lib/model/text.ts";

const categories = ["Dogs", "Cats", "Other; or not", "|"].map((name, index) => ({
  id: index + 1,
  name,
}));

/** Texts with everything that a file of the kind could mistake for its own syntax, and no white space around them. */
const words = fc.constantFrom(
  "Rex",
  "N/A",
  "-",
  "0",
  "1.0",
  "yes",
  "=1+1",
  "<b>bold</b>",
  "&amp;",
  '"',
  ",",
  ";",
  "|",
  "sep=;",
  "sold",
  "Zoë",
  "😺",
  "unknown",
  "01/06/2025",
  "adult",
  "a  b",
  "'",
  "none",
);
const line = fc
  .array(words, { minLength: 1, maxLength: 4 })
  .map((parts) => normalText(parts.join(" ")));
const lines = fc.array(line, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("\n"));
const answer = fc.constantFrom("yes", "no", "unknown");
const birth = fc.constantFrom(
  { date: "2024-05-31", precision: "day" },
  { date: "2024-05-01", precision: "month" },
  { date: "2024-01-01", precision: "year" },
);
const some = <Value extends object>(members: {
  [Name in keyof Value]: fc.Arbitrary<Value[Name]>;
}) => fc.record(members, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);

const profile: fc.Arbitrary<Profile> = fc.record(
  {
    sex: fc.constantFrom("female", "male", "unknown"),
    neutered: fc.boolean(),
    birth,
    breed: some<{ text: string; mixed: boolean }>({ text: line, mixed: fc.boolean() }),
    colour: line,
    size: fc.constantFrom("small", "medium", "large", "extra_large"),
    goodWith: some({ children: answer, dogs: answer, cats: answer }),
    specialNeeds: lines,
    fee: line,
    text: lines,
    staffNotes: lines,
    microchip: fc.constantFrom("977200009000001", "0001"),
    source: line,
    intakeAt: fc.constantFrom(0, 1_790_856_000_123),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Profile>;

const animals = fc.array(
  fc.record({
    name: line,
    categoryId: fc.constantFrom(1, 2, 3, 4),
    status: fc.constantFrom(...petStatuses),
    profile,
  }),
  { minLength: 1, maxLength: 5 },
);

test("an export imported into an empty catalogue gives the same animals", async () => {
  await fc.assert(
    fc.asyncProperty(
      animals,
      fc.constantFrom(...delimiters),
      fc.boolean(),
      async (all, delimiter, keyed) => {
        const rows = all.map(({ profile: described, ...pet }, index) => {
          const full = keyed ? { ...described, externalId: `A ${index}` } : described;
          return { pet: { id: index + 7, ...pet }, profile: full };
        });
        const text =
          exportHeader(delimiter) +
          rows
            .map(({ pet, profile: full }) =>
              exportRow(pet, categories[pet.categoryId - 1]?.name ?? "", full, delimiter),
            )
            .join("");
        const opened = await openTable({
          async *open() {
            await Promise.resolve();
            yield new TextEncoder().encode(text);
          },
        });
        if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
        const today = "2026-11-26";
        const plan = await planImport({ table: opened.value, choices: {}, categories, today });
        expect([plan.mapping.questions, plan.faults, plan.mapping.warnings]).toEqual([[], [], []]);
        const read = animalReader({ mapping: plan.mapping, choices: {}, categories, today });
        const found: unknown[] = [];
        for await (const batch of opened.value.rows()) {
          for (const row of batch) {
            const animal = "cells" in row ? read(row.line, row.cells) : row;
            if (!("animal" in animal)) throw new Error(JSON.stringify(animal));
            const { name, category, status, profile: full } = animal.animal;
            found.push({ name, categoryId: category, status, profile: full });
          }
        }
        expect(found).toEqual(
          rows.map(({ pet: { id: _id, ...pet }, profile: full }) => ({ ...pet, profile: full })),
        );
      },
    ),
  );
});

const alt = fc.option(line, { nil: undefined });
const focus = fc.option(
  fc.record({ x: fc.integer({ min: 0, max: 100 }), y: fc.integer({ min: 0, max: 100 }) }),
  {
    nil: undefined,
  },
);
const photo = fc.record({ alt, focus, content: fc.uint8Array({ maxLength: 200 }) });

test("an export with photos imported into an empty catalogue gives the same animals with the same photos", async () => {
  const pictured = fc.array(
    fc.record({ animal: animals, photos: fc.array(photo, { maxLength: 12 }) }),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(pictured, fc.constantFrom(...delimiters), async (all, delimiter) => {
      const contents = new Map<string, Uint8Array>();
      const exported: ExportedPet[] = all.map(({ animal: [one], photos }, index) => {
        if (one === undefined) throw new Error("There is no animal.");
        const { profile: described, ...pet } = one;
        const shown = photos.map((own, at): PhotoShown => {
          const url = `https://pets.example.org/photos/${index}/${at}`;
          contents.set(url, own.content);
          const size = { width: 9, height: 9, type: "image/webp", url } as const;
          const texts = {
            ...(own.alt !== undefined && { alt: own.alt }),
            ...(own.focus !== undefined && { focus: own.focus }),
          };
          return { id: at + 1, width: 9, height: 9, sizes: [size], ...texts };
        });
        const category = categories[pet.categoryId - 1]?.name ?? "";
        const withPhotos = shown.length === 0 ? described : { ...described, photos: shown };
        return { pet: { id: index + 7, ...pet }, category, profile: withPhotos };
      });
      const parts: Uint8Array[] = [];
      const source = {
        async *animals() {
          yield exported;
        },
        picture: async ({ sizes }: PhotoShown) => contents.get(sizes[0]?.url ?? ""),
      };
      for await (const part of exportArchive(source, { delimiter, at: 0 })) parts.push(part);
      const archive = await openPhotoArchive(storedBytes(Buffer.concat(parts)));
      const opened = await openTable(archive.table());
      if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
      const table = opened.value;
      const files = photoFiles(archive.names);
      const today = "2026-11-26";
      const plan = await planImport({ table, choices: {}, categories, today, files });
      expect([plan.mapping.questions, plan.faults, plan.unused?.count]).toEqual([[], [], 0]);
      const reader = animalReader({ mapping: plan.mapping, choices: {}, categories, today });
      const read = withPhotoFiles(reader, files);
      const found: unknown[] = [];
      for await (const batch of table.rows()) {
        for (const row of batch) {
          const said = "cells" in row ? read(row.line, row.cells) : row;
          if (!("animal" in said)) throw new Error(JSON.stringify(said));
          const { name, category, status, profile: full, photos } = said.animal;
          const pictures = [];
          for (const file of photos) pictures.push(await archive.read(file));
          found.push([name, category, status, full, pictures]);
        }
      }
      expect(found).toEqual(
        exported.map(({ pet, profile: { photos = [], ...fields } }) => [
          pet.name,
          pet.categoryId,
          pet.status,
          fields,
          photos.map(({ alt: text, focus: point, sizes }) => ({
            ok: true,
            value: {
              picture: new Uint8Array(contents.get(sizes[0]?.url ?? "") ?? []),
              ...(text !== undefined && { alt: text }),
              ...(point !== undefined && { focus: point }),
            },
          })),
        ]),
      );
    }),
  );
});
