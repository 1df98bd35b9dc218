import { createSocket } from "node:dgram";
import { connect } from "node:net";

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
 * By datagrams. The socket is connected: datagrams from elsewhere never come up, and when nobody listens
 * the network says so at once. Its port is of the system's choosing, a new one for each query.
 */
export const exchangeDatagrams: ExchangeMessages = (server, query, take, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = createSocket(isIpv6(server.address) ? "udp6" : "udp4");
    const end = (): void => {
      signal.removeEventListener("abort", giveUp);
      // A late error of a closed socket is nobody's any more.
      socket.removeAllListeners().on("error", () => undefined);
      socket.close();
    };
    const giveUp = (): void => {
      end();
      reject(signal.reason);
    };
    const unreachable = (): void => {
      end();
      resolve("unreachable");
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.on("error", unreachable);
    socket.on("message", (message) => {
      const taken = take(message);
      if (taken === undefined) return;
      end();
      resolve(taken);
    });
    // As an event, not as a callback, which would be given the errors that belong to "error".
    socket.once("connect", () => {
      socket.send(query, (error) => {
        if (error) unreachable();
      });
    });
    socket.connect(server.port, server.address);
  });

/** By TCP (RFC 7766): one query a connection, and the first message is the answer or there is none. */
export const exchangeStream: ExchangeMessages = (server, query, take, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    const end = (): void => {
      signal.removeEventListener("abort", giveUp);
      socket.removeAllListeners().on("error", () => undefined);
      socket.destroy();
    };
    const giveUp = (): void => {
      end();
      reject(signal.reason);
    };
    const unreachable = (): void => {
      end();
      resolve("unreachable");
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.on("error", unreachable);
    socket.on("close", unreachable);
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      // Text comes only when an encoding was set.
      if (typeof chunk === "string") return;
      received = Buffer.concat([received, chunk]);
      const message = firstMessage(received);
      if (message === undefined) return;
      const taken = take(message);
      if (taken === undefined) {
        unreachable();
        return;
      }
      end();
      resolve(taken);
    });
    const framed = new Uint8Array(query.length + 2);
    viewOf(framed).setUint16(0, query.length);
    framed.set(query, 2);
    socket.write(framed);
  });

/** The message whose length stands before it (RFC 1035 §4.2.2), once all of it is there. */
function firstMessage(received: Uint8Array): Uint8Array | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + viewOf(received).getUint16(0);
  return received.length < end ? undefined : received.subarray(2, end);
}
