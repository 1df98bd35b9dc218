/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1.3, less the angle brackets). */
export const MAX_EMAIL = 254;

/** An address as it is remembered and compared: lower-case, Unicode NFC, without white space at its ends. */
export function normalEmail(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/**
 * Why a text, once normal, is no e-mail address; undefined when it can be one. Only sending mail would tell: what is
 * refused here is what is certainly mistyped.
 */
export function faultOfEmail(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL) return `must be at most ${MAX_EMAIL} characters long`;
  return FORM.test(email) ? undefined : "must be an e-mail address, as ada@shelter.org";
}

// One @, something before it that can be seen, and after it labels between dots: or one label, for `root@localhost`.
const FORM =
  /^[^\s@\p{Cc}\p{Cf}"<>(),;:\\[\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;
