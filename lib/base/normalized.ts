/**
 * The longest text that can become a name of 120 code points, in UTF-16 code units: NFC joins at most four of them to one
 * code point.
 */
const SHORT = 480;
/** More combining characters in a row than any writing has. NFKC and NFKD make half-width voicing marks combining. */
const PILE = /[\p{M}\uFF9E\uFF9F]{31}/u;

/**
 * Returns a text in a normal form of Unicode, in linear time. A long text with piled up combining characters stays as it is,
 * because sorting them takes quadratic time: seconds for 32 KiB (UAX #15, Stream-Safe Format).
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.length > SHORT && PILE.test(text) ? text : text.normalize(form);
}
