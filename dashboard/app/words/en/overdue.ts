import { dateTime, number } from "../format.ts";

/** What a warning about overdue certificates says. */
interface Facts {
  readonly count: number;
  readonly expired: number;
  /** The one that expires first. */
  readonly domain: string;
  readonly at: number;
}

export const overdue = {
  what: ({ count, expired, domain, at }: Facts) =>
    count === 1
      ? expired === 1
        ? `The certificate of ${domain} expired on ${dateTime(at)}. Most visitors cannot open the site.`
        : `The certificate of ${domain} has not been renewed in time. It expires on ${dateTime(at)}.`
      : expired > 0
        ? `${number(count)} certificates have not been renewed in time, and ${number(expired)} of them expired, the first on ${dateTime(at)}: ${domain}. Most visitors cannot open those sites.`
        : `${number(count)} certificates have not been renewed in time. The first expires on ${dateTime(at)}: ${domain}.`,
  /** A link to the page of the first one. */
  open: (domain: string) => `See what to do about ${domain}`,
  /** A link to the page of the installation. */
  system: "See what is wrong",
};

/** The texts of the warning. */
export type OverdueWords = typeof overdue;
