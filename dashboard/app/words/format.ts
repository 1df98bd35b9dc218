import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  systemClock,
  readTime,
} from "../../../lib/base/clock.ts";
import { signal } from "@preact/signals";
import type { Language } from "../state/preferences.ts";

/** `1,234` */
export function number(value: number): string {
  return new Intl.NumberFormat(language()).format(value);
}

/** `21 Nov 2026, 14:32` */
export function dateTime(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(
    at,
  );
}

/** `21 Nov 2026` */
export function date(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(at);
}

/** `21 Nov`, of a day in UTC. */
export function utcDay(at: number): string {
  return new Intl.DateTimeFormat(language(), {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  }).format(at);
}

/** `42 %` */
export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(share);
}

/** `14:32`, with the date unless that is today. */
export function time(at: number): string {
  const today = date(at) === date(systemClock.now());
  const style = { timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(
    language(),
    today ? style : { dateStyle: "medium", ...style },
  ).format(at);
}

const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", SECOND_MS],
] as const;

/** `3 minutes ago`, `in 2 days`; more than 30 days away, the date. */
export function relative(at: number, now: number = systemClock.now()): string {
  const difference = at - now;
  if (Math.abs(difference) > 30 * DAY_MS) return date(at);
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(difference) >= ms) ?? ["second", SECOND_MS];
  return format.format(Math.round(difference / size), unit);
}

/** `24 hours`, `7 days`: in the largest unit that fits. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? ["second", SECOND_MS];
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 0,
  }).format(ms / size);
}

/** `1.2 MB`; kilobytes are 1,000 bytes. */
export function bytes(value: number): string {
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const unit = (["byte", "kilobyte", "megabyte", "gigabyte"] as const)[step] ?? "byte";
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit,
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: value / 1_000 ** step < 10 && step > 0 ? 1 : 0,
  }).format(value / 1_000 ** step);
}

/** Selects the form for a number: `plural(n, { one: "1 animal", other: `${n} animals` })`. */
export function plural(
  value: number,
  forms: { readonly one: string; readonly other: string },
): string {
  return new Intl.PluralRules(language()).select(value) === "one" ? forms.one : forms.other;
}

const shown = signal<Language>("en");

/** The current language. Components that read it render again when it changes. */
export function language(): Language {
  return shown.value;
}

/** Called by `speak` only, which loads the words too. */
export function showLanguage(chosen: Language): void {
  shown.value = chosen;
}

const UTC = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)? UTC/g;

/** Replaces the UTC instants in a text of the service by local times. */
export function inLocalTime(text: string): string {
  return text.replaceAll(UTC, (instant, day: string, minute: string, second: string = ":00") => {
    const at = readTime(`${day}T${minute}${second}Z`);
    return at === undefined ? instant : dateTime(at);
  });
}
