import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";

import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { inspectChain } from "../acme/inspect.ts";
import { toPem } from "../acme/pem.ts";
import { abortable } from "../dns/gate.ts";
import type { Probe } from "../pipeline/context.ts";

const PATIENCE_MS: number = 5 * SECOND_MS;

/**
 * Makes a TLS handshake with this service's own listener, as a visitor of the domain would. Any issuer is accepted; the
 * certificate must be for the name and not expired.
 */
export function handshakeProbe(
  listener: () => { readonly host: string; readonly port: number },
  clock: Clock,
  /** Sent before the handshake, for a listener that expects a proxy. Default: nothing. */
  preamble = "",
): Probe {
  return (name, signal, now) =>
    abortable(signal, (end) => {
      const { host, port } = listener();
      const raw = connectPlain({ host, port });
      raw.on("error", () => end(false));
      raw.write(preamble);
      const socket = connect({ socket: raw, servername: name, rejectUnauthorized: false });
      socket.setTimeout(PATIENCE_MS, () => end(false));
      socket.on("error", () => end(false));
      socket.on("close", () => end(false));
      socket.once("secureConnect", () => {
        end(isFor(socket.getPeerCertificate().raw, name, now ?? clock.now()));
      });
      return () => {
        socket.destroy();
        raw.destroy();
      };
    });
}

function isFor(der: Uint8Array | undefined, name: string, now: number): boolean {
  const leaf = der === undefined ? undefined : inspectChain(toPem("CERTIFICATE", der));
  const facts = leaf?.certificates[0];
  if (facts === undefined || facts.notAfter < now) return false;
  return facts.names.includes(name) || facts.names.includes(name.replace(/^[^.]+/, "*"));
}
