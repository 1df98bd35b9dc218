/** Normalises a single-line text: Unicode NFC, without white space at its ends. */
export function normalText(text: string): string {
  // Trims first, because normalising some long texts of white space takes long; then again, because NFC can add some.
  return text.trim().normalize("NFC").trim();
}

// Classes for patterns with the same meaning with and without the flag `u` and in the engines of other languages: only
// `\uXXXX`, no properties (`\p{…}`), no look-ahead and no half surrogate pairs, which RE2 and Rust refuse.

/** Control characters. */
const CONTROL = "\\u0000-\\u001F\\u007F-\\u009F";
/** Embeddings, overrides and isolates, which change the order in which text is shown. */
const BIDI = "\\u202A-\\u202E\\u2066-\\u2069";
/** The characters that `trim()` removes. */
const WHITE = "\\t-\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF";
/**
 * Invisible characters: the default ignorable ones of Unicode 16 (joiners, direction marks, variation
 * selectors, Hangul fillers …), interlinear annotation marks and the Braille blank.
 */
const INVISIBLE =
  "\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0\\uFFF0-\\uFFFB";
/** Visible characters beyond U+FFFF, which a portable pattern cannot name: not tags, for example. */
const VISIBLE_BEYOND = [
  "[\\uD800-\\uD82E\\uD830-\\uD833\\uD835-\\uDB3F\\uDB44-\\uDBFF][\\uDC00-\\uDFFF]",
  "\\uD82F[\\uDC00-\\uDC9F\\uDCA4-\\uDFFF]",
  "\\uD834[\\uDC00-\\uDD72\\uDD7B-\\uDFFF]",
].join("|");

/** The control characters that a multi-line text must not contain: all but tab and line breaks. */
const CONTROL_IN_LINES = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/** Blocks of characters without letters, digits and marks, except the hyphen. */
const NO_LETTERS =
  "\\u0000-\\u002C\\u002E\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9" +
  `\\u00BB-\\u00BF\\u00D7\\u00F7${INVISIBLE}\\u1680\\u2000-\\u2BFF\\u3000-\\u3004\\u3008-\\u3020\\uE000-\\uF8FF` +
  "\\uFE10-\\uFE6F\\uFF00-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65\\uFFE0-\\uFFFF";

const LETTER = `[^${NO_LETTERS}\\u002D]`;

/** Part of a pattern: a label of a host name, not encoded yet. */
export const LABEL: string = `${LETTER}(?:[^${NO_LETTERS}]*${LETTER})?`;

/** Part of a pattern: white space that trimming removes. */
export const TRIMMED: string = `[${WHITE}]*`;

/** Part of a pattern: a visible character other than white space and `but`. */
export function visibleBut(but: string): string {
  return `[^${CONTROL}${BIDI}${WHITE}${INVISIBLE}${but}]`;
}

const VISIBLE: string = visibleBut("");

/** Patterns for a JSON Schema that, with `maxLength`, agree with `faultOfName`. */
export function namePatterns(): readonly [string, string] {
  const end = `[^${CONTROL}${BIDI}${WHITE}]`;
  return [VISIBLE, `^${TRIMMED}${end}(?:[^${CONTROL}${BIDI}]*${end})?${TRIMMED}$`];
}

/** The patterns of a text of one or several lines from which nothing is removed. */
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
 * Returns why `text`, once normalised, cannot be a name of 1 to `max` code points; undefined when it can. Refuses lone
 * surrogates, which UTF-8 cannot represent, invisible names, and characters that change the order in which a name is
 * shown. Direction marks and joiners are allowed next to visible characters: Persian names and emoji need them.
 */
export function faultOfName(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${max} characters long`;
  const trimmed = text.trim();
  if (trimmed === "") return "must not be empty";
  // NFC joins up to four code points. Normalising a long text takes up to quadratic time.
  if (trimmed.length > max * 8) return tooLong;
  const name = normalText(trimmed);
  // A text has at least as many UTF-16 code units as code points: most names need no count.
  if (name.length > max && countCodePoints(name, max * 2) > max) return tooLong;
  return faultOfCharacters(name);
}

/** Returns why a well-formed text cannot be shown as it is. */
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

/** Counts code points; returns a larger number for a text of more than `enough` UTF-16 code units. */
export function countCodePoints(text: string, enough: number): number {
  if (text.length > enough) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const MARKS = /[\u0300-\u036F]/g;

/** Matches a text with a searchable form: it contains a character that is neither white space nor a mark. */
export const SEARCHABLE: RegExp = new RegExp(`[^${WHITE}\\u0300-\\u036F]`);
const ASCII = /^[\0-\x7F]*$/;

/**
 * Returns the searchable form of a text, without case, accents and the width of characters, so that `zoe` finds "Zoë"
 * and `strasse` finds "Straße". A search finds the texts whose form contains the form of the query.
 */
export function searchForm(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  // Upper case, because lower case depends on the position: "ΣΑΣ" ends in another sigma than it begins with.
  return text.normalize("NFKD").replaceAll(MARKS, "").toUpperCase();
}

/**
 * Matches texts without 64 ASCII letters, digits or hyphens in a row, which no domain has: a label has at most 63
 * characters (RFC 1035 §2.3.4), and IDNA keeps the ASCII characters of a label. Labels with other characters are counted
 * in A-labels, which no pattern can do.
 */
export const DOMAIN_LABELS =
  /^[0-9A-Za-z-]{0,63}(?:[^0-9A-Za-z-]+[0-9A-Za-z-]{1,63})*[^0-9A-Za-z-]*$/;
