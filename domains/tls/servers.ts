import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";

import { ACME } from "./client-hello.ts";
import { PROTOCOL } from "./credentials.ts";
import type { TlsLimits } from "./limits.ts";

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

/** Tells `feedInChunks` what a connection accepts. */
interface Appetite {
  /** The connection is closing. */
  readonly over: () => boolean;
  /** The connection has its maximum of requests. */
  readonly full: () => boolean;
}

/**
 * Passes input to the HTTP parser in small chunks, pauses while the connection is full and stops when it is over. The
 * parser would otherwise create requests from all input at once: half a megabyte holds ten thousand. Returns a function
 * to call when a request ends.
 */
export function feedInChunks(tls: TLSSocket, { over, full }: Appetite): () => void {
  const [feed] = tls.listeners("data");
  if (feed === undefined) return () => undefined;
  let rest: Buffer<ArrayBuffer> | undefined;
  const pass = (chunk: Buffer<ArrayBuffer>): void => {
    for (let at = 0; at < chunk.length && !over(); at += MOUTHFUL) {
      if (full()) {
        rest = chunk.subarray(at);
        tls.pause();
        return;
      }
      feed.call(tls, chunk.subarray(at, at + MOUTHFUL));
    }
  };
  tls.removeListener("data", feed);
  tls.on("data", (chunk: Buffer<ArrayBuffer>) => {
    if (rest === undefined) {
      pass(chunk);
      return;
    }
    // The parser resumes the socket after it has written.
    tls.pause();
    rest = Buffer.concat([rest, chunk]);
    if (rest.length > MAX_REST) tls.destroy();
  });
  return () => {
    if (rest === undefined || full()) return;
    const chunk = rest;
    rest = undefined;
    pass(chunk);
    if (rest === undefined) tls.resume();
  };
}

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
