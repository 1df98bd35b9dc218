import { readTime } from "../lib/base/clock.ts";
import { nearest } from "../lib/base/nearest.ts";
import { done, refused, type Result } from "../lib/base/result.ts";

/** Parses a text; an error completes a sentence that begins with the name of the option. */
export interface Parse<Value> {
  (text: string): Result<Value, string>;
  /** All texts that it accepts, if they are few. */
  readonly choices?: readonly string[];
}

export const text: Parse<string> = (written) =>
  written === "" ? refused("must not be empty") : done(written);

/** Parses a whole number in decimal digits. */
export function integer({
  min,
  max,
}: {
  readonly min: number;
  readonly max: number;
}): Parse<number> {
  return (written) => {
    const value = /^\d{1,15}$/.test(written) ? Number(written) : NaN;
    return value >= min && value <= max
      ? done(value)
      : refused(`must be a whole number from ${min} to ${max}, not ${quoted(written)}`);
  };
}

/** Of more choices, an error names only the one that was probably meant. */
const MANY_CHOICES = 12;

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parse<Choice> {
  const parse = (written: string): Result<Choice, string> => {
    const choice = choices.find((one) => one === written);
    if (choice !== undefined) return done(choice);
    const meant = choices.length > MANY_CHOICES ? nearest(written, choices) : undefined;
    return refused(
      meant === undefined
        ? `must be one of ${choices.join(", ")}, not ${quoted(written)}`
        : `cannot be ${quoted(written)}. Did you mean ${meant}?`,
    );
  };
  return Object.assign(parse, { choices });
}

/** Parses `30s`, `90m`, `24h` or `7d`; returns milliseconds, at most ten years. */
export const duration: Parse<number> = (written) => {
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(written) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? NaN);
  if (!Number.isSafeInteger(ms)) {
    return refused(`must be a duration such as 30s, 90m, 24h or 7d, not ${quoted(written)}`);
  }
  return ms <= LONGEST_MS ? done(ms) : refused("must be at most ten years (3650d)");
};

/** Parses a duration within bounds, which are written like a value. */
export function durationBetween(least: string, most?: string): Parse<number> {
  const [leastMs, mostMs] = [msOf(least), most === undefined ? Infinity : msOf(most)];
  return (written) => {
    const read = duration(written);
    if (!read.ok) return read;
    if (read.value < leastMs) return refused(`must be at least ${least}`);
    return read.value > mostMs ? refused(`must be at most ${most}`) : read;
  };
}

/** Writes milliseconds as `duration` parses them. */
export function writtenDuration(ms: number): string {
  return `${ms / 1_000}s`;
}

/** Returns the milliseconds of a duration that is written in the program. */
export function msOf(written: string): number {
  const read = duration(written);
  if (!read.ok) throw new TypeError(`${written} ${read.failure}`);
  return read.value;
}

/** Parses `256MiB`, `2GiB` or a number of bytes; returns bytes. */
export const byteCount: Parse<number> = (written) => {
  const [, count, unit = ""] = /^(\d{1,12})(KiB|MiB|GiB|TiB)?$/.exec(written) ?? [];
  const bytes = Number(count) * 1_024 ** ["", "KiB", "MiB", "GiB", "TiB"].indexOf(unit);
  return Number.isSafeInteger(bytes)
    ? done(bytes)
    : refused(`must be a size such as 256MiB or 20GiB, not ${quoted(written)}`);
};

/** Writes bytes as `byteCount` parses them. */
export function writtenBytes(bytes: number): string {
  for (const [unit, size] of [
    ["GiB", 1_024 ** 3],
    ["MiB", 1_024 ** 2],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`;
  }
  return String(bytes);
}

/** Parses `2026-11-20` (its start, UTC) or `2026-11-20T09:30:00Z` (RFC 3339); returns milliseconds since the Unix epoch. */
export const instant: Parse<number> = (written) => {
  const at = readTime(/^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00:00Z` : written);
  return at === undefined
    ? refused(`must be a time such as 2026-11-20 or 2026-11-20T09:30:00Z, not ${quoted(written)}`)
    : done(at);
};

/** Parses values separated by commas. */
export function list<Value>(parse: Parse<Value>): Parse<readonly Value[]> {
  return (written) => {
    const values: Value[] = [];
    for (const part of written.split(",")) {
      const value = parse(part.trim());
      if (!value.ok) return value;
      values.push(value.value);
    }
    return done(values);
  };
}

/** Quotes a text for one line of a message. */
export function quoted(written: string): string {
  return JSON.stringify(written.length > 60 ? `${written.slice(0, 60)}…` : written);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 3_650 * 86_400_000;

const KEY_BYTES = 32;

/** Parses 32 bytes in base64, base64url or hex. The error does not repeat the text, which may contain most of a secret. */
export function readEncryptionKey(written: string): Result<Uint8Array, string> {
  const compact = written.trim();
  const bytes = /^[\da-f]{64}$/i.test(compact)
    ? Buffer.from(compact, "hex")
    : /^[\w+/-]+={0,2}$/.test(compact)
      ? Buffer.from(compact, "base64")
      : undefined;
  return bytes?.length === KEY_BYTES
    ? done(new Uint8Array(bytes))
    : refused(`must be ${KEY_BYTES} bytes in base64 or hex`);
}

/** Parses the secret of an external account binding. The error does not repeat it. */
export const hmacKey: Parse<string> = (written) =>
  /^[\w-]{16,512}={0,2}$/.test(written)
    ? done(written.replace(/=+$/, ""))
    : refused("must be base64url, as the CA issued it");

export const email: Parse<string> = (written) =>
  /^[^\s@?,]{1,64}@[^\s@?,]{1,190}$/.test(written)
    ? done(written)
    : refused(`must be an email address, not ${quoted(written)}`);

export const boolean: Parse<boolean> = (written) => {
  if (written === "true" || written === "1") return done(true);
  if (written === "false" || written === "0") return done(false);
  return refused(`must be true or false, not ${quoted(written)}`);
};

export const nodeName: Parse<string> = (written) =>
  /^[\w.-]{1,63}$/.test(written)
    ? done(written)
    : refused("must be 1 to 63 letters, digits, hyphens, dots and underscores");

/** Accepts a recipient of the age format; the library that seals checks the rest at the start. */
export const ageRecipient: Parse<string> = (written) =>
  /^age1[\da-z]{50,4000}$/.test(written)
    ? done(written)
    : refused(`must be an age recipient, age1…, as age-keygen prints it, not ${quoted(written)}`);
