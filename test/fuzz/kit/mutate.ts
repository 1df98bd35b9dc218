import type { Chance } from "../../helpers/chance.ts";

/** Bytes that end runs, set or clear continuation bits, or are the extremes of a number. */
const EXTREME: readonly [number, ...number[]] = [
  0x00, 0x01, 0x0a, 0x0d, 0x1f, 0x20, 0x22, 0x2e, 0x3f, 0x7f, 0x80, 0x81, 0xc0, 0xc3, 0xe0, 0xfe,
  0xff,
];

const NO_BYTES: Uint8Array = new Uint8Array();

/** Damages bytes in one to three ways: cut off, changed, repeated, moved, numbers made extreme. */
export function mutatedBytes(chance: Chance, bytes: Uint8Array): Uint8Array {
  let mutated = bytes;
  for (let left = chance.between(1, 3); left > 0; left--) mutated = onceMutated(chance, mutated);
  return mutated;
}

function onceMutated(chance: Chance, bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const at = chance.between(0, Math.max(0, length - 1));
  const end = Math.min(length, at + chance.between(1, 8));
  switch (chance.between(0, 9)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return joined([bytes.subarray(0, at), bytes.subarray(end)]);
    case 2:
      return joined([bytes.subarray(0, end), bytes.subarray(at)]);
    case 3: {
      const run = new Uint8Array(chance.between(1, 40)).fill(chance.pick(EXTREME));
      return joined([bytes.subarray(0, at), run, bytes.subarray(at)]);
    }
    case 4:
      return joined([bytes.subarray(end), bytes.subarray(0, end)]);
    case 5: {
      const run = Uint8Array.from({ length: chance.between(1, 6) }, () => chance.between(0, 255));
      return joined([bytes.subarray(0, at), run, bytes.subarray(end)]);
    }
    default: {
      const copy = Uint8Array.from(bytes);
      for (let index = at; index < Math.min(length, at + chance.between(1, 4)); index++) {
        const flips = chance.true(0.3);
        copy[index] = flips
          ? (copy[index] ?? 0) ^ (1 << chance.between(0, 7))
          : chance.pick(EXTREME);
      }
      return copy;
    }
  }
}

/** Texts that parsers of texts tend to misread. */
const TROUBLE: readonly [string, ...string[]] = [
  "",
  "\0",
  "\t",
  "\n",
  "\r\n",
  " ",
  '"',
  "'",
  "\\",
  ",",
  ";",
  ":",
  "=",
  "%",
  "%00",
  "%ff",
  "%2f",
  "%e0%a4%a",
  "&",
  "#",
  "?",
  "*",
  "/",
  "//",
  "..",
  ".",
  "<",
  ">",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  "`",
  "|",
  "-",
  "--",
  "+",
  "0",
  "-0",
  "00",
  "0x10",
  "1e400",
  "1e-400",
  "9".repeat(20),
  "9".repeat(400),
  "2147483648",
  "4294967296",
  "9007199254740993",
  "18446744073709551616",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "é",
  "ß",
  "e\u0301",
  "\u0130",
  "\u202e",
  "\u200d",
  "\ufeff",
  "\u2028",
  "\ud800",
  "\udc00",
  "😀",
  "a".repeat(300),
];

/** Damages a text in one to three ways, as `mutatedBytes`. */
export function mutatedText(chance: Chance, text: string): string {
  let mutated = text;
  for (let left = chance.between(1, 3); left > 0; left--) {
    const at = chance.between(0, mutated.length);
    const end = Math.min(mutated.length, at + chance.between(0, 8));
    mutated = textAt(chance, mutated, at, end);
  }
  return mutated;
}

function textAt(chance: Chance, text: string, at: number, end: number): string {
  switch (chance.between(0, 7)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, end) + text.slice(at);
    case 3:
      return text.slice(end) + text.slice(0, end);
    case 4: {
      // A number becomes too long, or too large.
      const digits = chance.pick(["0", "9", "1"]).repeat(chance.between(1, 40));
      return text.slice(0, at) + digits + text.slice(end);
    }
    case 5:
      return (
        text.slice(0, at) + text.slice(at, end).repeat(chance.between(2, 20)) + text.slice(end)
      );
    default:
      return text.slice(0, at) + chance.pick(TROUBLE) + text.slice(end);
  }
}

/** A bracket and its counterpart, such as `[` and `]`. */
export type Pair = readonly [open: string, close: string];

/**
 * Returns a text of about `size` characters in which a part of a valid one is repeated, or which is nested: what makes a
 * careless pattern backtrack. With the same chances, only the number of repetitions depends on the size.
 */
export function stretchedText(
  chance: Chance,
  { valid, size, nests }: { valid: () => string; size: number; nests: readonly Pair[] },
): string {
  const [first, ...others] = nests;
  if (first !== undefined && chance.true(0.25)) {
    const [open, close] = chance.pick([first, ...others]);
    const depth = Math.floor(size / (open.length + close.length));
    const closed = chance.true(0.6) ? close.repeat(depth) : "";
    return open.repeat(depth) + (chance.true(0.5) ? valid() : "") + closed;
  }
  const whole = valid();
  const at = chance.between(0, whole.length);
  const [before, after] = [whole.slice(0, at), whole.slice(at)];
  const unit = unitOf(chance, whole);
  const tail = chance.pick([after, "", chance.pick(TROUBLE), after]);
  return before + unit.repeat(Math.max(1, Math.floor(size / unit.length))) + tail;
}

function unitOf(chance: Chance, whole: string): string {
  const trouble = chance.pick(TROUBLE).slice(0, 40);
  const start = chance.between(0, Math.max(0, whole.length - 1));
  const part = whole.slice(start, start + chance.between(1, 16));
  const unit = chance.pick([part, part, part, whole, trouble, part + trouble, trouble + trouble]);
  return unit === "" ? " " : unit;
}

/** Like `stretchedText`, for bytes. */
export function stretchedBytes(
  chance: Chance,
  { valid, size }: { valid: () => Uint8Array; size: number },
): Uint8Array {
  const whole = valid();
  const at = chance.between(0, whole.length);
  const start = chance.between(0, Math.max(0, whole.length - 1));
  const part = whole.subarray(start, start + chance.between(1, 32));
  const extreme = Uint8Array.of(chance.pick(EXTREME));
  const chosen = chance.pick([part, part, whole, extreme, joined([part, extreme])]);
  const unit = chosen.length === 0 ? extreme : chosen;
  const tail = chance.pick([whole.subarray(at), NO_BYTES, extreme]);
  const pumped = new Uint8Array(Math.max(1, Math.floor(size / unit.length)) * unit.length);
  for (let place = 0; place < pumped.length; place += unit.length) pumped.set(unit, place);
  return joined([whole.subarray(0, at), pumped, tail]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
