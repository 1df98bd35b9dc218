import { expect, test } from "bun:test";

import { slugOf } from "../../../../../dashboard/app/pages/projects/slug-of.ts";
import { faultOfSlug } from "../../../../../lib/publishing/model/slug.ts";
import { chance } from "../../../../helpers/chance.ts";

test.each([
  ["Happy Tails", "happy-tails"],
  ["  Happy  Tails! ", "happy-tails"],
  ["Tierheim Köln-Süd", "tierheim-koeln-sued"],
  ["Café São João", "cafe-sao-joao"],
  ["Straße & Łódź", "strasse-lodz"],
  ["Brenda's Cats", "brendas-cats"],
  ["Цапа", ""],
  ["A", ""],
  ["www", ""],
  ["", ""],
])("the address for %p is %p", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("a long name is cut between two words", () => {
  expect(slugOf("The Society for the Protection of very small Animals")).toBe(
    "the-society-for-the-protection-of-very",
  );
  expect(slugOf("x".repeat(60))).toBe("x".repeat(40));
});

test("every project name gives a valid address or none", () => {
  const dice = chance(7);
  const letters = "a B 9 - – _ . ß Ä é ' ’ & / 日 🐈".split(" ").concat(" ");
  for (let round = 0; round < 2_000; round++) {
    const name = Array.from(
      { length: dice.between(0, 90) },
      () => letters[dice.between(0, letters.length - 1)],
    ).join("");
    const slug = slugOf(name);
    if (slug !== "") expect([name, faultOfSlug(slug)]).toEqual([name, undefined]);
  }
});
