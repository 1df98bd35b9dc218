import { refused, done, type Result } from "./result.ts";
import { inSteps, type Pause } from "./steps.ts";

/** A fault of a JSON text, including those that `JSON.parse` accepts. */
export interface JsonFault {
  readonly code: "invalid_json" | "invalid_value";
  /** JSON Pointer (RFC 6901) to the faulty place; empty for the whole text. */
  readonly pointer: string;
  readonly message: string;
}

export type ParsedJson = Result<unknown, JsonFault>;

/** The most members of one object. */
export const MAX_MEMBERS = 1_000;
/** The most objects, lists, texts, numbers and literals in one text. */
export const MAX_VALUES = 20_000;
/** The longest string or number, in UTF-16 code units of the source. */
export const MAX_LITERAL: number = 256 * 1_024;
/** Bytes to decode, or characters to read, between two pauses. */
export const STEP: number = 64 * 1_024;

/**
 * Parses JSON as strictly as RFC 8259 allows. Refuses invalid UTF-8, duplicate member names, nesting deeper than
 * `maxDepth` and integers that a double cannot hold exactly, because two parsers could read those differently.
 * Limits on depth, members, values and lengths apply while reading, so a hostile text costs no more than the part
 * already read. `what` names the text in messages.
 */
export function parseJson(data: Uint8Array, maxDepth: number, what = "The body"): ParsedJson {
  if (data.length > STEP) return outcomeOf(jsonSteps(data, maxDepth, what));
  let text: string;
  try {
    text = decoder.decode(data);
  } catch {
    return notUtf8(what);
  }
  return parseText(text, maxDepth, what);
}

/** Parses a decoded text like `parseJson`. */
export function parseJsonText(text: string, maxDepth: number, what: string): ParsedJson {
  return parseText(text.startsWith("\uFEFF") ? text.slice(1) : text, maxDepth, what);
}

/** Only for whole texts: it keeps no state between them. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function parseText(text: string, maxDepth: number, what: string): ParsedJson {
  const plain = plainValue(text, maxDepth);
  return plain === undefined ? outcomeOf(readerSteps(text, maxDepth, what)) : done(plain);
}

function outcomeOf(steps: Generator<undefined, ParsedJson>): ParsedJson {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Parses a large text in steps of at most 64 KiB; the server handles other requests between steps. */
export function parseLargeJson(
  data: Uint8Array,
  maxDepth: number,
  pause?: Pause,
): Promise<ParsedJson> {
  return inSteps(jsonSteps(data, maxDepth, "The body"), pause);
}

/** Yields after each step of at most `STEP` bytes or characters. */
export function* jsonSteps(
  data: Uint8Array,
  maxDepth: number,
  what: string,
): Generator<undefined, ParsedJson> {
  const streaming = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for (let from = 0; from < data.length; from += STEP) {
      if (from > 0) yield;
      const last = from + STEP >= data.length;
      text += streaming.decode(data.subarray(from, from + STEP), { stream: !last });
    }
  } catch {
    return notUtf8(what);
  }
  const plain = plainValue(text, maxDepth);
  return plain === undefined ? yield* readerSteps(text, maxDepth, what) : done(plain);
}

function notUtf8(what: string): ParsedJson {
  return fault("invalid_json", "", `${what} is not valid UTF-8.`);
}

function* readerSteps(
  text: string,
  maxDepth: number,
  what: string,
): Generator<undefined, ParsedJson> {
  const reader = new Reader(text, maxDepth, what);
  for (;;) {
    const parsed = reader.read(STEP);
    if (parsed !== undefined) return parsed;
    yield;
  }
}

/** The most objects and lists of a text for `JSON.parse`, which takes milliseconds if 64 KiB of them are nested. */
const MAX_OPENED = 2_000;

function opensMany(text: string): boolean {
  let count = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_OPENED) return true;
    }
  }
  return false;
}

/** Digits of an integer that a double may not hold exactly. */
const LONG_NUMBER = /\d{16}/;

/**
 * Returns the value of a text as `JSON.stringify` writes it, which every parser reads the same way. Most texts are like
 * this, and the runtime reads and writes them faster than `Reader` reads. Undefined for any other text, and beyond a limit.
 */
