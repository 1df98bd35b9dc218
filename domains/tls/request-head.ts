import { isHost, pathOf, shownMethod } from "../../adapters/hosts/node-request.ts";
import { remembered } from "../../lib/base/cache.ts";
import { encodedField, type Field } from "./hpack.ts";
import { FIELD_BYTES } from "../../adapters/holdings/limits.ts";

/** The header that tells the server behind the relay which stream a request belongs to. */
export const MARK = "x-petstore-stream";

/** What the fields of an HTTP/2 request say (RFC 9113 §8.3.1). */
export interface RequestHead {
  /** Estimated memory for the fields. */
  readonly bytes: number;
  /** Undefined if the client names no host. */
  readonly authority: string | undefined;
  /** The path as it must reach the service: what a URL would resolve or drop is escaped. */
  readonly path: string;
  /** The announced length of the body. */
  readonly length: number | undefined;
  /** The status of the response to a request that must not reach the service. */
  readonly refusedWith: 400 | 431 | undefined;
  /** The fields for the server behind the relay, which knows few methods. It finds what else is malformed. */
  readonly encoded: string;
}

/** Collects the fields of a request, of which it keeps only as many as are allowed. */
export class HeadReader {
  readonly #maxBytes: number;
  #encoded = "";
  #bytes = 0;
  #fields = 0;
  #malformed = false;
  #authority: string | undefined;
  #host: string | undefined;
  #path: string | undefined;
  #method = "";
  #length: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  readonly take = ({ name, value, encoded }: Field): void => {
    this.#bytes += name.length + value.length;
    this.#fields++;
    if (this.#isLarge) return;
    switch (name) {
      case ":method": {
        this.#method = value;
        const method = shownMethod(value);
        this.#encoded += method === value ? encoded : encodedField(name, method);
        return;
      }
      case ":path":
        this.#path = value;
        break;
      case ":authority":
        this.#authority = value;
        break;
      case "host":
        this.#malformed ||= this.#host !== undefined;
        this.#host = value;
        break;
      case "content-length":
        this.#malformed ||= !DIGITS.test(value) || (this.#length ?? value) !== value;
        this.#length = value;
        break;
      case MARK:
        this.#malformed = true;
        break;
      default:
    }
    this.#encoded += encoded;
  };

  /** Returns what was collected. `complete`: no body follows. */
  head(complete: boolean): RequestHead {
    const refusedWith = this.#isLarge ? 431 : this.#isMalformed ? 400 : undefined;
    const refused = refusedWith !== undefined;
    const path = this.#path ?? "";
    return {
      // Of those that are too many, none is kept.
      bytes: refusedWith === 431 ? 0 : this.#bytes + FIELD_BYTES * this.#fields,
      authority: this.#authority ?? this.#host,
      path: refused ? "/" : pathOf(ASCII.test(path) ? path : utf8(path)),
      length: refused || this.#length === undefined ? undefined : Number(this.#length),
      refusedWith,
      encoded: refused ? refusable(complete) : this.#encoded,
    };
  }

  /** Fields cost memory besides their text. */
  get #isLarge(): boolean {
    return this.#bytes > this.#maxBytes || this.#fields * COUNTED_BYTES > this.#maxBytes;
  }

  get #isMalformed(): boolean {
    const path = this.#path ?? "/";
    const authority = this.#authority ?? this.#host;
    return (
      this.#malformed ||
      (authority !== undefined && !isAuthority(authority)) ||
      (this.#host !== undefined && this.#host.toLowerCase() !== authority?.toLowerCase()) ||
      // The server behind the relay refuses an empty path.
      !(path === "" || path.startsWith("/") || (path === "*" && this.#method === "OPTIONS"))
    );
  }
}

const isAuthority = remembered(isHost);

const DIGITS = /^\d{1,15}$/;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;
/** Size of a field besides its name and value, halved: most clients count only those. */
const COUNTED_BYTES = 16;

function utf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

/** Returns the fields of a request that takes the place of a refused one. */
function refusable(complete: boolean): string {
  const fields = [
    [":method", complete ? "GET" : "POST"],
    [":scheme", "https"],
    [":path", "/"],
    [":authority", "refused"],
  ] as const;
  return fields.map(([name, value]) => encodedField(name, value)).join("");
}
