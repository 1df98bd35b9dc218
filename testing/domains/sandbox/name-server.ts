import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

import { viewOf } from "../../../domains/dns/wire.ts";
import { readQuestion, writeAnswer } from "./dns-message.ts";
import { answerFrom, type Zone } from "./zones.ts";

/** A name server on the loopback interface, over UDP and TCP. */
export interface NameServer {
  readonly port: number;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Attempts to find a port that is free for both transports. */
const ATTEMPTS = 20;
const MAX_CONNECTIONS = 64;
const IDLE_MS = 5_000;
/** The longest query that is read: a name and EDNS fit several times. */
const MAX_QUERY = 1_024;

/**
 * Serves zones: to resolvers' clients as a resolver that knows nothing else, to others as the authoritative server of all of
 * them. Reads the zones for each question.
 */
export async function startNameServer(zones: () => readonly Zone[]): Promise<NameServer> {
  const answer = (query: Uint8Array, transport: "udp" | "tcp"): Uint8Array | undefined => {
    const question = readQuestion(query);
    if (question === undefined) return undefined;
    const { recursionDesired } = question;
    return writeAnswer(question, answerFrom(zones(), question, recursionDesired), transport);
  };
  for (let attempt = 1; ; attempt++) {
    const datagrams = createSocket("udp4");
    datagrams.bind(0, HOST);
    await once(datagrams, "listening");
    const { port } = datagrams.address();
    const streams = createServer((socket) => serveStream(socket, (query) => answer(query, "tcp")));
    streams.maxConnections = MAX_CONNECTIONS;
    const connections = new Set<Socket>();
    streams.on("connection", (socket: Socket) => {
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
    });
    try {
      streams.listen(port, HOST);
      await once(streams, "listening");
    } catch (error) {
      datagrams.close();
      if (isTaken(error) && attempt < ATTEMPTS) continue;
      throw error;
    }
    datagrams.on("error", () => undefined);
    datagrams.on("message", (query, { port: from, address }) => {
      const reply = answer(query, "udp");
      // The client may be gone, which the system reports to the sender.
      if (reply !== undefined) datagrams.send(reply, from, address, () => undefined);
    });
    return { port, close: () => closeBoth(datagrams, streams, connections) };
  }
}

/** The port is free for one of the transports only. */
function isTaken(error: unknown): boolean {
  return Reflect.get(Object(error), "code") === "EADDRINUSE";
}

/** Answers the queries of a connection in turn (RFC 7766). */
function serveStream(socket: Socket, answer: (query: Uint8Array) => Uint8Array | undefined): void {
  let received = Buffer.alloc(0);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const end = 2 + viewOf(received).getUint16(0);
      if (end > MAX_QUERY) {
        socket.destroy();
        return;
      }
      if (received.length < end) return;
      const reply = answer(Uint8Array.from(received.subarray(2, end)));
      received = received.subarray(end);
      if (reply === undefined) {
        socket.destroy();
        return;
      }
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([length, reply]));
    }
  });
}

async function closeBoth(
  datagrams: DatagramSocket,
  streams: Server,
  connections: ReadonlySet<Socket>,
): Promise<void> {
  for (const connection of connections) connection.destroy();
  await Promise.all([
    new Promise<void>((resolve) => {
      datagrams.close(() => resolve());
    }),
    new Promise<void>((resolve) => {
      streams.close(() => resolve());
    }),
  ]);
}
