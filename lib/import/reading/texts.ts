import { trimText } from "../../model/text.ts";
import { MAX_COLUMN_NAME } from "../limits.ts";

/** Returns the trimmed text of a cell, also without Ctrl-Z, which ended files on DOS. */
export function cellText(text: string): string {
  return isTight(text) ? text : trimText(text, "\u001A");
}

/** Tells whether a text begins and ends with visible ASCII, as most do. */
function isTight(text: string): boolean {
  if (text === "") return true;
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f;
}

// oxlint-disable-next-line no-control-regex -- Ctrl-Z
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
