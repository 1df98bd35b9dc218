import { siteStatusWords } from "../../../catalogue/status-words.ts";

/** The pages' built-in texts. Names arrive unescaped; numbers and dates arrive formatted. */
export const english = {
  heading: "Looking for a home",
  skip: "Skip to content",
  filters: "Filter",
  everyCategory: "All animals",
  moreCategories: "More categories",
  everyStatus: "All statuses",
  status: siteStatusWords.en,
  count: (count: number, written: string): string =>
    count === 1 ? "1 animal" : `${written} animals`,
  back: "All animals",
  pages: "Pages",
  newer: "Previous",
  older: "Next",
  photoOf: (name: string): string => `Photo of ${name}`,
  empty: "No animals are waiting for a home at the moment. Please check back soon.",
  emptyHere: "No animals here at the moment.",
  showAll: "Show all animals",
  since: (date: string): string => `Here since ${date}`,
  adoptHeading: (name: string): string => `Meet ${name}`,
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
  subject: (name: string, id: number): string => `About ${name} (no. ${id})`,
  more: "More animals",
  contact: "Contact",
  phone: "Phone",
  email: "Email",
  address: "Address",
  hours: "Opening hours",
  website: "Website",
  notFoundTitle: "Page not found",
  notFound: "This page does not exist, or the animal has found a home.",
  seeAllAt: (title: string): string => `See all at ${title}`,
  help: "Help us",
  donate: "Donate",
  visit: "Arrange a visit",
};

/** The texts of the storefront in one language. */
export type Words = typeof english;
