import { valueForm } from "./words.ts";

/** A date without a time zone, as precise as it is known. `date` is `2024-05-01` (the first day of a month or year). */
export interface PartialDate {
  readonly date: string;
  readonly precision: "day" | "month" | "year";
}

/** Which number is first in dates such as 05/06/2024. */
export type DateOrder = "day" | "month";

/** What the dates of a column say about their order. */
export interface OrderEvidence {
  /** Dates that are only valid with the day first. */
  readonly dayFirst: number;
  /** Dates that are only valid with the month first. */
  readonly monthFirst: number;
  /** The first date that is valid both ways, and differs. */
  readonly either?: string;
}

/** What no date says. */
export const noEvidence: OrderEvidence = { dayFirst: 0, monthFirst: 0 };

const months: ReadonlyMap<string, number> = new Map(
  [
    "jan,january,januar,janner,enero,janvier",
    "feb,february,februar,febrero,fevrier",
    "mar,march,marz,mrz,marzo,mars",
    "apr,april,abril,avril",
    "may,mai,mayo",
    "jun,june,juni,junio,juin",
    "jul,july,juli,julio,juillet",
    "aug,august,agosto,aout",
    "sep,sept,september,septiembre,septembre",
    "oct,okt,october,oktober,octubre,octobre",
    "nov,november,noviembre,novembre",
    "dec,dez,december,dezember,diciembre,decembre",
  ].flatMap((names, index) => names.split(",").map((name): [string, number] => [name, index + 1])),
);

/** A written date, read as far as that is possible without knowing the order of day and month. */
type Written =
  | { readonly kind: "known"; readonly date: PartialDate }
  | {
      readonly kind: "two numbers";
      readonly first: number;
      readonly second: number;
      readonly year: number;
    };

/** Longer than every date with its time. */
const MAX_DATE = 60;

function written(value: string): Written | undefined {
  if (value.length > MAX_DATE) return undefined;
  const text = value.trim().replace(/^'/u, "");
  const iso = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ].*)?)?)?$/u.exec(text);
  if (iso !== null) return known(iso[1], iso[2], iso[3]);
  const packed = /^((?:19|20)\d\d)(\d\d)(\d\d)$/u.exec(text);
  if (packed !== null) return known(packed[1], packed[2], packed[3]);
  const numbers = /^(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4}|\d{2})(?:[ ,T].*)?$/u.exec(text);
  if (numbers !== null) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])];
    return { kind: "two numbers", first, second, year: fullYear(numbers[3] ?? "") };
  }
  const monthYear = /^(\d{1,2})[-/.](\d{4})$/u.exec(text);
  if (monthYear !== null) return known(monthYear[2], monthYear[1]);
  return inWords(text);
}

/** `1 May 2024`, `May 1, 2024`, `1. Mai 2024`, `Mai 2024` */
function inWords(text: string): Written | undefined {
  const parts = valueForm(text)
    .split(/[\s.,]+/u)
    .filter((part) => part !== "" && part !== "of" && part !== "de");
  const month = parts.map((part) => months.get(part)).find((one) => one !== undefined);
  const year = parts.find((part) => /^\d{4}$/u.test(part));
  const day = parts
    .map((part) => /^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(part)?.[1])
    .find((one) => one !== undefined);
  if (month === undefined || year === undefined) return undefined;
  if (parts.length !== (day === undefined ? 2 : 3)) return undefined;
  return known(year, String(month), day);
}

function known(year = "", month?: string, day?: string): Written | undefined {
  const precision = month === undefined ? "year" : day === undefined ? "month" : "day";
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
  return isDate(y, m, d)
    ? { kind: "known", date: { date: dateText(y, m, d), precision } }
    : undefined;
}

/** Two digits mean the last hundred years up to 2049: animals do not live longer. */
function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length === 4 ? year : year + (year < 50 ? 2000 : 1900);
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

