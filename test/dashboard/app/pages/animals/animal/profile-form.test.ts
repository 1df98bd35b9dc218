import { expect, test } from "bun:test";

import {
  ageOf,
  changedFields,
  inPrecision,
  petChangesOf,
  profileChangesOf,
  savedText,
  type Saved,
} from "../../../../../../dashboard/app/pages/animals/animal/profile-form.ts";
import { profileLeafNames, type Profile } from "../../../../../../lib/catalogue/model-profile.ts";
import { newPet } from "../../../../../../testing/shelter.ts";

const full: Profile = {
  sex: "female",
  neutered: false,
  birth: { date: "2024-03-01", precision: "month" },
  breed: { text: "Border Collie", mixed: true },
  colour: "black",
  size: "medium",
  goodWith: { children: "yes", dogs: "unknown", cats: "no" },
  specialNeeds: "Eye drops",
  fee: "€ 250",
  text: "Loves *walks*.",
  staffNotes: "Shy",
  microchip: "276098106123456",
  externalId: "A1",
  source: "asm3",
  intakeAt: Date.UTC(2026, 10, 20, 9, 30),
};
const saved = (profile: Profile = {}): Saved => ({
  pet: { id: 1, ...newPet({ name: "Rex", categoryId: 1 }) },
  profile,
});

test("every leaf of a profile has a text, and unchanged texts change nothing", () => {
  const texts = Object.fromEntries(
    profileLeafNames.map((leaf) => [leaf, savedText(saved(full), leaf)]),
  );
  expect(Object.values(texts).filter((text) => text === "")).toEqual([]);
  expect(texts).toMatchObject({
    "birth.date": "2024-03",
    neutered: "false",
    intakeAt: "2026-11-20",
  });
  expect(changedFields(saved(full), { ...texts, name: "Rex", categoryId: "1" })).toEqual([]);
  expect(profileChangesOf(saved(full), texts)).toBeUndefined();
  expect(petChangesOf(saved(full), texts)).toBeUndefined();
});

test("only what the user changed is sent, and an emptied field is removed", () => {
  const edits = {
    sex: "male",
    neutered: "true",
    "breed.mixed": "",
    "goodWith.cats": "yes",
    colour: "\u200B ",
    fee: "€ 250",
    name: "Bello",
  } as const;
  expect(profileChangesOf(saved(full), edits)).toEqual({
    sex: "male",
    neutered: true,
    breed: { mixed: null },
    goodWith: { cats: "yes" },
    colour: null,
  });
  expect(petChangesOf(saved(full), edits)).toEqual({ name: "Bello" });
});

test("a birth is sent whole, in the precision that is known", () => {
  const birth = (edits: object, profile: Profile = {}) =>
    profileChangesOf(saved(profile), edits)?.birth;
  expect(birth({ "birth.date": "2024", "birth.precision": "year" })).toEqual({
    date: "2024-01-01",
    precision: "year",
  });
  expect(birth({ "birth.date": "2024-03-17" })).toEqual({ date: "2024-03-17", precision: "day" });
  expect(birth({ "birth.precision": "year" }, full)).toEqual({
    date: "2024-03-01",
    precision: "year",
  });
  expect(birth({ "birth.date": "" }, full)).toBeNull();
  expect(profileChangesOf(saved(), { "birth.precision": "year" })).toBeUndefined();
  expect(inPrecision("2024", "day")).toBe("2024-01-01");
  expect(inPrecision("2024-03-17", "month")).toBe("2024-03");
});

test("an age is in months below two years", () => {
  const now = Date.UTC(2026, 10, 26);
  expect(ageOf("2026-11-27", now)).toBeUndefined();
  expect(ageOf("", now)).toBeUndefined();
  expect(ageOf("2026-10-27", now)).toEqual({ unit: "month", count: 0 });
  expect(ageOf("2025-01", now)).toEqual({ unit: "month", count: 22 });
  expect(ageOf("2024-11-26", now)).toEqual({ unit: "year", count: 2 });
  expect(ageOf("2013", now)).toEqual({ unit: "year", count: 13 });
});
