import { siteLanguages, type SiteLanguage } from "../model/project.ts";
import { enquiryWords, type EnquiryWords } from "./words/enquiry.ts";
import { german } from "./words/de.ts";
import { english, type Words } from "./words/en.ts";
import { spanish } from "./words/es.ts";
import { french } from "./words/fr.ts";
import { profileWords, type ProfileWords } from "./words/profile.ts";

export type { Words } from "./words/en.ts";

/** The texts and formats of a site's language. */
export interface Language {
  /** BCP 47. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
  /** The texts of the enquiry form. */
  readonly enquiry: EnquiryWords;
  /** The texts about profiles. */
  readonly profile: ProfileWords;
  readonly number: (value: number) => string;
  /** Formats the UTC date of a time, so that pages are the same on every server. */
  readonly date: (at: number) => string;
  /** Formats the UTC month of a time. */
  readonly month: (at: number) => string;
  /** Formats an age: `5 months`. */
  readonly amount: (count: number, unit: "month" | "year") => string;
}

/** Languages written from right to left. */
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)(-|$)/i;

/** Returns the language of a tag. Invalid tags are English; other languages use the English texts. */
export function languageOf(given = "en"): Language {
  const tag = canonical(given) ?? "en";
  const written = writtenIn(tag);
  const wordsTag = written === undefined ? "en" : tag;
  // Numbers and dates appear within our texts and use the same language.
  const numbers = new Intl.NumberFormat(wordsTag);
  const dates = new Intl.DateTimeFormat(wordsTag, { dateStyle: "long", timeZone: "UTC" });
  const months = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return {
    tag,
    direction: RIGHT_TO_LEFT.test(tag) ? "rtl" : "ltr",
    words: catalogues[written ?? "en"],
    enquiry: enquiryWords[written ?? "en"],
    profile: profileWords[written ?? "en"],
    number: (value) => numbers.format(value),
    // The locale data lacks the ordinal of the first day, which French requires.
    date: (at) => (written === "fr" ? dates.format(at).replace(/^1 /, "1er ") : dates.format(at)),
    month: (at) => new Intl.DateTimeFormat(wordsTag, months).format(at),
    amount: (count, unit) =>
      new Intl.NumberFormat(wordsTag, { style: "unit", unit, unitDisplay: "long" }).format(count),
  };
}

/** Returns the language of our texts for a tag; undefined without such texts. */
export function writtenIn(tag: string): SiteLanguage | undefined {
  return siteLanguages.find((one) => new RegExp(`^${one}(?:-|$)`, "i").test(tag));
}

/** The texts by language. */
export const catalogues: Readonly<Record<SiteLanguage, Words>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // Invalid tags throw. An author's typo must not take the site down.
    return undefined;
  }
}
