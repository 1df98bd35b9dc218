import type { Socket } from "node:net";

import { MAX_HELLO_BYTES, readClientHello, type ClientHello } from "./client-hello.ts";

/**
 * Waits for what the client says first and puts it back, so that a handshake can begin with it; the socket is
 * paused then. Whoever says something else, or too much, is cut off without a call of `take`.
 */
export function readFirstFlight(socket: Socket, take: (hello: ClientHello) => void): void {
  let received: Uint8Array = new Uint8Array();
  const read = (chunk: Uint8Array): void => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const hello = readClientHello(received);
    if (hello === "partial" && received.length < MAX_HELLO_BYTES) return;
    socket.off("data", read);
    if (hello === undefined || hello === "partial") {
      socket.destroy();
      return;
    }
    socket.pause();
    socket.unshift(received);
    take(hello);
  };
  socket.on("data", read);
}

/** Why no handshake begins (RFC 8446 §6.2). */
const ALERTS = {
  internal_error: 80,
  unrecognized_name: 112,
  no_application_protocol: 120,
} as const;
const ALERT = 21;
const FATAL = 2;

/** Ends the connection before the handshake, telling the client why. */
export function refuse(socket: Socket, reason: keyof typeof ALERTS): void {
  socket.end(Uint8Array.of(ALERT, 3, 3, 0, 2, FATAL, ALERTS[reason]));
  // What it still sends is read and forgotten: closing over unread bytes would take the alert along.
  socket.resume();
}
