/** `__Host-`: browsers accept it only over HTTPS and from this exact host, so that no sibling can set it. */
const SESSION = "__Host-petstore";
/** The proof of identity. */
const PROOF = "__Host-petstore-proof";

/** Longer headers are not parsed: no browser has that many cookies for one host. */
const MAX_HEADER = 16 * 1024;

/** One of our cookies in a `Cookie` header. */
export type SentCookie =
  | { readonly kind: "none" }
  /** Sent twice, or in a header that is too long. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "token"; readonly token: string };

/** Finds the cookie of a session. */
export function sentCookie(header: string | null): SentCookie {
  return sentAs(SESSION, header);
}

/** Finds the cookie of a proof. */
export function sentProof(header: string | null): SentCookie {
  return sentAs(PROOF, header);
}

function sentAs(name: string, header: string | null): SentCookie {
  if (header === null || !header.includes(name)) return { kind: "none" };
  if (header.length > MAX_HEADER) return { kind: "unreadable" };
  const values = header
    // Only these blanks are trimmed: browsers do not protect a name after any other as `__Host-`.
    .split(/;[ \t]*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token] = values;
  if (token === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "token", token } : { kind: "unreadable" };
}

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Returns `Set-Cookie` for a session (RFC 6265bis §4.1). */
export function setCookie(token: string, lastsSeconds: number): string {
  return `${SESSION}=${token}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** Returns `Set-Cookie` for a proof. */
export function setProof(proof: string, lastsSeconds: number): string {
  return `${PROOF}=${proof}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** `Set-Cookie` that removes the session. */
export const clearCookie: string = `${SESSION}=; ${ATTRIBUTES}; Max-Age=0`;
