/** A single-line text of a person: Unicode NFC, without white space at its ends. */
export function normalText(text: string): string {
  // Before and after: a text of nothing but white space must not be normalised first, which takes long for some texts.
  return text.trim().normalize("NFC").trim();
}

// Classes for patterns that mean the same with and without the flag `u`, and in other languages' engines: nothing but
// `\uXXXX`, no properties (`\p{…}`), no look-ahead and no halves of surrogate pairs, which RE2 and Rust refuse.

/** Control characters. */
const CONTROL = "\\u0000-\\u001F\\u007F-\\u009F";
/** Embeddings, overrides and isolates: they show the text around them in another order than it is stored in. */
const BIDI = "\\u202A-\\u202E\\u2066-\\u2069";
/** What `trim()` removes. */
const WHITE = "\\t-\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF";
/**
 * Characters that show nothing: the default ignorable ones of Unicode 16 (joiners, direction marks, variation
 * selectors, Hangul fillers …), interlinear annotation marks and the Braille blank.
 */
const INVISIBLE =
  "\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0\\uFFF0-\\uFFFB";
/** What `visible` finds beyond U+FFFF, where a pattern that all engines read cannot tell: not tags, for example. */
const VISIBLE_BEYOND = [
  "[\\uD800-\\uD82E\\uD830-\\uD833\\uD835-\\uDB3F\\uDB44-\\uDBFF][\\uDC00-\\uDFFF]",
  "\\uD82F[\\uDC00-\\uDC9F\\uDCA4-\\uDFFF]",
  "\\uD834[\\uDC00-\\uDD72\\uDD7B-\\uDFFF]",
].join("|");

/** The control characters that a text of several lines may not contain: all but tab and line breaks. */
const CONTROL_IN_LINES = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F";

/** No letters, digits or marks, as far as blocks of characters tell; the hyphen is not among them. */
const NO_LETTERS =
  "\\u0000-\\u002C\\u002E\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9" +
  `\\u00BB-\\u00BF\\u00D7\\u00F7${INVISIBLE}\\u1680\\u2000-\\u2BFF\\u3000-\\u3004\\u3008-\\u3020\\uE000-\\uF8FF` +
  "\\uFE10-\\uFE6F\\uFF00-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65\\uFFE0-\\uFFFF";

const LETTER = `[^${NO_LETTERS}\\u002D]`;

/** One label of a host name as people write it, as a part of a pattern. */
export const LABEL: string = `${LETTER}(?:[^${NO_LETTERS}]*${LETTER})?`;

/** White space at the end of a text that is trimmed, as a part of a pattern. */
export const TRIMMED: string = `[${WHITE}]*`;

/** A character that can be seen and is no white space, and none of `but`, as a part of a pattern. */
export function visibleBut(but: string): string {
  return `[^${CONTROL}${BIDI}${WHITE}${INVISIBLE}${but}]`;
}

const VISIBLE: string = visibleBut("");

/** Patterns for a JSON Schema: with `maxLength` they say of a text what `faultOfName` says of it. */
export function namePatterns(): readonly [string, string] {
  const end = `[^${CONTROL}${BIDI}${WHITE}]`;
  return [VISIBLE, `^${TRIMMED}${end}(?:[^${CONTROL}${BIDI}]*${end})?${TRIMMED}$`];
}

/** The patterns of a text for people, on one line or on several, of which nothing is removed. */
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
 * Why `text`, once normal, cannot be a name of 1 to `max` code points; undefined when it can. Lone surrogates are
 * refused, because they cannot be stored or sent as UTF-8; so are names that nobody can see, and characters that show
 * a name in another order than it is stored in. Direction marks and joiners are allowed beside visible characters:
 * Persian names and emoji need them.
 */
export function faultOfName(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${max} characters long`;
  const trimmed = text.trim();
  if (trimmed === "") return "must not be empty";
  // Up to four code points become one in NFC. To normalise a long text takes up to the square of its length.
  if (trimmed.length > max * 8) return tooLong;
  const name = normalText(trimmed);
  // UTF-16 code units are never fewer than code points: most names need no counting.
  if (name.length > max && countCodePoints(name, max * 2) > max) return tooLong;
  return faultOfCharacters(name);
}

/** Why a well-formed text for people cannot be shown as it is. */
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

/** How many code points a text has; some larger number where that are more than `enough` UTF-16 code units. */
export function countCodePoints(text: string, enough: number): number {
  if (text.length > enough) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const MARKS = /[\u0300-\u036F]/g;

/** A text that is not empty in that form: something in it is neither white space nor such a mark. */
export const SEARCHABLE: RegExp = new RegExp(`[^${WHITE}\\u0300-\\u036F]`);
const ASCII = /^[\0-\x7F]*$/;

/**
 * The form under which a text is searched: without regard to case, accents and the width of characters, so that `zoe`
 * finds "Zoë" and `strasse` "Straße". A text that is part of another in this form is found in it.
 */
export function searchForm(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  // Upper case, for lower case depends on what follows: "ΣΑΣ" ends in another sigma than it begins with.
  return text.normalize("NFKD").replaceAll(MARKS, "").toUpperCase();
}

/**
 * Matches texts without 64 ASCII letters, digits or hyphens in a row, which no domain has: a label has at most 63
 * characters (RFC 1035 §2.3.4), and IDNA keeps the ASCII characters of a label. Labels with other characters are counted
 * in A-labels, which no pattern can do.
 */
export const DOMAIN_LABELS =
  /^[0-9A-Za-z-]{0,63}(?:[^0-9A-Za-z-]+[0-9A-Za-z-]{1,63})*[^0-9A-Za-z-]*$/;
