import { german } from "./words-de.ts";
import { english } from "./words-en.ts";
import type { Words } from "./words.ts";

/** How a site speaks. */
export interface Language {
  /** BCP 47. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
  readonly number: (value: number) => string;
  /** The day of an instant, in UTC: pages look the same wherever they are made. */
  readonly date: (at: number) => string;
}

/** Scripts that are written from right to left, as languages use them. */
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)(-|$)/i;

/** The language of a tag. What is no tag is English, and so are the words that are not written yet. */
export function languageOf(given = "en"): Language {
  const tag = canonical(given) ?? "en";
  const written = /^(de|en)(-|$)/.exec(tag)?.[1];
  const wordsTag = written === undefined ? "en" : tag;
  // Numbers and days stand within our words, and are written as they are.
  const numbers = new Intl.NumberFormat(wordsTag);
  const dates = new Intl.DateTimeFormat(wordsTag, { dateStyle: "long", timeZone: "UTC" });
  return {
    tag,
    direction: RIGHT_TO_LEFT.test(tag) ? "rtl" : "ltr",
    words: written === "de" ? german : english,
    number: (value) => numbers.format(value),
    date: (at) => dates.format(at),
  };
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // It throws at what is no tag: an author's typo, which must not take the site down.
    return undefined;
  }
}
