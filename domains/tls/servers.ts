import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";

import { ACME } from "./client-hello.ts";
import { PROTOCOL } from "./credentials.ts";
import { FIELD_BYTES, type TlsLimits } from "./limits.ts";

/** Returns the context for a connection that is handed over under this server name. */
type ContextFor = (serverName: string) => SecureContext | undefined;

/**
 * Creates the server for HTTP/2 and HTTP/1.1 over connections that are handed to it. The header limit applies to both:
 * HTTP/2 ends the stream, HTTP/1.1 emits "clientError".
 */
export function webServer(
  contextFor: ContextFor,
  { maxHeaderBytes, maxStreams }: Pick<TlsLimits, "maxHeaderBytes" | "maxStreams">,
): Http2SecureServer {
  // The types omit the HTTP/1.1 options that both runtimes read.
  const options: SecureServerOptions & { readonly maxHeaderSize: number } = {
    allowHTTP1: true,
    ...PROTOCOL,
    maxHeaderSize: maxHeaderBytes,
    settings: {
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: maxHeaderBytes,
      enablePush: false,
    },
    SNICallback: presenting(contextFor),
  };
  const server = createSecureServer(options);
  // The client disconnected, or the handshake failed.
  server.on("tlsClientError", (_error, tls) => tls.destroy());
  server.on("session", (session) => session.on("error", () => undefined));
  return server;
}

/** Removes the server's own listener, and returns a function that calls it. */
export function takeOver(
  server: Http2SecureServer,
  event: "secureConnection",
): (tls: TLSSocket) => void {
  const own = server.listeners(event);
  server.removeAllListeners(event);
  return (tls) => {
    for (const listener of own) listener.call(server, tls);
  };
}

/** A request, as far as its parser knows. */
interface Message {
  /** Whether its body has arrived. */
  readonly complete: boolean;
}

type Feed = (chunk: Buffer<ArrayBuffer>) => void;

/** Tells an `Intake` what a connection accepts. */
interface Appetite {
  /** The connection is closing. */
  readonly over: () => boolean;
  /** The connection has its maximum of requests. */
  readonly full: () => boolean;
  /** Counts the bytes that the connection holds. */
  readonly hold: (bytes: number) => void;
}

/**
 * Passes input to the HTTP parser in small chunks, pauses while the connection is full and stops when it is over. The
 * parser would otherwise create requests from all input at once: half a megabyte holds ten thousand. Counts what has
 * arrived and is not part of a complete head, or of a body that was read.
 */
export class Intake {
  readonly #tls: TLSSocket;
  readonly #appetite: Appetite;
  readonly #feed: Feed;
  #rest: Buffer<ArrayBuffer> | undefined;
  #message: Message | undefined;
  /** Bytes of an unfinished head, and of bodies that were not read. */
  #head = 0;
  #body = 0;

  /** Takes the place of the parser's listener. Undefined if the runtime's parser reads without one. */
  static before(tls: TLSSocket, appetite: Appetite): Intake | undefined {
    const [feed] = tls.listeners("data");
    if (feed === undefined) return undefined;
    tls.removeListener("data", feed);
    const intake = new Intake(tls, appetite, (chunk) => feed.call(tls, chunk));
    tls.on("data", (chunk: Buffer<ArrayBuffer>) => intake.#receive(chunk));
    return intake;
  }

  private constructor(tls: TLSSocket, appetite: Appetite, feed: Feed) {
    this.#tls = tls;
    this.#appetite = appetite;
    this.#feed = feed;
  }

  /** The head of a request is complete. */
  begin(message: Message): void {
    this.#message = message;
    this.#head = 0;
  }

  /** The handler has read bytes of a body. */
  read(bytes: number): void {
    this.#body = Math.max(0, this.#body - bytes);
    this.#count();
  }

  /** A request has ended, and its body is no longer needed. */
  end(): void {
    this.#body = 0;
    const chunk = this.#appetite.full() ? undefined : this.#rest;
    if (chunk !== undefined) {
      this.#rest = undefined;
      this.#pass(chunk);
      if (this.#rest === undefined) this.#tls.resume();
    }
    this.#count();
  }

  #receive(chunk: Buffer<ArrayBuffer>): void {
    if (this.#rest === undefined) this.#pass(chunk);
    else {
      // The parser resumes the socket after it has written.
      this.#tls.pause();
      this.#rest = Buffer.concat([this.#rest, chunk]);
      if (this.#rest.length > MAX_REST) this.#tls.destroy();
    }
    this.#count();
  }

  #pass(chunk: Buffer<ArrayBuffer>): void {
    const { over, full } = this.#appetite;
    for (let at = 0; at < chunk.length && !over(); at += MOUTHFUL) {
      if (full()) {
        this.#rest = chunk.subarray(at);
        this.#tls.pause();
        return;
      }
      const part = chunk.subarray(at, at + MOUTHFUL);
      if (this.#message?.complete === false) this.#body += part.length;
      // The parser calls `begin` before it returns, if the head is complete.
      else this.#head += part.length + FIELD_BYTES * linesIn(part);
      this.#feed(part);
    }
  }

  #count(): void {
    this.#appetite.hold(this.#head + this.#body + (this.#rest?.length ?? 0));
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

const LINE_FEED = 10;
const MOUTHFUL = 2 * 1_024;
/** A paused socket delivers only what was already read from it. */
const MAX_REST = 2 * 1_024 * 1_024;

/**
 * Creates the server that shows challenge certificates to a CA over connections that are handed to it, and closes them.
 */
export function validationServer(contextFor: ContextFor): Server {
  const server = createServer({
    ALPNProtocols: [ACME],
    ...PROTOCOL,
    SNICallback: presenting(contextFor),
  });
  server.on("tlsClientError", (_error, tls) => tls.destroy());
  // A CA needs only the handshake (RFC 8737 §3).
  server.on("secureConnection", (tls) => tls.on("error", () => undefined).end());
  return server;
}

/** Presents the context that was found before the handshake. Without one the handshake fails. */
function presenting(contextFor: ContextFor): NonNullable<SecureServerOptions["SNICallback"]> {
  return (serverName, done) => done(null, contextFor(serverName.toLowerCase().replace(/\.$/, "")));
}
