import type { PetStatus } from "../../model/pet.ts";

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

/** All that the pages say by themselves. Names arrive as they are; numbers and dates are written already. */
export interface Words {
  /** Over the list, where the site file has no heading. */
  readonly heading: string;
  readonly skip: string;
  readonly filters: string;
  readonly everyCategory: string;
  readonly moreCategories: string;
  readonly everyStatus: string;
  readonly status: Readonly<Record<PetStatus, string>>;
  /** How many animals the list holds; `written` is the number as the language writes it. */
  readonly count: (count: number, written: string) => string;
  readonly back: string;
  readonly pages: string;
  readonly newer: string;
  readonly older: string;
  readonly photoOf: (name: string) => string;
  readonly empty: string;
  /** Where a filter, or the end of the list, leaves nothing. */
  readonly emptyHere: string;
  readonly showAll: string;
  readonly since: (date: string) => string;
  readonly adoptHeading: (name: string) => string;
  /** Where the site file does not say how to adopt, by the animal's status. */
  readonly adopt: Readonly<Record<PetStatus, string>>;
  readonly write: string;
  readonly call: string;
  readonly subject: (name: string, id: number) => string;
  readonly more: string;
  readonly contact: string;
  readonly phone: string;
  readonly email: string;
  readonly address: string;
  readonly hours: string;
  readonly website: string;
  readonly notFoundTitle: string;
  readonly notFound: string;
  /** Below an embedded list. */
  readonly seeAllAt: (title: string) => string;
}

const english: Words = {
  heading: "Looking for a home",
  skip: "Skip to content",
  filters: "Filter",
  everyCategory: "All animals",
  moreCategories: "More categories",
  everyStatus: "Any status",
  status: { available: "Available", pending: "Reserved", sold: "Adopted" },
  count: (count, written) => (count === 1 ? "1 animal" : `${written} animals`),
  back: "All animals",
  pages: "Pages",
  newer: "Previous",
  older: "Next",
  photoOf: (name) => `Photo of ${name}`,
  empty: "Every one of our animals has found a home. Please look in again soon.",
  emptyHere: "There is nobody here at the moment.",
  showAll: "Show all animals",
  since: (date) => `Here since ${date}`,
  adoptHeading: (name) => `Meet ${name}`,
  adopt: {
    available: "Would you like to get to know each other? Get in touch and we will find a time.",
    pending:
      "Somebody has asked for this animal already. Get in touch if you would like to be next.",
    sold: "This animal has found a home.",
  },
  write: "Write to us",
  call: "Call",
  subject: (name, id) => `About ${name} (no. ${id})`,
  more: "More animals",
  contact: "Contact",
  phone: "Phone",
  email: "E-mail",
  address: "Address",
  hours: "Opening hours",
  website: "Website",
  notFoundTitle: "Not here any more",
  notFound: "This page does not exist, or the animal on it has found a home.",
  seeAllAt: (title) => `See all at ${title}`,
};

const german: Words = {
  heading: "Zuhause gesucht",
  skip: "Zum Inhalt springen",
  filters: "Filter",
  everyCategory: "Alle Tiere",
  moreCategories: "Weitere Kategorien",
  everyStatus: "Jeder Status",
  status: { available: "Sucht ein Zuhause", pending: "Reserviert", sold: "Vermittelt" },
  count: (count, written) => (count === 1 ? "1 Tier" : `${written} Tiere`),
  back: "Alle Tiere",
  pages: "Seiten",
  newer: "Zurück",
  older: "Weiter",
  photoOf: (name) => `Foto von ${name}`,
  empty: "Alle unsere Tiere haben ein Zuhause gefunden. Schauen Sie bald wieder vorbei.",
  emptyHere: "Hier ist gerade niemand.",
  showAll: "Alle Tiere zeigen",
  since: (date) => `Bei uns seit ${date}`,
  adoptHeading: (name) => `${name} kennenlernen`,
  adopt: {
    available: "Möchten Sie sich kennenlernen? Melden Sie sich, wir finden einen Termin.",
    pending:
      "Für dieses Tier gibt es schon eine Anfrage. Melden Sie sich, wenn Sie nachrücken möchten.",
    sold: "Dieses Tier hat ein Zuhause gefunden.",
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
  notFoundTitle: "Nicht mehr hier",
  notFound: "Diese Seite gibt es nicht, oder das Tier hat ein Zuhause gefunden.",
  seeAllAt: (title) => `Alle Tiere: ${title}`,
};
