import { WHITE } from "./text.ts";

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
