const BEARER = "Bearer ";

/** Longer than any credential of ours. */
const MAX_LENGTH = 100;

/** Returns the token after `Bearer` and one space; the scheme is case-insensitive (RFC 6750 §2.1, RFC 9110 §11.1). */
export function bearerToken(header: string): string | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  return header.slice(0, BEARER.length).toLowerCase() === "bearer "
    ? header.slice(BEARER.length)
    : undefined;
}
