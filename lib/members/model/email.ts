import type { JsonSchema } from "../../base/schema.ts";
import { LABEL, normalText, TRIMMED, visibleBut } from "../../model/text.ts";

/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1.3, less the angle brackets). */
export const MAX_EMAIL = 254;

/** An address as it is remembered and compared: lower-case, Unicode NFC, without white space at its ends. */
export function normalEmail(text: string): string {
  return normalText(text).toLowerCase();
}

// One @, something before it that can be seen, and after it labels between dots: or one label, for `root@localhost`.
const FORM = `${visibleBut('@"<>(),;:\\\\\\[\\]')}{1,64}@(?:${LABEL}\\.)*${LABEL}`;
const form = new RegExp(`^${FORM}$`);

/**
 * Why a text, once normal, is no e-mail address; undefined when it can be one. Only sending mail would tell: what is
 * refused here is certainly mistyped.
 */
export function faultOfEmail(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${MAX_EMAIL} characters long`;
  // Up to four code points become one in NFC. To normalise a long text takes up to the square of its length.
  if (text.trim().length > MAX_EMAIL * 4) return tooLong;
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL) return tooLong;
  return form.test(email) ? undefined : "must be an e-mail address, as ada@shelter.org";
}

/** The same in JSON Schema. */
export const emailJson: JsonSchema = {
  pattern: `^${TRIMMED}${FORM}${TRIMMED}$`,
  maxLength: MAX_EMAIL,
  description: `At most ${MAX_EMAIL} characters, without white space at the ends.`,
  examples: ["ada@shelter.org"],
};
