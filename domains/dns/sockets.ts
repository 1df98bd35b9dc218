import { createSocket } from "node:dgram";
import { connect } from "node:net";

import { abortable } from "./gate.ts";
import { viewOf } from "./wire.ts";
import { isIpv6, type ServerAddress } from "./server-address.ts";

/**
 * Sends one query and passes each received message to `take`, until it returns a value; undefined waits for the
 * next message. `unreachable`: the port is closed, or the server closed the connection. Rejects only with the
 * signal's reason, and leaves nothing open.
 */
export type SendQuery = <Taken>(
  server: ServerAddress,
  query: Uint8Array,
  take: (message: Uint8Array) => Taken | undefined,
  signal: AbortSignal,
) => Promise<Taken | "unreachable">;

/**
 * Sends a query over UDP. The socket is connected, so datagrams from other addresses are dropped and a closed port
 * is reported at once. Each query has a fresh port, chosen by the system.
 */
export const sendOverUdp: SendQuery = (server, query, take, signal) =>
  abortable(signal, (end) => {
    const socket = createSocket(isIpv6(server.address) ? "udp6" : "udp4");
    const receive = (message: Uint8Array): void => {
      const taken = take(message);
      if (taken !== undefined) end(taken);
    };
    const ask = (): void => {
      socket.send(query, (error) => {
        if (error) end("unreachable");
      });
    };
    // Errors of the closed socket end what has already ended.
    socket.on("error", () => end("unreachable"));
    socket.on("message", receive);
    // An event listener, because a callback would also receive the errors of the "error" event.
    socket.once("connect", ask);
    socket.connect(server.port, server.address);
    return () => {
      // Only our listeners: one of the runtime's closes a socket that is not bound yet.
      socket.off("message", receive).off("connect", ask);
      socket.close();
    };
  });

/** Sends a query over TCP (RFC 7766): one per connection, of which only the first message counts. */
export const sendOverTcp: SendQuery = (server, query, take, signal) =>
  abortable(signal, (end) => {
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    socket.on("error", () => end("unreachable"));
    socket.on("close", () => end("unreachable"));
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      // Chunks are strings only if an encoding is set.
      if (typeof chunk === "string") return;
      received = Buffer.concat([received, chunk]);
      const message = firstMessage(received);
      if (message !== undefined) end(take(message) ?? "unreachable");
    });
    const framed = new Uint8Array(query.length + 2);
    viewOf(framed).setUint16(0, query.length);
    framed.set(query, 2);
    socket.write(framed);
    return () => {
      socket.removeAllListeners().on("error", () => undefined);
      socket.destroy();
    };
  });

/** Returns the first length-prefixed message (RFC 1035 §4.2.2), once complete. */
function firstMessage(received: Uint8Array): Uint8Array | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + viewOf(received).getUint16(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
