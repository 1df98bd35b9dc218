import { describe, expect, test } from "bun:test";

import { leakedRanks } from "../../../../server/passwords/leaked.ts";
import { chance } from "../../../helpers/chance.ts";
import { ENOUGH_TRIES, triesFor } from "../../../../lib/members/model/tries.ts";

const names = ["grace.hopper@shelter.org", "Grace Hopper", "Otterheim Nord", "petstore.example"];
const ranks = leakedRanks();
const tries = (password: string): number => triesFor(password, { ranks, names });

test("the built-in list ranks the most frequent leaked passwords", () => {
  expect(ranks.size).toBeGreaterThan(40_000);
  expect(ranks.get("123456")).toBe(1);
  expect(ranks.get("metallica")).toBeLessThan(2_000);
});

describe("too few tries find", () => {
  for (const password of [
    "metallica1234",
    "barcelona2023!",
    "B@rc3lona2023!",
    "manchesterunited",
    "ManchesterUnited",
    "spongebob1234",
    "michaeljackson1",
    "Sonnenschein1!",
    "1qaz2wsx3edc",
    "q1w2e3r4t5y6",
    "1q2w3e4r5t6y7u8i",
    "dragonmonkeymaster",
    "iloveyou2024!",
    "Otterheim-2026",
    "grace.hopper99",
    "gracehopper builds",
  ]) {
    test(password, () => {
      expect(tries(password)).toBeLessThan(ENOUGH_TRIES);
    });
  }
});

describe("enough tries are needed for", () => {
  for (const password of [
    "correct horse battery",
    "river tiger moon",
    "seven brave otters swim",
    "superb manners please",
    "hund katze maus elefant",
    "acht krumme tassen fliegen",
    "tulpe wagen feder mond",
    "Räuber Hotzenplotz 7",
    "plough-lantern-otter-92",
    "xK9!mQ2v#Lp7",
    "839201847362",
    "пароль из двенадцати",
    "🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧",
  ]) {
    test(password, () => {
      expect(tries(password)).toBeGreaterThanOrEqual(ENOUGH_TRIES);
    });
  }

  test("random passwords of twelve characters", () => {
    const { pick } = chance(11);
    const [first = "", ...rest] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (let round = 0; round < 300; round++) {
      const password = Array.from({ length: 12 }, () => pick([first, ...rest])).join("");
      expect([password, tries(password) >= ENOUGH_TRIES]).toEqual([password, true]);
    }
  });
});
