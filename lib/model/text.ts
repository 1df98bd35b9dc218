import { countCodePoints } from "../base/code-points.ts";
import { normalized } from "../base/normalized.ts";

/**
 * Returns the text without white space and zero-width characters around it, which spreadsheets and web pages leave there; and
 * without the character `also`. Joiners stay: Persian words and emoji need them.
 */
export function trimText(text: string, also = ""): string {
  let from = 0;
  let to = text.length;
  while (from < to && isEdge(text, from, also)) from++;
  while (to > from && isEdge(text, to - 1, also)) to--;
  return text.slice(from, to);
}

function isEdge(text: string, at: number, also: string): boolean {
  const one = text.charAt(at);
  // Visible ASCII, as most texts have at their ends.
  if (one > " " && one < "\u007F") return one === also;
  return one === "\u200B" || one === "\u2060" || one === also || one.trim() === "";
}

/** Normalizes a single-line text to Unicode NFC, and trims it. */
export function normalText(text: string): string {
  // Trims first, because NFC is slow on long runs of white space; trims again, because NFC can create white space.
  return trimText(normalized(trimText(text), "NFC"));
}

/** Normalizes a text of several lines: to Unicode NFC, with line feeds, and trims it. */
export function normalLines(text: string): string {
  return normalText(text.replaceAll(/\r\n?/g, "\n"));
}

// Character classes that mean the same with and without the `u` flag and in other languages' engines: only `\uXXXX`,
// no properties (`\p{…}`), no look-ahead and no half surrogate pairs, which RE2 and Rust refuse.

/** Control characters. */
const CONTROL = "\\u0000-\\u001F\\u007F-\\u009F";
/** Embeddings, overrides and isolates, which reorder text on screen. */
const BIDI = "\\u202A-\\u202E\\u2066-\\u2069";
/** The characters that `trim()` removes. */
const WHITE = "\\t-\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF";
/**
 * Invisible characters: the default ignorables of Unicode 16 (joiners, direction marks, variation selectors, Hangul
 * fillers …), interlinear annotation marks and the blank Braille pattern.
 */
const INVISIBLE =
  "\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0\\uFFF0-\\uFFFB";
/** Visible characters beyond U+FFFF, written without `\u{…}`; excludes tags, for example. */
const VISIBLE_BEYOND = [
  "[\\uD800-\\uD82E\\uD830-\\uD833\\uD835-\\uDB3F\\uDB44-\\uDBFF][\\uDC00-\\uDFFF]",
  "\\uD82F[\\uDC00-\\uDC9F\\uDCA4-\\uDFFF]",
  "\\uD834[\\uDC00-\\uDD72\\uDD7B-\\uDFFF]",
].join("|");

/** The control characters that multi-line text must not contain: all except tab and line breaks. */
const CONTROL_IN_LINES = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/** Blocks of characters other than letters, digits and marks, without the hyphen. */
const NO_LETTERS =
  "\\u0000-\\u002C\\u002E\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9" +
  `\\u00BB-\\u00BF\\u00D7\\u00F7${INVISIBLE}\\u1680\\u2000-\\u2BFF\\u3000-\\u3004\\u3008-\\u3020\\uE000-\\uF8FF` +
  "\\uFE10-\\uFE6F\\uFF00-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65\\uFFE0-\\uFFFF";

const LETTER = `[^${NO_LETTERS}\\u002D]`;

/** Part of a pattern: a label of a host name before IDNA encoding. */
export const LABEL: string = `${LETTER}(?:[^${NO_LETTERS}]*${LETTER})?`;

const TRIM = `${WHITE}\\u200B\\u2060`;

/** Part of a pattern: what trimming removes. */
export const TRIMMED: string = `[${TRIM}]*`;

/** Part of a pattern: a visible character other than white space and the characters in `but`. */
export function visibleBut(but: string): string {
  return `[^${CONTROL}${BIDI}${WHITE}${INVISIBLE}${but}]`;
}

const VISIBLE: string = visibleBut("");