function dateText(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Adds what one date says about the order of its column. */
export function withEvidence(evidence: OrderEvidence, value: string): OrderEvidence {
  const read = written(value);
  if (read?.kind !== "two numbers" || read.first === read.second) return evidence;
  const dayFirst = isDate(read.year, read.second, read.first);
  const monthFirst = isDate(read.year, read.first, read.second);
  if (dayFirst && monthFirst) return { either: value.trim(), ...evidence };
  if (dayFirst) return { ...evidence, dayFirst: evidence.dayFirst + 1 };
  return monthFirst ? { ...evidence, monthFirst: evidence.monthFirst + 1 } : evidence;
}

/** Adds the evidence of several columns. */
export function joinedEvidence(evidence: readonly OrderEvidence[]): OrderEvidence {
  return {
    dayFirst: evidence.reduce((sum, { dayFirst }) => sum + dayFirst, 0),
    monthFirst: evidence.reduce((sum, { monthFirst }) => sum + monthFirst, 0),
  };
}

/** Returns the order that the dates of a column prove; undefined if they prove none, or both. */
export function provenOrder({ dayFirst, monthFirst }: OrderEvidence): DateOrder | undefined {
  if (dayFirst > 0 && monthFirst === 0) return "day";
  return monthFirst > 0 && dayFirst === 0 ? "month" : undefined;
}

/**
 * Reads a date. Without an order, a date that has two meanings keeps what both agree on: its year. Returns undefined for a
 * text that is no date.
 */
export function dateIn(value: string, order: DateOrder | undefined): PartialDate | undefined {
  const read = written(value);
  if (read === undefined || read.kind === "known") return read?.date;
  const { first, second, year } = read;
  const byDay = isDate(year, second, first) ? dateText(year, second, first) : undefined;
  const byMonth = isDate(year, first, second) ? dateText(year, first, second) : undefined;
  if (order !== undefined) return exact(order === "day" ? byDay : byMonth);
  if (byDay === undefined || byMonth === undefined || byDay === byMonth)
    return exact(byDay ?? byMonth);
  return { date: dateText(year, 1, 1), precision: "year" };
}

function exact(date: string | undefined): PartialDate | undefined {
  return date === undefined ? undefined : { date, precision: "day" };
}

const units: ReadonlyMap<string, "years" | "months" | "weeks" | "days"> = new Map(
  (
    [
      ["y,yr,yrs,year,years,j,jahr,jahre,jahren,ano,anos,an,ans", "years"],
      ["m,mo,mos,mth,month,months,monat,monate,monaten,mes,meses,mois", "months"],
      ["w,wk,wks,week,weeks,woche,wochen,semana,semanas,semaine,semaines", "weeks"],
      ["d,day,days,tag,tage,tagen,dia,dias,jour,jours", "days"],
    ] as const
  ).flatMap(([words, unit]) => words.split(",").map((word) => [word, unit] as const)),
);

const DAYS = { years: 365.25, months: 30.44, weeks: 7, days: 1 } as const;
const MAX_AGE_DAYS = 150 * DAYS.years;

/**
 * Reads an age, such as `2`, `2 years`, `2Y/3M/1W` or `8 Monate`, and returns the date of birth that it means on the day
 * `today` (`2026-11-26`): in years if the age is in years, otherwise as a month. Returns undefined for a text that is no age.
 */
export function bornAt(value: string, today: string): PartialDate | undefined {
  if (value.length > MAX_DATE) return undefined;
  const form = valueForm(value)
    .replaceAll(/\b(?:old|alt|ca|about|etwa|approx|circa|and|und)\b/gu, " ")
    .trim();
  const parts = [...form.matchAll(/(\d{1,4})(?:[.,](\d))?\s*([a-z]*)/gu)];
  if (parts.length === 0 || form.replaceAll(/\d{1,4}(?:[.,]\d)?\s*[a-z]*|[\s/,;.]+/gu, "") !== "") {
    return undefined;
  }
  let days = 0;
  let finest: keyof typeof DAYS = "years";
  for (const [, whole = "", tenths = "0", word = ""] of parts) {
    const unit = word === "" && parts.length === 1 ? "years" : units.get(word);
    if (unit === undefined) return undefined;
    days += (Number(whole) + Number(tenths) / 10) * DAYS[unit];
    if (DAYS[unit] < DAYS[finest]) finest = unit;
  }
  if (days > MAX_AGE_DAYS) return undefined;
  const [year = 0, month = 1, dayOfMonth = 1] = today.split("-").map(Number);
  if (finest === "years") {
    return { date: dateText(year - Math.round(days / DAYS.years), 1, 1), precision: "year" };
  }
  const monthsBack = Math.max(0, Math.ceil((days - (dayOfMonth - 1)) / DAYS.months));
  const born = year * 12 + month - 1 - monthsBack;
  return { date: dateText(Math.floor(born / 12), (born % 12) + 1, 1), precision: "month" };
}
