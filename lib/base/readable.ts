import { isoTime } from "./clock.ts";

/** `2026-11-21 14:03 UTC` */
export function readableMinute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

/** `2026-11-21 14:03:22 UTC` */
export function readableSecond(at: number): string {
  return `${isoTime(at).slice(0, 19).replace("T", " ")} UTC`;
}

/** `1 file`, `4,000 files` */
export function readableFiles(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"}`;
}

const UNITS = ["kB", "MB", "GB"];

/** `312 kB`, `1.4 MB`: at most three digits. */
export function readableBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  let value = bytes;
  let unit = -1;
  // Values that would round to 1,000 use the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${UNITS[unit] ?? ""}`;
}

/** Quotes a word for a shell, if needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
