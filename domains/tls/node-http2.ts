import { constants, createSecureServer, type ServerHttp2Session } from "node:http2";
import type { TLSSocket } from "node:tls";

import { answer } from "../../adapters/hosts/bridge.ts";
import { FIELD_BYTES } from "../../adapters/holdings/limits.ts";
import { hostsIn, type NodeRequest } from "../../adapters/hosts/node-request.ts";
import type { NodeResponse } from "../../adapters/hosts/node-response.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { answerAs, hostOf, type RequestAnswerer } from "./answer-request.ts";
import type { Connection, Connections, Protocol } from "./connections.ts";
import { CODE } from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";

export interface NodeHttp2Options {
  readonly answerer: RequestAnswerer;
  readonly connections: Pick<Connections, "of" | "begin" | "end">;
  readonly limits: Pick<TlsLimits, "maxStreams" | "maxHeaderBytes">;
}

/** Speaks HTTP/2 with the client of a connection. */
export type SpeakHttp2 = (connection: Connection, tls: TLSSocket) => Protocol;

/** HTTP/2 by `node:http2`, which ends a stream with larger headers than the limit. */
export function createNodeHttp2({ answerer, connections, limits }: NodeHttp2Options): SpeakHttp2 {
  const { maxStreams, maxHeaderBytes } = limits;
  const server = createSecureServer({
    settings: {
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: maxHeaderBytes,
      enablePush: false,
    },
  });
  const protocols = new WeakMap<Connection, NodeHttp2>();
  server.on("session", (session) => {
    session.on("error", () => undefined);
    const connection = connections.of(session.socket);
    const protocol = connection === undefined ? undefined : protocols.get(connection);
    if (protocol !== undefined) protocol.session = session;
  });
  server.on("request", (message, target) => {
    const connection = connections.of(message.socket);
    if (connection === undefined) {
      message.socket.destroy();
      return;
    }
    if (!connections.begin(connection)) return;
    // The message drops its stream when it closes.
    const { stream } = message;
    void answerRequest(answerer, message, target, connection).then(() => {
      connections.end(connection, stream.rstCode !== constants.NGHTTP2_NO_ERROR);
    });
  });
  return (connection, tls) => {
    const protocol = new NodeHttp2(connection, tls);
    protocols.set(connection, protocol);
    server.emit("secureConnection", tls);
    return protocol;
  };
}

class NodeHttp2 implements Protocol {
  /** Set as soon as the server has it. */
  session: ServerHttp2Session | undefined;
  readonly #connection: Connection;
  readonly #tls: TLSSocket;

  constructor(connection: Connection, tls: TLSSocket) {
    this.#connection = connection;
    this.#tls = tls;
  }

  get moved(): number {
    const { bytesRead, bytesWritten } = this.#open?.socket ?? this.#tls;
    return bytesRead + bytesWritten;
  }

  finish(): void {
    if (this.session?.closed === false) this.session.close();
  }

  dismiss(): void {
    this.breakOff();
  }

  breakOff(): void {
    if (this.#open === undefined) this.#connection.socket.destroy();
    else this.#open.destroy();
  }

  refuse(): void {
    if (this.#open === undefined) this.#connection.socket.destroy();
    else this.#open.destroy(new Error("The client asks for too much."), CODE.calm);
  }

  get #open(): ServerHttp2Session | undefined {
    return this.session?.destroyed === true ? undefined : this.session;
  }
}

/** Answers one request. Resolves when the response was sent or abandoned. Never rejects. */
async function answerRequest(
  answerer: RequestAnswerer,
  message: NodeRequest,
  target: NodeResponse,
  connection: Connection,
): Promise<void> {
  const size = sizeOf(message.rawHeaders);
  const flow = connection.holding.begin(size + FIELD_BYTES * (message.rawHeaders.length / 2));
  const authority = requestedAuthority(message) ?? connection.serverName ?? "";
  const service = (request: Request): Eventual<Response> => {
    if (size > answerer.maxHeaderBytes) return new Response(null, { status: 431 });
    if (isMalformed(message)) return new Response(null, { status: 400 });
    return answerAs(answerer, request, connection, hostOf(authority));
  };
  try {
    // Responses to other methods are short, and the service needs to see several at a time to be fast.
    if (message.method === "GET" || message.method === "HEAD") {
      const started = flow.start();
      // When a client disconnects, all its waiting requests resume. None of them needs a response.
      if (!(isPromise(started) ? await started : started) || hasLeft(target)) return;
    }
    await answer(
      { fetch: async (request) => service(request) },
      {
        message,
        target,
        path: message.url ?? "/",
        scheme: "https",
        host: authority,
        context: {},
        onError: answerer.onError,
        flow,
        received: (bytes) => flow.received(bytes),
      },
    );
  } finally {
    flow.end();
  }
}

/** A client can also cancel a single request. */
function hasLeft({ destroyed, stream }: NodeResponse): boolean {
  return destroyed === true || stream?.destroyed === true || stream?.aborted === true;
}

function requestedAuthority({ headers }: NodeRequest): string | undefined {
  const authority = headers[":authority"];
  return typeof authority === "string" ? authority : headers.host;
}

/**
 * Reports whether a request is malformed although the parser accepted it: several hosts, two different authorities or an
 * invalid path (RFC 9113 §8.3.1). Another server on the way may parse it differently.
 */
function isMalformed({ headers, rawHeaders, method, url = "" }: NodeRequest): boolean {
  const authority = headers[":authority"];
  const differs =
    typeof authority === "string" &&
    headers.host !== undefined &&
    authority.toLowerCase() !== headers.host.toLowerCase();
  const isPath = url.startsWith("/") || (url === "*" && method === "OPTIONS");
  return hostsIn(rawHeaders) > 1 || differs || !isPath;
}

/** Counts names and values as HTTP/2 does, without the 32 bytes for each (RFC 9113 §6.5.2). */
function sizeOf(rawHeaders: readonly string[]): number {
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size;
}
