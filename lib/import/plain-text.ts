import { trimText } from "../model/text.ts";

/** The longest text that is converted, in UTF-16 code units. */
const MAX_HTML = 256 * 1024;

/** A tag that shelter programs write into texts; `<3` and `a < b` are no tags. */
const TAG =
  /<\/?(?:p|br|div|span|b|strong|em|i|u|s|ul|ol|li|a|font|h[1-6]|hr|img|table|tbody|thead|tr|td|th|blockquote|center|small|big|sup|sub|style|script|o:p|iframe|video|section|article|figure|pre|code)\b[^<>]{0,2000}>/giu;
const HIDDEN = /<(style|script)\b[^<>]{0,2000}>[^<]*<\/\1\s*>/giu;
const BREAK = /<(?:br|hr)\b[^<>]{0,2000}>|<\/(?:tr|h[1-6]|li)\s*>/giu;
const PARAGRAPH =
  /<\/?(?:p|div|ul|ol|table|blockquote|section|article|figure|h[1-6])\b[^<>]{0,2000}>/giu;
const ITEM = /<li\b[^<>]{0,2000}>/giu;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/gu;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  bull: "•",
  deg: "°",
  euro: "€",
  pound: "£",
  frac12: "½",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
  oacute: "ó",
  aacute: "á",
  iacute: "í",
  uacute: "ú",
};

/** Returns true for a text that contains tags or numbered characters of HTML. */
export function looksLikeHtml(text: string): boolean {
  TAG.lastIndex = 0;
  return TAG.test(text) || /&#\d{1,7};|&(?:nbsp|amp|quot);/u.test(text);
}

/** Returns the text of HTML without its tags: paragraphs and line breaks stay, and characters are decoded once. */
export function plainText(html: string): string {
  const text = html
    .slice(0, MAX_HTML)
    .replaceAll(HIDDEN, "")
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(BREAK, "\n")
    .replaceAll(PARAGRAPH, "\n\n")
    .replaceAll(ITEM, "\n- ")
    .replaceAll(TAG, "")
    .replaceAll(ENTITY, decoded);
  return trimmedLines(text);
}

/** Returns a text without white space at the ends of its lines, and with at most one empty line in a row. */
export function trimmedLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const kept = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  return trimText(kept.join("\n"));
}

function decoded(written: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name] ?? written;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "";
}
