import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";

import { ACME } from "./client-hello.ts";
import type { HandshakeKind } from "./connections.ts";
import { PROTOCOL } from "./credentials.ts";

/** Returns what the handshake of a connection under this name presents, which was found before it. */
type ContextFor = (kind: HandshakeKind, serverName: string) => SecureContext | undefined;

/** Makes the handshakes of connections that are handed over: `server.emit("connection", socket)`. */
export type Handshakes = Readonly<Record<HandshakeKind, Server>>;

/** `secured` takes over the connections of visitors. A CA needs only the handshake (RFC 8737 §3). */
export function createHandshakes(
  contextFor: ContextFor,
  secured: (tls: TLSSocket) => void,
): Handshakes {
  const server = (
    kind: HandshakeKind,
    protocols: readonly string[],
    after: (tls: TLSSocket) => void,
  ): Server => {
    const made = createServer({
      ALPNProtocols: [...protocols],
      ...PROTOCOL,
      // Without a context the handshake fails.
      SNICallback: (name, done) =>
        done(null, contextFor(kind, name.toLowerCase().replace(/\.$/, ""))),
    });
    // The client disconnected, or the handshake failed.
    made.on("tlsClientError", (_error, tls) => tls.destroy());
    made.on("secureConnection", (tls) => {
      // A disconnect is not an error.
      tls.on("error", () => undefined);
      after(tls);
    });
    return made;
  };
  return {
    visit: server("visit", ["h2", "http/1.1"], secured),
    validation: server("validation", [ACME], (tls) => tls.end()),
  };
}