/** Returns JSON Schema patterns that, together with `maxLength`, agree with `faultOfName`. */
export function namePatterns(): readonly [string, string] {
  const end = `[^${CONTROL}${BIDI}${TRIM}]`;
  return [VISIBLE, `^${TRIMMED}${end}(?:[^${CONTROL}${BIDI}]*${end})?${TRIMMED}$`];
}

/** Returns the patterns of a text of one or several lines that is stored untrimmed. */
export function textPatterns(kind: "line" | "lines"): readonly [string, string] {
  return [VISIBLE, `^[^${kind === "line" ? CONTROL : CONTROL_IN_LINES}${BIDI}]*$`];
}

const controls = {
  line: new RegExp(`[${CONTROL}]`),
  lines: new RegExp(`[${CONTROL_IN_LINES}]`),
};
const bidi = new RegExp(`[${BIDI}]`);
const visible = new RegExp(`${visibleBut("\\uD800-\\uDFFF")}|${VISIBLE_BEYOND}`);

/**
 * Returns why `text`, once normalized, cannot be a name of 1 to `max` code points; undefined if it can. Refuses lone
 * surrogates, which UTF-8 cannot represent, invisible names, and characters that reorder the displayed name. Allows
 * direction marks and joiners next to visible characters: Persian names and emoji need them.
 */
export function faultOfName(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${max} characters long`;
  const trimmed = trimText(text);
  if (trimmed === "") return "must not be empty";
  // NFC joins at most four code points.
  if (trimmed.length > max * 8) return tooLong;
  const name = normalText(trimmed);
  // A text has at least as many UTF-16 code units as code points, so most names need no count.
  if (name.length > max && countCodePoints(name, max * 2) > max) return tooLong;
  return faultOfCharacters(name);
}

/** Returns why a well-formed text cannot be displayed unchanged; undefined if it can. */
export function faultOfCharacters(
  text: string,
  kind: "line" | "lines" = "line",
): string | undefined {
  if (controls[kind].test(text)) return "must not contain control characters";
  if (bidi.test(text)) {
    return "must not contain characters that override the direction of text (U+202A to U+202E, U+2066 to U+2069)";
  }
  return visible.test(text) ? undefined : "must contain a visible character";
}

const whites = new RegExp(`[${WHITE}]+`, "g");
const invisibles = new RegExp(`[${INVISIBLE}]`, "g");
/** Longer than every word that is compared. */
const MAX_WORD = 200;

/** Returns a word's form for comparing it with known words: case, extra white space and invisible characters are gone. */
export function wordForm(word: string): string {
  const plain = word.slice(0, MAX_WORD).replaceAll(invisibles, "").replaceAll(whites, " ").trim();
  return normalized(plain, "NFKC").toLowerCase();
}

const MARKS = /[\u0300-\u036F]/g;

/** Matches a text with a non-empty searchable form: it contains more than what trimming removes and marks. */
export const SEARCHABLE: RegExp = new RegExp(`[^${TRIM}\\u0300-\\u036F]`);
const ASCII = /^[\0-\x7F]*$/;

/**
 * Returns a text's searchable form, which ignores case, accents and character width: `zoe` finds "Zoë", and `strasse`
 * finds "Straße". A search finds the texts whose form contains the query's form.
 */
export function searchForm(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  // Upper case, because lower case depends on the position: "ΣΑΣ" begins and ends with different lower-case sigmas.
  return normalized(text, "NFKD").replaceAll(MARKS, "").toUpperCase();
}

/**
 * Matches texts without 64 consecutive ASCII letters, digits or hyphens, which no domain has: a label has at most 63
 * characters (RFC 1035 §2.3.4), and IDNA keeps a label's ASCII characters. Labels with other characters have their
 * length in A-labels, which no pattern can count.
 */
export const DOMAIN_LABELS =
  /^[0-9A-Za-z-]{0,63}(?:[^0-9A-Za-z-]+[0-9A-Za-z-]{1,63})*[^0-9A-Za-z-]*$/;
