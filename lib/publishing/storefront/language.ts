import { siteStatusWords } from "../../catalogue/status-words.ts";

/** The texts and formats of a site's language. */
export interface Language {
  /** BCP 47. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
  readonly number: (value: number) => string;
  /** Formats the UTC date of a time, so that pages are the same on every server. */
  readonly date: (at: number) => string;
}

/** Languages written from right to left. */
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)(-|$)/i;

/** Returns the language of a tag. Invalid tags are English; other languages use the English texts. */
export function languageOf(given = "en"): Language {
  const tag = canonical(given) ?? "en";
  const written = /^(de|en)(-|$)/.exec(tag)?.[1];
  const wordsTag = written === undefined ? "en" : tag;
  // Numbers and dates appear within our texts and use the same language.
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
    // Invalid tags throw. An author's typo must not take the site down.
    return undefined;
  }
}

/** The pages' built-in texts. Names arrive unescaped; numbers and dates arrive formatted. */
const english = {
  heading: "Looking for a home",
  skip: "Skip to content",
  filters: "Filter",
  everyCategory: "All animals",
  moreCategories: "More categories",
  everyStatus: "All statuses",
  status: siteStatusWords.en,
  count: (count: number, written: string) => (count === 1 ? "1 animal" : `${written} animals`),
  back: "All animals",
  pages: "Pages",
  newer: "Previous",
  older: "Next",
  photoOf: (name: string) => `Photo of ${name}`,
  empty: "No animals are waiting for a home at the moment. Please check back soon.",
  emptyHere: "No animals here at the moment.",
  showAll: "Show all animals",
  since: (date: string) => `Here since ${date}`,
  adoptHeading: (name: string) => `Meet ${name}`,
  adopt: {
    available: "",
    pending: "Someone has already asked about this animal.",
    sold: "This animal has found a home.",
  },
  /** Follows the text of `adopt` if visitors can contact the shelter. */
  invite: {
    available: "Get in touch to arrange a visit.",
    pending: "Get in touch if you would like to be next.",
    sold: "",
  },
  write: "Email us",
  call: "Call",
  subject: (name: string, id: number) => `About ${name} (no. ${id})`,
  more: "More animals",
  contact: "Contact",
  phone: "Phone",
  email: "Email",
  address: "Address",
  hours: "Opening hours",
  website: "Website",
  notFoundTitle: "Page not found",
  notFound: "This page does not exist, or the animal has found a home.",
  seeAllAt: (title: string) => `See all at ${title}`,
};

export type Words = typeof english;

const german: Words = {
  heading: "Zuhause gesucht",
  skip: "Zum Inhalt springen",
  filters: "Filter",
  everyCategory: "Alle Tiere",
  moreCategories: "Weitere Kategorien",
  everyStatus: "Alle Status",
  status: siteStatusWords.de,
  count: (count, written) => (count === 1 ? "1 Tier" : `${written} Tiere`),
  back: "Alle Tiere",
  pages: "Seiten",
  newer: "Zurück",
  older: "Weiter",
  photoOf: (name) => `Foto von ${name}`,
  empty: "Zurzeit sucht kein Tier ein Zuhause. Schauen Sie bald wieder vorbei.",
  emptyHere: "Hier sind gerade keine Tiere.",
  showAll: "Alle Tiere anzeigen",
  since: (date) => `Bei uns seit ${date}`,
  adoptHeading: (name) => `${name} kennenlernen`,
  adopt: {
    available: "",
    pending: "Für dieses Tier gibt es schon eine Anfrage.",
    sold: "Dieses Tier hat ein Zuhause gefunden.",
  },
  invite: {
    available: "Melden Sie sich, und wir finden einen Termin.",
    pending: "Melden Sie sich, wenn Sie nachrücken möchten.",
    sold: "",
  },
  write: "Schreiben Sie uns",
  call: "Anrufen",
  subject: (name, id) => `Zu ${name} (Nr. ${id})`,
  more: "Weitere Tiere",
  contact: "Kontakt",
  phone: "Telefon",
  email: "E-Mail",
  address: "Adresse",
  hours: "Öffnungszeiten",
  website: "Website",
  notFoundTitle: "Seite nicht gefunden",
  notFound: "Diese Seite gibt es nicht, oder das Tier hat ein Zuhause gefunden.",
  seeAllAt: (title) => `Alle Tiere: ${title}`,
};
