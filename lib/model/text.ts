/** A single-line text of a person: Unicode NFC, without white space at its ends. */
export function normalText(text: string): string {
  return text.normalize("NFC").trim();
}

const CONTROL = /\p{Cc}/u;

/**
 * Why `text`, once normal, cannot be a name of 1 to `max` code points; undefined when it can.
 * Lone surrogates are refused, for they cannot be stored or sent as UTF-8.
 */
export function faultOfName(text: string, max: number): string | undefined {
  // UTF-16 code units are never fewer than code points: most names need no counting.
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const name = normalText(text);
  if (name === "") return "must not be empty";
  if (name.length > max && countCodePoints(name, max * 2) > max) {
    return `must be at most ${max} characters long`;
  }
  return CONTROL.test(name) ? "must not contain control characters" : undefined;
}

function countCodePoints(text: string, enough: number): number {
  if (text.length > enough) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}
