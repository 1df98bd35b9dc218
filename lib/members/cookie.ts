/** `__Host-`: browsers take it over HTTPS from this very host alone, for all paths, so that no sibling can set it. */
const SESSION = "__Host-petstore";
/** Beside it, for as long as a proof of who somebody is counts. */
const PROOF = "__Host-petstore-proof";

/** Nobody has that many cookies for one host; whoever sends more wants us to read. */
const MAX_HEADER = 16 * 1024;

/** What the `Cookie` header says of a session, or of a proof. */
export type SentCookie =
  | { readonly kind: "none" }
  /** Sent twice, or in a header that is too long: whose it would be cannot be told. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "token"; readonly token: string };

export function sentCookie(header: string | null): SentCookie {
  return sentAs(SESSION, header);
}

/** The proof that the browser was given, likewise. */
export function sentProof(header: string | null): SentCookie {
  return sentAs(PROOF, header);
}

function sentAs(name: string, header: string | null): SentCookie {
  if (header === null || !header.includes(name)) return { kind: "none" };
  if (header.length > MAX_HEADER) return { kind: "unreadable" };
  const values = header
    // No more than that is trimmed: a name behind another blank is not ours to browsers, which guard `__Host-` alone.
    .split(/;[ \t]*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token] = values;
  if (token === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "token", token } : { kind: "unreadable" };
}

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** `Set-Cookie` for a session (RFC 6265bis §4.1). */
export function setCookie(token: string, lastsSeconds: number): string {
  return `${SESSION}=${token}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** `Set-Cookie` for a proof. */
export function setProof(proof: string, lastsSeconds: number): string {
  return `${PROOF}=${proof}; ${ATTRIBUTES}; Max-Age=${lastsSeconds}`;
}

/** `Set-Cookie` that takes it away. */
export const clearCookie: string = `${SESSION}=; ${ATTRIBUTES}; Max-Age=0`;
