import { HOST, pathOf } from "../../adapters/node-request.ts";

/** Fields that change how a message is read, or what its connection is used for. */
const SPECIAL: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Fields whose responses are never kept. */
const PRIVATE: ReadonlySet<string> = new Set(["authorization", "cookie", "range"]);

/** A simple request, read. */
export interface Simple {
  readonly method: "GET" | "HEAD";
  readonly url: string;
  readonly authority: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the response may depend on who asks. */
  readonly personal: boolean;
}

const VERSION = " HTTP/1.1";
const NAME = /^[A-Za-z\d_-]+$/;

/**
 * Reads a whole GET or HEAD without a body in the form in which nearly all clients write it; undefined if it must be
 * read by an HTTP parser.
 */
export function readSimple(text: string): Simple | undefined {
  const method = text.startsWith("GET /") ? "GET" : text.startsWith("HEAD /") ? "HEAD" : undefined;
  if (method === undefined || !text.endsWith("\r\n\r\n") || !isPlain(text)) return undefined;
  const first = text.indexOf("\r\n");
  if (!text.endsWith(VERSION, first)) return undefined;
  const target = text.slice(method.length + 1, first - VERSION.length);
  if (target.includes(" ")) return undefined;
  // The fastest way to make a Request. Names that are inherited are refused like those that are repeated.
  const headers: Record<string, string> = {};
  let authority: string | undefined;
  let personal = false;
  const last = text.length - 2;
  for (let at = first + 2; at < last;) {
    const end = text.indexOf("\r\n", at);
    const colon = text.indexOf(":", at);
    const name = text.slice(at, colon).toLowerCase();
    if (colon === -1 || colon > end || !NAME.test(name) || name in headers) return undefined;
    // The text is plain: all that "trim" can remove of it is spaces.
    const value = text.slice(colon + 1, end).trim();
    at = end + 2;
    if (name === "host") {
      if (!HOST.test(value)) return undefined;
      authority = value;
    } else if (SPECIAL.has(name)) {
      if (name !== "connection" || value.toLowerCase() !== "keep-alive") return undefined;
    } else if (PRIVATE.has(name)) personal = true;
    headers[name] = value;
  }
  if (authority === undefined) return undefined;
  return { method, url: `https://${authority}${pathOf(target)}`, authority, headers, personal };
}

/** Whether text consists of printable ASCII and line ends. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= SPACE && code < DELETE) continue;
    if (code !== CARRIAGE_RETURN || text.charCodeAt(++at) !== LINE_FEED) return false;
  }
  return true;
}

const [SPACE, DELETE, CARRIAGE_RETURN, LINE_FEED] = [0x20, 0x7f, 0x0d, 0x0a];

/** A request whose signal exists only if somebody asks for it, which few handlers do. */
export class SimpleRequest extends Request {
  #controller: AbortController | undefined;

  override get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** The client disconnected. */
  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(new Error("The client disconnected."));
  }
}

export function requestOf({ method, url, headers }: Simple): SimpleRequest | undefined {
  try {
    return new SimpleRequest(url, { method, headers });
  } catch {
    // Not an address.
    return undefined;
  }
}
