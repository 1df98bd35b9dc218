import { connect, type Socket } from "node:net";

import {
  serveHttp1,
  type Http1Options,
  type Http1Server,
} from "../../server/listeners/http1/serve.ts";
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
