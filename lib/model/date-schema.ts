import { string, type Described, type Schema } from "../base/schema.ts";

const PATTERN = "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$";
const written = new RegExp(PATTERN);

/** A date by the calendar, `2026-11-20` (RFC 3339 full-date). */
// @__NO_SIDE_EFFECTS__
export function dateSchema(more: Described = {}): Schema<string> {
  return string(faultOfDate, { format: "date", pattern: PATTERN, ...more });
}

/** Returns why `text` is not a date by the calendar; undefined if it is one. */
function faultOfDate(text: string): string | undefined {
  if (!written.test(text)) return "must be a date such as 2026-11-20";
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return day <= daysIn(year, month) ? undefined : "must be a day that the calendar has";
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : 28;
}
