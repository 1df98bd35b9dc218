import { createSocket } from "node:dgram";
import { connect } from "node:net";

import { abortable } from "./gate.ts";
import { viewOf } from "./wire.ts";
import { isIpv6, type ServerAddress } from "./server-address.ts";

/**
 * Sends one query and waits for what comes back. `take` looks at each message and says what it is worth, or
 * undefined to wait for another. `unreachable`: the network says that nobody listens there, or the other
 * side hung up. Rejects with the signal's reason, and only then; nothing stays open.
 */
export type ExchangeMessages = <Taken>(
  server: ServerAddress,
  query: Uint8Array,
  take: (message: Uint8Array) => Taken | undefined,
  signal: AbortSignal,
) => Promise<Taken | "unreachable">;

/**
 * Exchanges datagrams over a connected socket: datagrams from other addresses are dropped, and a closed port is
 * reported at once. The system picks the port, a new one for each query.
 */
export const exchangeDatagrams: ExchangeMessages = (server, query, take, signal) =>
  abortable(signal, (end) => {
    const socket = createSocket(isIpv6(server.address) ? "udp6" : "udp4");
    socket.on("error", () => end("unreachable"));
    socket.on("message", (message) => {
      const taken = take(message);
      if (taken !== undefined) end(taken);
    });
    // An event, because a callback would also receive the errors that belong to "error".
    socket.once("connect", () => {
      socket.send(query, (error) => {
        if (error) end("unreachable");
      });
    });
    socket.connect(server.port, server.address);
    return () => {
      // Ignores late errors of the closed socket.
      socket.removeAllListeners().on("error", () => undefined);
      socket.close();
    };
  });

/** Exchanges messages over TCP (RFC 7766): one query per connection, answered by the first message or not at all. */
export const exchangeStream: ExchangeMessages = (server, query, take, signal) =>
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

/** The message whose length stands before it (RFC 1035 §4.2.2), once all of it is there. */
function firstMessage(received: Uint8Array): Uint8Array | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + viewOf(received).getUint16(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
