import type { Socket } from "node:net";

/** The parts of a ClientHello that decide what happens to the connection. */
export interface ClientHello {
  /** The name in lower case. Undefined: the client named no host, or no valid host name (RFC 6066 §3). */
  readonly serverName: string | undefined;
  /** The offered ALPN protocols in order of preference (RFC 7301 §3.1). Empty without the extension. */
  readonly protocols: readonly string[];
}

/** A ClientHello with post-quantum key shares takes about 2 KiB. */
export const MAX_HELLO_BYTES: number = 16 * 1024;

/**
 * Parses a ClientHello (RFC 8446 §4.1.2), which may span several records. Returns `"partial"` if more bytes are needed,
 * and undefined if the bytes are not a ClientHello.
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
/** Clients send one record, or a few. All are walked through again with each packet. */
const MAX_RECORDS = 512;

/** Joins the records of the first handshake message and returns its body. */
function handshakeOf(bytes: Uint8Array): Uint8Array | "partial" | undefined {
  const head: number[] = [];
  let gathered = 0;
  let expected = MESSAGE_HEAD;
  let at = 0;
  for (let records = 0; gathered < expected; records++) {
    if (at < bytes.length && bytes[at] !== HANDSHAKE) return undefined;
    if (at + RECORD_HEAD > bytes.length) return "partial";
    // The major version is 3 in every version of TLS.
    if (bytes[at + 1] !== 3 || records === MAX_RECORDS) return undefined;
    const length = lengthAt(bytes, at);
    if (length === 0 || length > MAX_RECORD) return undefined;
    const start = at + RECORD_HEAD;
    const arrived = Math.min(length, bytes.length - start);
    for (let index = start; head.length < MESSAGE_HEAD && index < start + arrived; index++) {
      head.push(bytes[index] ?? 0);
    }
    gathered += arrived;
    at = start + length;
    if (expected === MESSAGE_HEAD && gathered >= MESSAGE_HEAD) {
      if (head[0] !== CLIENT_HELLO) return undefined;
      expected = MESSAGE_HEAD + uint(Uint8Array.from(head), 1, 3);
      if (expected > MAX_HELLO_BYTES) return undefined;
    }
    if (arrived < length && gathered < expected) return "partial";
  }
  return contentsOf(bytes.subarray(0, at)).subarray(MESSAGE_HEAD, expected);
}

/** Returns the length of the record at an offset. */
function lengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3] ?? 0) * 256 + (bytes[at + 4] ?? 0);
}

function contentsOf(records: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < records.length; at += RECORD_HEAD + lengthAt(records, at)) {
    parts.push(records.subarray(at + RECORD_HEAD, at + RECORD_HEAD + lengthAt(records, at)));
  }
  return Buffer.concat(parts);
}

const SERVER_NAME = 0;
const HOST_NAME = 0;
const PROTOCOLS = 16;
/** Real clients offer about twenty; the rest of a longer list is ignored. */
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

/** Reads fields from front to back. Throws a RangeError if a field is longer than its container. */
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

  /** Reads a length of `size` bytes, then that many bytes. */
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

/**
 * Waits for the ClientHello, pauses the socket and puts the bytes back for the handshake. Destroys a socket that sends
 * something else or too much, without calling `take`. `hold` gets the number of bytes so far.
 */
export function readFirstFlight(
  socket: Socket,
  take: (hello: ClientHello) => void,
  hold: (bytes: number) => void,
): void {
  let received: Uint8Array = new Uint8Array();
  const read = (chunk: Uint8Array): void => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    hold(received.length);
    const hello = readClientHello(received);
    if (hello === "partial" && received.length < MAX_HELLO_BYTES) return;
    socket.off("data", read);
    if (hello === undefined || hello === "partial") {
      socket.destroy();
      return;
    }
    socket.pause();
    socket.unshift(received);
    take(hello);
  };
  socket.on("data", read);
}

/** TLS alerts (RFC 8446 §6.2). */
const ALERTS = {
  internal_error: 80,
  unrecognized_name: 112,
  no_application_protocol: 120,
} as const;
const ALERT = 21;
const FATAL = 2;

/** Sends an alert and closes the connection before the handshake. */
export function refuse(socket: Socket, reason: keyof typeof ALERTS): void {
  socket.end(Uint8Array.of(ALERT, 3, 3, 0, 2, FATAL, ALERTS[reason]));
  // Discards further input: closing a socket with unread bytes would drop the alert.
  socket.resume();
}

/** The ALPN protocol of tls-alpn-01 validation (RFC 8737 §6.2). */
export const ACME = "acme-tls/1";

const SPOKEN: readonly string[] = ["h2", "http/1.1"];

/** What a client connects for, according to its ClientHello. */
export type Purpose =
  /** An HTTP request. */
  | { readonly kind: "visit"; readonly serverName: string }
  /** Validation of a challenge by a CA (RFC 8737 §3). */
  | { readonly kind: "validation"; readonly serverName: string }
  /** Nothing this server offers. */
  | {
      readonly kind: "none";
      readonly reason: "unrecognized_name" | "no_application_protocol";
    };

/**
 * A client that offers `acme-tls/1` among other protocols is a visitor. A client without ALPN speaks HTTP/1.1. A client
 * without a server name is refused: there is no default certificate.
 */
export function purposeOf({ serverName, protocols }: ClientHello): Purpose {
  if (serverName === undefined) return { kind: "none", reason: "unrecognized_name" };
  if (protocols.length === 1 && protocols[0] === ACME) return { kind: "validation", serverName };
  const understood = protocols.length === 0 || protocols.some((one) => SPOKEN.includes(one));
  if (!understood) return { kind: "none", reason: "no_application_protocol" };
  return { kind: "visit", serverName };
}
