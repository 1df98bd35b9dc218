import { describe, expect, test } from "bun:test";

import { chance } from "../../../helpers/chance.ts";
import { effortMs } from "../../../helpers/effort.ts";
import { faultOfPassword } from "../../../../lib/members/model/password-rule.ts";

const names = ["grace.hopper@shelter.org", "Grace Hopper", "petstore.example"];
const fault = (password: string) => faultOfPassword(password, names);

describe("a password", () => {
  for (const password of [
    "correct horse battery",
    "seven brave otters swim",
    "xK9!mQ2v#Lp7",
    "839201847362",
    "Räuber Hotzenplotz 7",
    "пароль из двенадцати",
    "🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧",
    "grace builds compilers",
    "superb manners please",
  ]) {
    test(`can be ${password}`, () => {
      expect(fault(password)).toBeUndefined();
    });
  }

  for (const password of [
    "Password2024!",
    "P@ssw0rd!!!!",
    "passwordpassword",
    "AdminAdmin123",
    "letmein-letmein",
    "iloveyou-summer",
    "Sommer2026!!",
    "Hallo-Passwort-1",
    "gracehopper12",
    "Grace.Hopper1",
    "petstore-2026",
    "Grace love pets",
    "mydogmycatmydog",
  ]) {
    test(`made of common words is refused: ${password}`, () => {
      expect(fault(password)).toBe("common");
    });
  }

  for (const password of [
    "aaaaaaaaaaaa",
    "abababababab",
    "abcabcabcabc",
    "123412341234",
    "123456789012",
    "abcdefghijkl",
    "zyxwvutsrqpo",
    "qwertzuiopas",
    "qwertyuiop12",
    "aabbccddeeff",
    "xkq7xkq7xkq7xkq7",
  ]) {
    test(`that is a repetition or a sequence is refused: ${password}`, () => {
      expect(fault(password)).toBe("repeats");
    });
  }

  test("has 12 to 200 characters, counted in NFC", () => {
    const { pick } = chance(7);
    const of = (length: number) =>
      Array.from({ length }, () => pick(["x", "k", "q", "v", "z", "j", "w", "p"])).join("");
    expect(fault(of(11))).toBe("too_short");
    expect(fault(of(12))).toBeUndefined();
    expect(fault(of(200))).toBeUndefined();
    expect(fault(of(201))).toBe("too_long");
    expect(fault("🦊🐻🐼🐨🐯🦁")).toBe("too_short");
    expect(fault("\ud800 correct horse battery")).toBe("malformed");
  });

  test("is checked quickly, even when one character expands to eighteen", async () => {
    const effort = await effortMs(() => {
      expect(fault(`abcdefghijkl${"\ufdfa".repeat(188)}`)).toBeUndefined();
    });
    expect(effort).toBeLessThan(500);
  });

  test("may contain another member's name", () => {
    expect(faultOfPassword("gracehopper12", ["ada@example.org"])).toBeUndefined();
  });
});
