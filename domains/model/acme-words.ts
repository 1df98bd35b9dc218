import { readTime } from "../../lib/base/clock.ts";

/** Of what a CA says, no more than so many characters are kept. */
export const MAX_WORDS = 1_000;

/** `text` as one line of bounded length, without control, format and other characters that are not seen. */
export function words(text: string): string {
  // Cut twice: before, so that a megabyte is not looked through, and after.
  const clean = text
    .slice(0, MAX_WORDS * 4)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return clean.length <= MAX_WORDS ? clean : `${clean.slice(0, MAX_WORDS - 1).trimEnd()}…`;
}

/** Where a CA sends people. */
export interface HelpfulWords {
  /** The names are paused until somebody goes to `url`. */
  readonly paused: boolean;
  readonly url?: string;
}

const MAX_URL = 2_048;

/** The page that a problem sends people to: its `instance`, else Let's Encrypt's link to unpause. */
export function helpIn({
  detail = "",
  instance,
}: {
  readonly detail?: string;
  readonly instance?: string;
}): HelpfulWords {
  const link = /https:\/\/[\w.-]+\/[\w./-]*unpause\b[\w.~:/?#[\]@!$&'()*+,;=%-]*/
    .exec(detail)?.[0]
    .replace(/[.,)]+$/, "");
  if (link !== undefined && link.length <= MAX_URL) return { paused: true, url: link };
  const given = instance ?? "";
  if (!given.startsWith("https://") || given.length > MAX_URL || !URL.canParse(given)) {
    return { paused: false };
  }
  return { paused: false, url: new URL(given).href };
}

/** The instant in Let's Encrypt's `retry after 2026-11-21 14:05:00 UTC`, for when the header is missing. */
export function toldInstant(detail: string): number | undefined {
  const [, date, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  return date === undefined || time === undefined ? undefined : readTime(`${date}T${time}Z`);
}
