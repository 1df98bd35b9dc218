import { Duplex } from "node:stream";
import { connect, createServer } from "node:tls";

import { firstBlock } from "../acme/pem.ts";
import { abortable } from "../dns/gate.ts";
import type { Rehearse } from "../ports/certificates.ts";
import { credentialOf, PROTOCOL } from "./credentials.ts";

/**
 * Builds the context of a certificate as a listener does, and makes a handshake between a server and a client in memory:
 * no address, port or trust store is involved.
 */
export const rehearseHandshake: Rehearse = async (name, { chainPem, privateKeyPem }, signal) => {
  try {
    const credential = credentialOf({ chainPem, privateKeyPem });
    if (!credential.covers(name)) return `The certificate is not for ${name}.`;
  } catch {
    // The library's message names its source files.
    return "The certificate and its key cannot be loaded for TLS.";
  }
  return (await shakesHands(name, { chainPem, privateKeyPem }, signal))
    ? undefined
    : "A handshake with the certificate fails.";
};

function shakesHands(
  name: string,
  { chainPem, privateKeyPem }: Parameters<Rehearse>[1],
  signal: AbortSignal,
): Promise<boolean> {
  return abortable(signal, (end) => {
    const [near, far] = pipes();
    const server = createServer({ cert: chainPem, key: privateKeyPem, ...PROTOCOL });
    server.on("tlsClientError", () => end(false));
    // The client has what it needs and disconnects first.
    server.on("secureConnection", (tls) => tls.on("error", () => undefined));
    server.emit("connection", near);
    const client = connect({ socket: far, servername: name, rejectUnauthorized: false });
    client.on("error", () => end(false));
    client.on("close", () => end(false));
    client.once("secureConnect", () => {
      const shown = client.getPeerCertificate().raw;
      const leaf = firstBlock("CERTIFICATE", chainPem);
      end(leaf !== undefined && Buffer.compare(shown, leaf) === 0);
    });
    return () => {
      client.destroy();
      near.destroy();
      far.destroy();
    };
  });
}

/** Returns the two ends of a connection in memory. */
function pipes(): readonly [Duplex, Duplex] {
  const near: Duplex = pipeTo(() => far);
  const far: Duplex = pipeTo(() => near);
  return [near, far];
}

function pipeTo(other: () => Duplex): Duplex {
  return new Duplex({
    // A handshake is small: nothing has to wait for the reader.
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => {
      other().push(chunk);
      done();
    },
    final: (done) => {
      other().push(null);
      done();
    },
  });
}
