import { describe, expect, spyOn, test } from "bun:test";

import * as fc from "fast-check";

import { check } from "../../../lib/base/check.ts";
import { normalized } from "../../../lib/base/normalized.ts";
import { foldCategoryName } from "../../../lib/catalogue/model.ts";
import { faultOfLines } from "../../../lib/enquiries/model.ts";
import { cellText } from "../../../lib/import/reading/texts.ts";
import { faultOfEmail } from "../../../lib/model/email.ts";
import { linesSchema } from "../../../lib/model/name-schema.ts";
import {
  faultOfName,
  namePatterns,
  normalLines,
  normalText,
  searchForm,
} from "../../../lib/model/text.ts";

const INVISIBLE = "must contain a visible character";
const BIDI =
  "must not contain characters that override the direction of text (U+202A to U+202E, U+2066 to U+2069)";
const CONTROL = "must not contain control characters";

/** Returns true if every pattern of the schema matches, as a validator with or without the flag `u` reads it. */
function fits(text: string, max: number, flags: "" | "u"): boolean {
  const matches = namePatterns().every((pattern) => new RegExp(pattern, flags).test(text));
  return matches && Array.from(text).length <= max;
}

/** Half a surrogate pair, or only invisible characters beyond U+FFFF, which no portable pattern can detect. */
const BEYOND = /^(?:[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]+|.*\p{Cs}.*)$/u;

const refusals: readonly (readonly [what: string, text: string, fault: string])[] = [
  ["nothing", "", "must not be empty"],
  ["white space", " \t\u2003\u3000\uFEFF", "must not be empty"],
  ["a zero-width space", "\u200B", "must not be empty"],
  ["joiners", "\u200D\u200C\u2060", INVISIBLE],
  ["direction marks", "\u200E\u200F\u061C", INVISIBLE],
  ["a soft hyphen", "\u00AD", INVISIBLE],
  ["a Hangul filler", "\u3164", INVISIBLE],
  ["a half-width Hangul filler", "\uFFA0", INVISIBLE],
  ["a Hangul choseong filler", "\u115F\u1160", INVISIBLE],
  ["a blank Braille pattern", "\u2800", INVISIBLE],
  ["variation selectors", "\uFE00\uFE0F\u180B", INVISIBLE],
  ["variation selectors beyond U+FFFF", "\u{E0100}\u{E01EF}", INVISIBLE],
  ["tags", "\u{E0041}\u{E007F}", INVISIBLE],
  ["musical format controls", "\u{1D173}\u{1D17A}", INVISIBLE],
  ["shorthand format controls", "\u{1BCA0}", INVISIBLE],
  ["invisible characters between spaces", "\u200B \u2800", INVISIBLE],
  ["an override to the left", "Rex\u202Egnp.exe", BIDI],
  ["an embedding", "\u202ARex\u202C", BIDI],
  ["an isolate", "Rex\u2067", BIDI],
  ["a line break", "Rex\nTom", CONTROL],
  ["a C1 control", "Rex\u0085Tom", CONTROL],
  ["121 characters", "x".repeat(121), "must be at most 120 characters long"],
  ["121 characters beyond U+FFFF", "🐕".repeat(121), "must be at most 120 characters long"],
  ["half a character", "Rex \uD83D", "must be well-formed Unicode, without lone surrogates"],
];

const names: readonly (readonly [what: string, name: string])[] = [
  ["one letter", "x"],
  ["120 characters beyond U+FFFF", "🐕".repeat(120)],
  ["a Persian name with its non-joiner", "می\u200Cخواهم"],
  ["a family that is joined", "👩\u200D👩\u200D👧"],
  [
    "the flag of Scotland, made of tags",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  ],
  ["a heart with its variation selector", "❤\uFE0F"],
  ["Hebrew with a direction mark", "\u200Fרקס"],
  ["a character next to the invisible ones", "\u{1D172}\u{1BCA4}"],
  ["a combining mark", "\u0301"],
];

describe("a name that consists of or contains", () => {
  test.each(refusals)("%s is refused, and does not match the patterns", (_, text, fault) => {
    expect(faultOfName(text, 120)).toBe(fault);
    expect(fits(text, 120, "")).toBe(BEYOND.test(text));
  });

  test.each(names)("%s is allowed, and matches the patterns", (_, name) => {
    expect(faultOfName(name, 120)).toBeUndefined();
    expect(fits(name, 120, "")).toBe(true);
    expect(fits(name, 120, "u")).toBe(true);
  });
});

test("white space and zero-width characters around a text are ignored, however many there are", () => {
  expect(faultOfName(`  ${"x".repeat(120)}\n`, 120)).toBeUndefined();
  const around = "\u200B \u2060".repeat(40_000);
  expect(faultOfName(`${around}Rex${around}`, 120)).toBeUndefined();
  expect(faultOfEmail(`${around}ada@shelter.org${around}`)).toBeUndefined();
  expect(faultOfLines(`${around}Hello${around}`, 100)).toBeUndefined();
  expect(check(linesSchema(100), `${around}Hello${around}`).ok).toBe(true);
  expect(faultOfLines(around, 100)).toBe("must not be empty");
});

const pile = (marks: number): string => `e\u0301${"\u0316\u0302".repeat(marks / 2)}`;

test("the piled up characters of any name are normalized and folded; those of a longer text stay", () => {
  for (const name of [pile(78), `${"\u03B1\u0314\u0300\u0345".repeat(100)}${pile(20)}`]) {
    expect(normalText(name)).toBe(name.normalize("NFC"));
    expect(foldCategoryName(name)).toBe(name.normalize("NFKC").toLowerCase());
    expect(searchForm(name)).toBe(searchForm(name.normalize("NFD")));
  }
  for (const long of [pile(600), `a${"\u0301\uFF9E".repeat(300)}`, `a${"\uFF9F".repeat(600)}`]) {
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
      expect(normalized(long, form)).toBe(long);
    expect([normalText(long), normalLines(long)]).toEqual([long, long]);
  }
});

const EDGES = [
  "",
  " ",
  "\n",
  "\u00A0",
  "\uFEFF",
  "\u200B",
  "\u2060",
  "\u200D",
  "x",
  "e\u0301",
  "\u0344",
];
const edged = fc.array(fc.constantFrom(...EDGES), { maxLength: 6 }).map((parts) => parts.join(""));

test("a name with zero-width characters around it is allowed or not as the patterns say", () => {
  fc.assert(
    fc.property(edged, (text) => (faultOfName(text, 120) === undefined) === fits(text, 120, "u")),
  );
});

test("a text that is stored comes back the same from a table that is imported", () => {
  fc.assert(
    fc.property(edged, (text) => {
      for (const stored of [normalText(text), normalLines(text)])
        expect(cellText(stored)).toBe(stored);
    }),
  );
});

test("decomposed characters count as composed ones", () => {
  expect(faultOfName("e\u0301".repeat(120), 120)).toBeUndefined();
  expect(normalText(" e\u0301 ")).toBe("é");
});

test("a long text is refused without normalizing it", () => {
  using normalize = spyOn(String.prototype, "normalize");
  expect(faultOfName(`a${"\u0301\u0323".repeat(16_000)}`, 120)).toBe(
    "must be at most 120 characters long",
  );
  expect(normalize).not.toHaveBeenCalled();
});
