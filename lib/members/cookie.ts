/** Browsers accept a `__Host-` cookie only over HTTPS and from this exact host, so no sibling host can set it. */
const SESSION = "__Host-petstore";
/** The cookie that holds the proof of identity. */
const PROOF = "__Host-petstore-proof";
/** The cookie by which a browser is recognized after its session has ended. */
const DEVICE = "__Host-petstore-device";
/** The longest time that browsers keep a cookie (RFC 6265bis §5.5). */
const DEVICE_SECONDS = 400 * 86_400;

/** The most different values that are tried, since each may be read from the store. Browsers send one. */
const MOST_SENT = 8;

/**
 * Returns the different values of the session's cookie in a `Cookie` header, in their order, at most 8. Any of them may be
 * the valid one. Another site below the same domain can fill the header with its own cookies.
 */
export function sentSessions(header: string | null): readonly string[] {
  return valuesOf(SESSION, header);
}

/** Returns the values of the proof's cookie likewise. */
export function sentProofs(header: string | null): readonly string[] {
  return valuesOf(PROOF, header);
}

/** Returns the values of the cookie by which browsers are recognized likewise. */
export function sentDevices(header: string | null): readonly string[] {
  return valuesOf(DEVICE, header);
}

function valuesOf(name: string, header: string | null): readonly string[] {
  const found = new Set<string>();
  if (header === null) return [];
  const start = `${name}=`;
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at)) {
    const begins = beginsPair(header, at);
    at += start.length;
    if (!begins) continue;
    const end = header.indexOf(";", at);
    found.add(header.slice(at, end === -1 ? header.length : end));
    if (found.size === MOST_SENT) break;
  }
  return [...found];
}

/**
 * Returns whether the name at `index` is that of a cookie: at the beginning, or after a semicolon. Skips only blanks and
 * tabs before it, because browsers do not protect a name after other white space as `__Host-`.
 */
function beginsPair(header: string, index: number): boolean {
  let before = index - 1;
  while (header[before] === " " || header[before] === "\t") before--;
  return index === 0 || header[before] === ";";
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

/** Returns the `Set-Cookie` header by which the browser is recognized later. */
export function setDevice(marks: string): string {
  return `${DEVICE}=${marks}; ${ATTRIBUTES}; Max-Age=${DEVICE_SECONDS}`;
}

/** The `Set-Cookie` header that removes the session. */
export const clearCookie: string = `${SESSION}=; ${ATTRIBUTES}; Max-Age=0`;
