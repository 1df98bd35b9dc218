import { string, type Described, type Schema } from "../base/schema.ts";

const PATTERN = "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$";
const written = new RegExp(PATTERN);

/** A date by the calendar, `2026-11-20` (RFC 3339 full-date). */
export function dateSchema(more: Described = {}): Schema<string> {
  return string(faultOfDate, { format: "date", pattern: PATTERN, ...more });
}

/** Returns why `text` is not a date by the calendar; undefined if it is one. */
function faultOfDate(text: string): string | undefined {
  if (!written.test(text)) return "must be a date such as 2026-11-20";
  const day = new Date(`${text}T00:00:00Z`);
  // `Date` carries the days that a month does not have into the next month.
  return day.toISOString().startsWith(text) ? undefined : "must be a day that the calendar has";
}
