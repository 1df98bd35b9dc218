import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";

import { ACME } from "./client-hello.ts";
import { PROTOCOL } from "./credentials.ts";
import type { TlsLimits } from "./limits.ts";

/** Returns the context for a connection that is handed over under this server name. */
type ContextFor = (serverName: string) => SecureContext | undefined;

/**
 * Creates the server whose handshakes offer HTTP/2 and HTTP/1.1 over connections that are handed to it, and which speaks
 * HTTP/2. A stream with larger headers than the limit is ended.
 */
export function webServer(
  contextFor: ContextFor,
  { maxHeaderBytes, maxStreams }: Pick<TlsLimits, "maxHeaderBytes" | "maxStreams">,
): Http2SecureServer {
  const server = createSecureServer({
    allowHTTP1: true,
    ...PROTOCOL,
    settings: {
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: maxHeaderBytes,
      enablePush: false,
    },
    SNICallback: presenting(contextFor),
  });
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
