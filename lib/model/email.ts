import type { JsonSchema } from "../base/schema.ts";
import { LABEL, normalText, TRIMMED, trimText, visibleBut } from "./text.ts";

/** The longest deliverable address (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL = 254;

/** Returns an address in the form that is stored and compared: lower case, Unicode NFC, trimmed. */
export function normalEmail(text: string): string {
  return normalText(text).toLowerCase();
}

// Visible characters, one @, then dot-separated labels; one label is enough, for `root@localhost`.
const FORM = `${visibleBut('@"<>(),;:\\\\\\[\\]')}{1,64}@(?:${LABEL}\\.)*${LABEL}`;
const form = new RegExp(`^${FORM}$`);

/**
 * Returns why a text, once normalized, cannot be an email address; undefined if it may be one. Refuses only certain
 * typos, because only sending mail can prove that an address works.
 */
export function faultOfEmail(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${MAX_EMAIL} characters long`;
  // NFC joins at most four code points.
  if (trimText(text).length > MAX_EMAIL * 4) return tooLong;
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL) return tooLong;
  return form.test(email) ? undefined : "must be an email address, such as ada@shelter.org";
}

/** The same rule in JSON Schema. */
export const emailJson: JsonSchema = {
  pattern: `^${TRIMMED}${FORM}${TRIMMED}$`,
  maxLength: MAX_EMAIL,
  description: `At most ${MAX_EMAIL} characters. White space at the ends is removed.`,
  examples: ["ada@shelter.org"],
};
