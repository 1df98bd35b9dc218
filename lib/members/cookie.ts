/** Browsers accept a `__Host-` cookie only over HTTPS and from this exact host, so no sibling host can set it. */
const SESSION = "__Host-petstore";
/** The cookie that holds the proof of identity. */
const PROOF = "__Host-petstore-proof";

/** Longer headers are not parsed: browsers never send as many cookies to one host. */
const MAX_HEADER = 16 * 1024;

/** One of the service's cookies in a `Cookie` header. */
export type SentCookie =
  | { readonly kind: "none" }
  /** Sent twice, or in a header that is too long. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "token"; readonly token: string };

/** Finds the session's cookie. */
export function sentCookie(header: string | null): SentCookie {
  return sentAs(SESSION, header);
}

/** Finds the proof's cookie. */
export function sentProof(header: string | null): SentCookie {
  return sentAs(PROOF, header);
}

function sentAs(name: string, header: string | null): SentCookie {
  if (header === null || !header.includes(name)) return { kind: "none" };
  if (header.length > MAX_HEADER) return { kind: "unreadable" };
  const values = header
    // Trims only blanks and tabs: browsers do not protect a name after other white space as `__Host-`.
    .split(/;[ \t]*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token] = values;
  if (token === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "token", token } : { kind: "unreadable" };
}

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Returns the `Set-Cookie` header for a session (RFC 6265bis §4.1). */
export function setCookie(token: string, lastsSeconds: number): string {
  return `${SESSION}=${token}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** Returns the `Set-Cookie` header for a proof. */
export function setProof(proof: string, lastsSeconds: number): string {
  return `${PROOF}=${proof}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** The `Set-Cookie` header that removes the session. */
export const clearCookie: string = `${SESSION}=; ${ATTRIBUTES}; Max-Age=0`;
