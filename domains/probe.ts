import { connect } from "node:tls";

import { SECOND_MS, type Clock } from "../lib/base/clock.ts";
import { inspectChain } from "./acme/inspect.ts";
import { toPem } from "./acme/keys.ts";
import type { Probe } from "./pipeline/context.ts";

const PATIENCE_MS: number = 5 * SECOND_MS;

/**
 * Shakes hands with our own listener for HTTPS, as a client of the domain would. Who issued the certificate does not
 * matter here, for a client of ours is not asked to trust anybody; it must be for the name, and not be over.
 */
export function handshakeProbe(
  listener: () => { readonly host: string; readonly port: number },
  clock: Clock,
): Probe {
  return (name, signal, now) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const { host, port } = listener();
      const socket = connect({ host, port, servername: name, rejectUnauthorized: false });
      const settle = (answered: boolean): void => {
        signal.removeEventListener("abort", giveUp);
        socket.destroy();
        resolve(answered);
      };
      const giveUp = (): void => {
        socket.destroy();
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      socket.setTimeout(PATIENCE_MS, () => settle(false));
      socket.on("error", () => settle(false));
      socket.on("close", () => settle(false));
      socket.once("secureConnect", () => {
        settle(isFor(socket.getPeerCertificate().raw, name, now ?? clock.now()));
      });
    });
}

function isFor(der: Uint8Array | undefined, name: string, now: number): boolean {
  const leaf = der === undefined ? undefined : inspectChain(toPem("CERTIFICATE", der));
  const facts = leaf?.certificates[0];
  if (facts === undefined || facts.notAfter < now) return false;
  return facts.names.includes(name) || facts.names.includes(name.replace(/^[^.]+/, "*"));
}
