/** What a client says before anything is encrypted, as far as we choose by it. */
export interface ClientHello {
  /** In lower case; undefined when it names none, or nothing that could be a host name (RFC 6066 §3). */
  readonly serverName: string | undefined;
  /** As it offers them, the one it likes best first (RFC 7301 §3.1); empty when it says nothing of protocols. */
  readonly protocols: readonly string[];
}

/** Post-quantum key shares make some 2 KiB of it; nobody needs more than this. */
export const MAX_HELLO_BYTES: number = 16 * 1024;

/**
 * Reads the first flight of a client (RFC 8446 §4.1.2), which may lie in several records. `"partial"`: it may become
 * one when more has arrived. Undefined: it is none, and will not become one.
 */
export function readClientHello(bytes: Uint8Array): ClientHello | "partial" | undefined {
  const message = handshakeOf(bytes);
  if (message === undefined || message === "partial") return message;
  try {
    return helloOf(new Fields(message));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
const MAX_RECORD = 16_384;

/** The body of the first handshake message, out of the records that it is cut into. */
function handshakeOf(bytes: Uint8Array): Uint8Array | "partial" | undefined {
  const parts: Uint8Array[] = [];
  let gathered = 0;
  let expected = MESSAGE_HEAD;
  for (let at = 0; gathered < expected;) {
    if (at < bytes.length && bytes[at] !== HANDSHAKE) return undefined;
    if (at + RECORD_HEAD > bytes.length) return "partial";
    // Major version 3, in every version of the protocol.
    if (bytes[at + 1] !== 3) return undefined;
    const length = uint(bytes, at + 3, 2);
    if (length === 0 || length > MAX_RECORD) return undefined;
    const part = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length);
    parts.push(part);
    gathered += part.length;
    at += RECORD_HEAD + length;
    if (expected === MESSAGE_HEAD && gathered >= MESSAGE_HEAD) {
      const head = Buffer.concat(parts);
      if (head[0] !== CLIENT_HELLO) return undefined;
      expected = MESSAGE_HEAD + uint(head, 1, 3);
      if (expected > MAX_HELLO_BYTES) return undefined;
    }
    if (part.length < length && gathered < expected) return "partial";
  }
  return Buffer.concat(parts).subarray(MESSAGE_HEAD, expected);
}

const SERVER_NAME = 0;
const HOST_NAME = 0;
const PROTOCOLS = 16;
/** Real clients send some twenty; the rest of a list is not looked at. */
const MAX_PROTOCOLS = 20;

function helloOf(fields: Fields): ClientHello {
  let serverName: string | undefined;
  const protocols: string[] = [];
  fields.skip(2 + 32);
  fields.vector(1);
  fields.vector(2);
  fields.vector(1);
  const extensions = fields.over ? fields : new Fields(fields.vector(2));
  while (!extensions.over) {
    const type = extensions.number(2);
    const body = new Fields(extensions.vector(2));
    if (type === SERVER_NAME) {
      const names = new Fields(body.vector(2));
      if (names.number(1) === HOST_NAME) serverName = hostOf(names.vector(2));
    } else if (type === PROTOCOLS) {
      const offered = new Fields(body.vector(2));
      while (!offered.over && protocols.length < MAX_PROTOCOLS) {
        protocols.push(ascii(offered.vector(1)));
      }
    }
  }
  return { serverName, protocols };
}

const HOST = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

function hostOf(bytes: Uint8Array): string | undefined {
  const name = ascii(bytes).toLowerCase().replace(/\.$/, "");
  return HOST.test(name) ? name : undefined;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function uint(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (const byte of bytes.subarray(at, at + size)) value = value * 256 + byte;
  return value;
}

/** Reads from the front to the end; a RangeError says that something is longer than what holds it. */
class Fields {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get over(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(size: number): number {
    const at = this.#at;
    this.skip(size);
    return uint(this.#bytes, at, size);
  }

  /** Bytes with their length before them, in `size` bytes. */
  vector(size: number): Uint8Array {
    const length = this.number(size);
    const start = this.#at;
    this.skip(length);
    return this.#bytes.subarray(start, this.#at);
  }

  skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError("The field is longer than its place.");
  }
}
