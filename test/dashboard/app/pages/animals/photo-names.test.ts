import { expect, test } from "bun:test";

import { ownerOf, readName } from "../../../../../dashboard/app/pages/animals/photo-names.ts";
import type { Pet } from "../../../../../lib/catalogue/model.ts";
import { newPet } from "../../../../../testing/shelter.ts";

const names = ["Rex", "Bo 10", "Müsli", "Luna", "LUNA", "8", "Rex the second", "Bo"];
const pets = names.map((name, index): Pet => ({ id: index + 1, ...newPet({ name }) }));

test.each([
  ["Rex.jpg", 1],
  ["rex 2.JPG", 1],
  ["Rex_02.png", 1],
  ["Rex (3).webp", 1],
  ["REX-12.jpg", 1],
  ["Rex_the_second.jpg", 7],
  ["Bo 10.jpg", 2],
  ["Bo 11.jpg", 8],
  ["Mu\u0308sli.jpg", 3],
  ["musli.jpg", 3],
  ["luna.jpg", "several"],
  ["4.jpg", 4],
  ["4-2.jpg", 4],
  ["5 (1).jpg", 5],
  // An animal of this name wins over the one with the number.
  ["8.jpg", 6],
  ["IMG_0001.jpg", "none"],
  ["99.jpg", "none"],
  [".jpg", "none"],
  ["(1).jpg", "none"],
] as const)("%s belongs to %p", (file, expected) => {
  const owner = ownerOf(readName(file), pets);
  expect(typeof owner === "object" ? owner.id : owner).toBe(expected);
});
