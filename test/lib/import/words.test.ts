import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  bornAt,
  dateIn,
  joinedEvidence,
  noEvidence,
  provenOrder,
  withEvidence,
} from "../../../lib/import/dates.ts";
import { looksLikeHtml, plainText } from "../../../lib/import/plain-text.ts";
import { categoryFinder } from "../../../lib/import/species.ts";
import {
  answerMeant,
  isStageOfLife,
  saysNothing,
  sexMeant,
  sizeMeant,
  statusMeant,
  valueForm,
} from "../../../lib/import/words.ts";
import { runSeed } from "../../helpers/chance.ts";
import { categories } from "./tables.ts";

test.each([
  [
    "available",
    [
      "Available",
      "ADOPTABLE",
      "A",
      " Available for Adoption ",
      "Available In Foster",
      "verfügbar",
      "Available\u00A0",
      "available",
    ],
  ],
  [
    "pending",
    [
      "Pending",
      "Pending Adoption",
      "On Hold",
      "hold",
      "H",
      "Reserved",
      "reserviert",
      "on-hold",
      "Vorgemerkt",
    ],
  ],
  ["sold", ["Sold", "Adopted", "vermittelt", "Adoption", "adoption finalized"]],
  [undefined, ["Quarantine", "Transfer", "", "Euthanasia", "availble"]],
] as const)("each word for %p means it, whatever its case and white space", (status, words) => {
  for (const word of words) expect([word, statusMeant(word)]).toEqual([word, status]);
});

test("words for sex, size and answers are read in both languages, and others are unknown", () => {
  expect(["M", "männlich", "Rüde", "Neutered Male", "Spayed", "W", "zz"].map(sexMeant)).toEqual([
    { sex: "male" },
    { sex: "male" },
    { sex: "male" },
    { sex: "male", neutered: true },
    { sex: "female", neutered: true },
    { sex: "female" },
    undefined,
  ]);
  expect(["L", "X-Large", "extra_large", "mittelgroß", "35 lbs"].map(sizeMeant)).toEqual([
    "large",
    "extra large",
    "extra large",
    "medium",
    undefined,
  ]);
  expect(["Y", "ja", "0", "Nein", "unbekannt", "✓", "maybe"].map(answerMeant)).toEqual([
    "yes",
    "yes",
    "no",
    "no",
    "unknown",
    "yes",
    undefined,
  ]);
  expect(["", "-", "N/A", "k.A.", "Rex"].map(saysNothing)).toEqual([true, true, true, true, false]);
});

test.each([
  ["DOG", "Dogs"],
  ["Katzen", "Cats"],
  ["kitten", "Cats"],
  ["Hund", "Dogs"],
  ["Chiens", "Dogs"],
  ["dogs\u00A0", "Dogs"],
  ["Sonstige", "Other"],
  ["Rabbit", undefined],
])("%p means the category %p", (word, name) => {
  expect(categoryFinder(categories).find(word)?.name).toBe(name);
});

test("a category with the exact name wins, and of two for a species none is chosen", () => {
  const two = ["Puppies", "Dogs", "Alpacas"].map((name, index) => ({ id: index + 1, name }));
  const { find } = categoryFinder(two);
  expect(["puppies", "DOGS", "Hund", "alpaca"].map((word) => find(word)?.id)).toEqual([
    1,
    2,
    undefined,
    3,
  ]);
});

test.each([
  [
    "in its language",
    ["Dogs", "Cats", "Other"],
    ["Rabbits", "Kaninchen", "Farm Animals", "Vögel", "Red panda"],
  ],
  [
    "in that of German categories",
    ["Hunde", "Katzen", "Hamster", "Andere"],
    ["Kaninchen", "Kaninchen", "Hoftiere", "Vögel", "Red panda"],
  ],
  [
    "in that of French ones, if it is known",
    ["Chiens"],
    ["Lapins", "Lapins", "Farm Animals", "Oiseaux", "Red panda"],
  ],
  [
    "in its own if they have several",
    ["Hunde", "Cats"],
    ["Rabbits", "Kaninchen", "Farm Animals", "Vögel", "Red panda"],
  ],
])("a new category has the plural of a known species, %s", (_, names, expected) => {
  const { newName } = categoryFinder(names.map((name, index) => ({ id: index + 1, name })));
  const words = ["Rabbit", "Kaninchen", "  Farm Animal", "vogel", "Red  panda\u200B"];
  expect(words.map(newName)).toEqual(expected);
});

