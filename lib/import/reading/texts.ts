import { MAX_COLUMN_NAME } from "../limits.ts";

/** Returns the text of a cell without white space and invisible characters around it. */
export function cellText(text: string): string {
  if (isTight(text)) return text;
  const length = text.length;
  let from = 0;
  let to = length;
  while (from < to && isEdge(text.charCodeAt(from))) from++;
  while (to > from && isEdge(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Tells whether a text begins and ends with visible ASCII, as most do. */
function isTight(text: string): boolean {
  if (text === "") return true;
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f;
}

// oxlint-disable-next-line no-control-regex -- Ctrl-Z ended files on DOS
const EDGE = /^[\s\u200B\u2060\u001A]$/;

function isEdge(code: number): boolean {
  if (code === 0x20) return true;
  return !(code > 0x20 && code < 0x7f) && EDGE.test(String.fromCharCode(code));
}

// oxlint-disable-next-line no-control-regex -- as above
const BLANK = /^[\s\u001A]*$/;

/** Tells whether a text has nothing but white space, byte order marks and Ctrl-Z. */
export function isBlankText(text: string): boolean {
  return BLANK.test(text);
}

/** Characters that do not show in the name of a column. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** Returns the name of a column on one line, without invisible characters, and shortened if it is very long. */
export function columnName(text: string): string {
  const name = text
    .slice(0, MAX_COLUMN_NAME * 4)
    .replaceAll(/\s+/g, " ")
    .replaceAll(UNSEEN, "");
  return name.trim().slice(0, MAX_COLUMN_NAME);
}
