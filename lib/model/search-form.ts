const MARKS = /[\u0300-\u036F]/g;
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
