import { describe, expect, test } from "bun:test";

import { faultOfEmail, normalEmail } from "../../../lib/model/email.ts";
import { effortMs } from "../../helpers/effort.ts";

describe("an email address", () => {
  test("is the same in either case, composed or not, and with space at its ends", () => {
    expect(normalEmail("  Ada@Example.ORG ")).toBe("ada@example.org");
    expect(normalEmail("Zoe\u0308@example.org")).toBe("zoë@example.org");
  });

  for (const text of [
    "ada@example.org",
    "ada.lovelace+pets@mail.example.co.uk",
    "o'brien@example.org",
    "root@localhost",
    "zoë@tierheim-köln.de",
    `${"a".repeat(64)}@example.org`,
  ]) {
    test(`can be ${text.slice(0, 40)}`, () => {
      expect(faultOfEmail(text)).toBeUndefined();
    });
  }

  for (const text of [
    "",
    "ada",
    "@example.org",
    "ada@",
    "ada@@example.org",
    "ada@example..org",
    "ada@-example.org",
    "ada@example.org.",
    "ada lovelace@example.org",
    "ada@exa mple.org",
    "ada\u0000@example.org",
    "ada\u200b@example.org",
    "\u202eada@example.org",
    "ada\r\nBcc: x@example.org",
    "Ada <ada@example.org>",
    "a@b,c@d",
    `${"a".repeat(65)}@example.org`,
  ]) {
    test(`cannot be ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(faultOfEmail(text)).toContain("must be an email address");
    });
  }

  test("has at most 254 well-formed characters", () => {
    const of = (length: number) => `a@${"b.".repeat((length - 4) / 2)}de`;
    expect(of(254)).toHaveLength(254);
    expect(faultOfEmail(of(254))).toBeUndefined();
    expect(faultOfEmail(of(256))).toContain("at most 254");
    expect(faultOfEmail("a\ud800@example.org")).toContain("well-formed");
  });

  test("is checked quickly, whatever its form", async () => {
    const effort = await effortMs(() => {
      for (const text of ["a@".repeat(500), `a@${"a-".repeat(126)}`, `a@${"a.".repeat(126)}-`]) {
        expect(faultOfEmail(text)).toBeDefined();
      }
    });
    expect(effort).toBeLessThan(500);
  });
});