test.each([
  ["2024-05-01", "2024-05-01", "day"],
  ["2024-05-01T10:00:00Z", "2024-05-01", "day"],
  ["10/13/2026 9:41 AM", "2026-10-13", "day"],
  ["13.10.26", "2026-10-13", "day"],
  ["20240229", "2024-02-29", "day"],
  ["1. Mai 2024", "2024-05-01", "day"],
  ["May 1st, 2024", "2024-05-01", "day"],
  ["März 2024", "2024-03-01", "month"],
  ["5/2024", "2024-05-01", "month"],
  ["2024", "2024-01-01", "year"],
  // Two meanings: only what both agree on.
  ["01/06/2025", "2025-01-01", "year"],
  ["06.06.2025", "2025-06-06", "day"],
])("%p is the date %p, known to the %p", (text, date, precision) => {
  expect(dateIn(text, undefined)).toEqual({ date, precision } as never);
});

test.each(["31.02.2024", "2023-02-29", "yesterday", "", "13/13/2024", "9".repeat(1_000)])(
  "%p is no date",
  (text) => {
    expect(dateIn(text, undefined)).toBeUndefined();
  },
);

test("the dates of a column prove their order, and a column without proof follows the others", () => {
  const over = (values: readonly string[]) => values.reduce(withEvidence, noEvidence);
  expect(provenOrder(over(["01/06/2025", "13/06/2025"]))).toBe("day");
  expect(provenOrder(over(["01/06/2025", "06/13/2025"]))).toBe("month");
  expect(provenOrder(over(["01/06/2025", "2025-01-31"]))).toBeUndefined();
  expect(provenOrder(over(["13/06/2025", "06/13/2025"]))).toBeUndefined();
  expect(provenOrder(joinedEvidence([over(["01/06/2025"]), over(["31/12/2025"])]))).toBe("day");
  expect(dateIn("01/06/2025", "day")?.date).toBe("2025-06-01");
  expect(dateIn("01/06/2025", "month")?.date).toBe("2025-01-06");
});

test.each([
  ["2", "2024-01-01", "year"],
  ["3 Jahre alt", "2023-01-01", "year"],
  ["2Y/3M/1W", "2024-08-01", "month"],
  ["8 Monate", "2026-03-01", "month"],
  ["6 weeks", "2026-10-01", "month"],
])("an animal of age %p was born %p, known to the %p", (age, date, precision) => {
  expect(bornAt(age, "2026-11-26")).toEqual({ date, precision } as never);
});

test("words for a stage of life and weights are no ages", () => {
  expect(["Adult", "Welpe", "Senior"].map(isStageOfLife)).toEqual([true, true, true]);
  expect(
    ["Adult", "35 lbs", "999 years", "2 of 3"].map((age) => bornAt(age, "2026-11-26")),
  ).toEqual(Array.from({ length: 4 }, () => undefined));
});

test("HTML becomes plain text, and text that is none stays", () => {
  const html =
    "<p>Gustav &amp; <b>Tiny</b> need a&nbsp;home!<br>Really.</p><script>alert(1)</script><ul><li>shy</li></ul>";
  expect(plainText(html)).toBe("Gustav & Tiny need a home!\nReally.\n\n- shy");
  expect(plainText("Gentle&#10;giant &lt;3 &unknown; &#0;")).toBe("Gentle\ngiant <3 &unknown;");
  expect(
    ["a < b and c > d", "<3", "Tom & Jerry", "x<br/>y", "a&nbsp;b"].map(looksLikeHtml),
  ).toEqual([false, false, false, true, true]);
});

test("a plain word has the same form as one that needs work", () => {
  const word = fc.string({
    unit: fc.constantFrom(...Array.from("aZ9 é-_.ß\u0301\u00a0")),
    maxLength: 220,
  });
  fc.assert(
    // An invisible character changes no form, unless the word is cut.
    fc.property(
      word,
      (value) => value.length >= 200 || valueForm(value) === valueForm(`\u200B${value}`),
    ),
    { seed: runSeed, numRuns: 1_000 },
  );
});

test("a long text says something, whatever surrounds it", () => {
  for (const text of ["none of the other dogs", "n/a -------------------", "-".repeat(300)]) {
    expect(saysNothing(text)).toBe(!text.includes("dogs"));
  }
});
