import { connect, type Socket } from "node:net";

import {
  serveHttp1,
  type Http1Options,
  type Http1Server,
} from "../../server/listeners/http1/serve.ts";
import { lightRequest } from "../../adapters/http1/arrived-request.ts";
import { Http1Connection } from "../../adapters/http1/connection.ts";
import { PLAIN } from "../../adapters/http1/head.ts";
import type { Peer } from "../../adapters/http1/peer.ts";
import { ampleHoldings } from "./holdings.ts";

const open = new Set<Http1Server>();

/** Ends all servers that were started. */
export async function endServers(): Promise<void> {
  for (const server of open) await server.end();
  open.clear();
}

/** Starts a server, which answers with the address and the body of the request unless `fetch` is given. */
export function serve(options: Partial<Http1Options> = {}): Http1Server {
  const server = serveHttp1(
    { hostname: "127.0.0.1", port: 0 },
    {
      fetch: async (request) => new Response(`${request.url} ${await request.text()}`),
      holdings: ampleHoldings,
      ...options,
    },
  );
  open.add(server);
  return server;
}

/** The text of a request with these `Host` fields, which is the last on its connection. */
export const get = (target: string, ...hosts: readonly string[]): string =>
  [
    `GET ${target} HTTP/1.1`,
    ...hosts.map((host) => `Host: ${host}`),
    "Connection: close",
    "",
    "",
  ].join("\r\n");

export interface Client {
  readonly socket: Socket;
  /** What has arrived so far, as Latin-1. */
  received(): string;
  /** Whether the server has ended its side. */
  readonly ended: () => boolean;
  readonly closed: () => boolean;
}

export async function client({ port }: Pick<Http1Server, "port">): Promise<Client> {
  const parts: string[] = [];
  let ended = false;
  let closed = false;
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (chunk) => parts.push(chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.on("end", () => (ended = true));
  socket.on("close", () => (closed = true));
  await new Promise((resolve) => void socket.once("connect", resolve));
  return { socket, received: () => parts.join(""), ended: () => ended, closed: () => closed };
}

export const ask = (path: string, fields = "", method = "GET"): string =>
  `${method} /${path} HTTP/1.1\r\nHost: one.test\r\n${fields}\r\n`;

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A connection without a socket, whose client does not mind whether it is read. */
export interface Bare {
  readonly connection: Http1Connection;
  readonly sent: () => string;
  readonly errors: readonly unknown[];
}

/** Makes a connection whose requests are never answered. */
export function bare(peer: Partial<Peer> = {}): Bare {
  let sent = "";
  const errors: unknown[] = [];
  const nothing = (): void => undefined;
  const far = Number.MAX_SAFE_INTEGER;
  const connection = new Http1Connection(
    {
      onError: (error) => errors.push(error),
      limits: {
        maxHeadBytes: 65_536,
        headMs: far,
        maxDroppedBytes: 65_536,
        dropMs: far,
        stopDropMs: far,
        lingerMs: far,
      },
      now: () => 0,
      date: () => "Thu, 01 Jan 1970 00:00:00 GMT",
      stopping: () => false,
    },
    {
      origin: PLAIN,
      send: (data) => {
        sent += Buffer.from(data).toString("latin1");
        return true;
      },
      sendWhole: nothing,
      waits: false,
      unsent: 0,
      pause: nothing,
      resume: nothing,
      end: nothing,
      destroy: nothing,
      requestOf: lightRequest,
      answer: () => new Promise(() => undefined),
      bytesOf: async () => new Uint8Array(),
      hold: (cut) => ampleHoldings.open(cut),
      began: nothing,
      ended: nothing,
      ...peer,
    },
  );
  return { connection, sent: () => sent, errors };
}
