import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";

import { andThen, isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { CertificateFor, Presented } from "../ports/certificates.ts";
import { contextOf, PROTOCOL, type Contexts } from "./contexts.ts";
import type { TlsLimits } from "./limits.ts";
import { ACME } from "./purpose.ts";

/**
 * HTTP/2 and HTTP/1.1 over the connections that are handed to it. Both of its limits on headers are the same; what
 * is beyond them ends the stream, or is told as a "clientError".
 */
export function webServer(
  find: CertificateFor,
  contexts: Pick<Contexts, "of">,
  { maxHeaderBytes, maxStreams }: Pick<TlsLimits, "maxHeaderBytes" | "maxStreams">,
): Http2SecureServer {
  // The types leave out what is for HTTP/1.1 alone; both runtimes read it.
  const options: SecureServerOptions & { readonly maxHeaderSize: number } = {
    allowHTTP1: true,
    ...PROTOCOL,
    maxHeaderSize: maxHeaderBytes,
    settings: {
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: maxHeaderBytes,
      enablePush: false,
    },
    SNICallback: presenting(find, (presented) => contexts.of(presented)),
  };
  const server = createSecureServer(options);
  // A client that cannot agree with us, or that leaves.
  server.on("tlsClientError", (_error, tls) => tls.destroy());
  server.on("session", (session) => session.on("error", () => undefined));
  return server;
}

/** How far a connection is. */
interface Appetite {
  /** No more is read of it. */
  readonly over: () => boolean;
  /** It has as many requests under way as it may. */
  readonly full: () => boolean;
}

/**
 * Hands the parser of either version a little of what arrives at a time, nothing while the connection is full, and
 * nothing once it is over: else it makes requests of all that came at once, and half a megabyte holds ten thousand of
 * them. Returns what is to be called when a request ends.
 */
export function feedSparingly(tls: TLSSocket, { over, full }: Appetite): () => void {
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
    // The parser lets the connection go on when it has written something.
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
/** A connection that is paused brings no more than what was read of it already. */
const MAX_REST = 2 * 1_024 * 1_024;

/** Shows an authority the certificates of challenges over the connections that are handed to it, and hangs up. */
export function validationServer(find: CertificateFor): Server {
  const server = createServer({
    ALPNProtocols: [ACME],
    ...PROTOCOL,
    // Not kept: a challenge is looked at a few times, and then never again.
    SNICallback: presenting(find, contextOf),
  });
  server.on("tlsClientError", (_error, tls) => tls.destroy());
  // The handshake is all that the authority wants to see (RFC 8737 §3).
  server.on("secureConnection", (tls) => tls.on("error", () => undefined).end());
  return server;
}

/**
 * Nobody is handed over without a certificate; should it have gone meanwhile, there is none to present, and the
 * handshake ends.
 */
function presenting(
  find: CertificateFor,
  make: (presented: Presented) => SecureContext,
): (serverName: string, done: (error: Error | null, context?: SecureContext) => void) => void {
  return (serverName, done) => {
    const name = serverName.toLowerCase().replace(/\.$/, "");
    settle(
      () =>
        andThen(find(name), (presented) => (presented === undefined ? undefined : make(presented))),
      (context) => done(null, context),
      () => done(null),
    );
  };
}

/** Calls `take` with what `ask` brings, now if it is at hand; `fail` with what it throws, or `take` does. */
export function settle<Value>(
  ask: () => Eventual<Value>,
  take: (value: Value) => void,
  fail: (error: unknown) => void,
): void {
  try {
    const value = ask();
    if (isPromise(value)) value.then(take).catch(fail);
    else take(value);
  } catch (error) {
    fail(error);
  }
}