function plainValue(text: string, maxDepth: number): unknown {
  if (text.length > STEP || LONG_NUMBER.test(text) || opensMany(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Counts first: `JSON.stringify` takes quadratic time on deep values.
    if (countValues(value, maxDepth) > MAX_VALUES) return undefined;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts a value and those inside it. Infinity if it is deeper than `depth` levels or has an object with too many members. */
function countValues(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 1;
  if (depth === 0) return Infinity;
  const isList = Array.isArray(value);
  const inside: readonly unknown[] = isList ? value : Object.values(value);
  if (!isList && inside.length > MAX_MEMBERS) return Infinity;
  let count = 1;
  for (const item of inside) count += countValues(item, depth - 1);
  return count;
}

function fault(
  code: JsonFault["code"],
  pointer: string,
  message: string,
): { readonly ok: false; readonly failure: JsonFault } {
  return refused({ code, pointer, message });
}

/** An open object or list. */
type Level =
  | { readonly object: Record<string, unknown>; name: string; size: number }
  | { readonly list: unknown[] };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The token that the grammar allows next. */
type Awaits = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or end" | "nothing";

/** Reads a text step by step and keeps its state between steps. */
class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #what: string;
  readonly #levels: Level[] = [];
  #at = 0;
  #awaits: Awaits = "value";
  #root: unknown;
  #values = 0;
  /** State inside a string literal: how far the search for its end got, and whether it contains an escape. */
  #scanned = 0;
  #escaped = false;
  /** The first fault that two parsers would read differently. Reported only if the whole text is valid JSON. */
  #doubtful: JsonFault | undefined;

  constructor(text: string, maxDepth: number, what: string) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#what = what;
  }

  /** Reads about `budget` characters; undefined while there are more. */
  read(budget: number): ParsedJson | undefined {
    const text = this.#text;
    const stop = Math.max(this.#at, this.#scanned) + budget;
    while (this.#at < text.length) {
      if (this.#at >= stop) return undefined;
      const code = text.charCodeAt(this.#at);
      switch (code) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          this.#at++;
          continue;
        case QUOTE: {
          const named = this.#awaits === "name" || this.#awaits === "name or }";
          if (!named && !this.#awaitsValue()) return this.#malformed();
          const literal = this.#readString(stop);
          if (literal === undefined) return undefined;
          if (typeof literal !== "string") return literal;
          const failure = named ? this.#takeName(literal) : this.#takeValue(literal);
          if (failure !== undefined) return failure;
          continue;
        }
        case 0x7b: // {
        case 0x5b: {
          const failure = this.#openLevel(code === 0x7b);
          if (failure !== undefined) return failure;
          continue;
        }
        case 0x7d: // }
        case 0x5d:
          if (!this.#closeLevel(code === 0x7d)) return this.#malformed();
          continue;
        case 0x2c: {
          if (this.#awaits !== "comma or end") return this.#malformed();
          const level = this.#levels.at(-1);
          this.#awaits = level !== undefined && "list" in level ? "value" : "name";
          this.#at++;
          continue;
        }
        case 0x3a:
          if (this.#awaits !== "colon") return this.#malformed();
          this.#awaits = "value";
          this.#at++;
          continue;
        default: {
          if (!this.#awaitsValue()) return this.#malformed();
          const failure = startsNumber(code) ? this.#readNumber() : this.#readWord();
          if (failure !== undefined) return failure;
        }
      }
    }
    if (this.#awaits !== "nothing") return this.#malformed();
    return this.#doubtful === undefined ? done(this.#root) : refused(this.#doubtful);
  }

  #awaitsValue(): boolean {
    return this.#awaits === "value" || this.#awaits === "value or ]";
  }

  /** Returns the string at the current position, or undefined if it ends after `stop`; the position then stays. */
  #readString(stop: number): string | ParsedJson | undefined {
    const text = this.#text;
    const start = this.#at;
    let index = Math.max(start + 1, this.#scanned);
    for (;;) {
      if (index - start > MAX_LITERAL) return this.#tooMuch(`a text longer than ${KIB_OF_LITERAL}`);
      if (index >= stop) {
        // The next step starts inside this text.
        this.#scanned = index;
        return undefined;
      }
      const code = text.charCodeAt(index);
      if (code === QUOTE) break;
      // At the end of the text the code is NaN, which compares false: check for the end first.
      if (index >= text.length || code < 0x20) return this.#malformed();
      if (code === BACKSLASH) {
        this.#escaped = true;
        index++;
      }
      index++;
    }
    const escaped = this.#escaped;
    this.#escaped = false;
    this.#scanned = 0;
    this.#at = index + 1;
    if (!escaped) return text.slice(start + 1, index);
    try {
      return String(JSON.parse(text.slice(start, index + 1)));
    } catch {
      return this.#malformed();
    }
  }

  #takeName(name: string): ParsedJson | undefined {
    const level = this.#levels.at(-1);
    if (level === undefined || "list" in level) return this.#malformed();
    level.name = name;
    if (Object.hasOwn(level.object, name)) {
      this.#doubtful ??= {
        code: "invalid_json",
        pointer: this.#pointer(),
        message: `The member ${JSON.stringify(name.slice(0, 80))} appears twice.`,
      };
    } else if (++level.size > MAX_MEMBERS) {
      return this.#tooMuch(`an object with more than ${MAX_MEMBERS} members`);
    }
    this.#awaits = "colon";
    return undefined;
  }

  #takeValue(value: unknown): ParsedJson | undefined {
    if (++this.#values > MAX_VALUES) return this.#tooMuch(`more than ${MAX_VALUES} values`);
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.#root = value;
      this.#awaits = "nothing";
      return undefined;
    }
    if ("list" in level) level.list.push(value);
    else if (level.name === "__proto__") {
      // An assignment would change what the object inherits from.
      Object.defineProperty(level.object, level.name, { value, ...ordinary });
    } else level.object[level.name] = value;
    this.#awaits = "comma or end";
    return undefined;
  }

  #openLevel(isObject: boolean): ParsedJson | undefined {
    if (!this.#awaitsValue()) return this.#malformed();
    if (this.#levels.length >= this.#maxDepth) {
      const message = `${this.#what} is nested deeper than ${this.#maxDepth} levels.`;
      return fault("invalid_json", "", message);
    }
    const level: Level = isObject ? { object: {}, name: "", size: 0 } : { list: [] };
    const failure = this.#takeValue("list" in level ? level.list : level.object);
    if (failure !== undefined) return failure;
    this.#levels.push(level);
    this.#awaits = isObject ? "name or }" : "value or ]";
    this.#at++;
    return undefined;
  }

  #closeLevel(isObject: boolean): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined || "object" in level !== isObject) return false;
    const empty = isObject ? "name or }" : "value or ]";
    if (this.#awaits !== "comma or end" && this.#awaits !== empty) return false;
    this.#levels.pop();
    this.#awaits = this.#levels.length === 0 ? "nothing" : "comma or end";
    this.#at++;
    return true;
  }

  #readNumber(): ParsedJson | undefined {
    const end = endOfNumber(this.#text, this.#at);
    if (end - this.#at > MAX_LITERAL) {
      return this.#tooMuch(`a number longer than ${KIB_OF_LITERAL}`);
    }
    const literal = this.#text.slice(this.#at, end);
    if (!NUMBER.test(literal)) return this.#malformed();
    if (!isExact(literal)) {
      this.#doubtful ??= {
        code: "invalid_value",
        pointer: this.#pointer(),
        message: `The number ${literal.slice(0, 40)} cannot be carried exactly.`,
      };
    }
    this.#at = end;
    return this.#takeValue(Number(literal));
  }

  #readWord(): ParsedJson | undefined {
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return this.#takeValue(value);
    }
    return this.#malformed();
  }

  /** Returns the pointer to the member or item being read. */
  #pointer(): string {
    const innermost = this.#levels.length - 1;
    return this.#levels
      .map((level, depth) => {
        if ("object" in level) return `/${escapePointer(level.name)}`;
        // An open list or object already counts as an item; a number does not yet.
        return `/${depth === innermost ? level.list.length : level.list.length - 1}`;
      })
      .join("");
  }

  #malformed(): ParsedJson {
    return fault("invalid_json", "", `${this.#what} is not valid JSON.`);
  }

  #tooMuch(what: string): ParsedJson {
    return fault("invalid_json", "", `${this.#what} holds ${what}.`);
  }
}

const KIB_OF_LITERAL = `${MAX_LITERAL / 1_024} KiB`;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ordinary = { writable: true, enumerable: true, configurable: true };
const words: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

function endOfNumber(text: string, start: number): number {
  const most = Math.min(text.length, start + MAX_LITERAL + 1);
  let index = start + 1;
  while (index < most && "0123456789.eE+-".includes(text.charAt(index))) index++;
  return index;
}

/** Returns false if the literal is an integer that a double would round. */
function isExact(literal: string): boolean {
  if (literal.length < 16 && !/[.eE]/.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isInteger(value)) return true;
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.slice(0, endOfDigits(digits));
  if (kept === "") return true;
  const zeros = Number(exponent) - fraction.length + (digits.length - kept.length);
  if (zeros < 0) return false;
  // Longer than any safe integer: the schema's message about the range is clearer.
  if (kept.length + zeros > 17) return true;
  return BigInt(kept + "0".repeat(zeros)) === BigInt(Math.abs(value));
}

/** Returns where the trailing zeros begin. A pattern such as `/0+$/` takes quadratic time on zeros in the middle. */
function endOfDigits(digits: string): number {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return end;
}

/** Escapes one reference token of a JSON Pointer (RFC 6901 §3). */
export function escapePointer(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
