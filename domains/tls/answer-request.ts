import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { answer } from "../../adapters/bridge.ts";
import { hostsIn, type NodeRequest } from "../../adapters/node-request.ts";
import type { NodeResponse } from "../../adapters/node-response.ts";
import type { Credential } from "./credentials.ts";
import type { Holding } from "../../adapters/holdings/holdings.ts";
import { FIELD_BYTES } from "../../adapters/holdings/limits.ts";

/** The client of a request, and the server name of its handshake. */
export interface TlsInfo {
  readonly remoteAddress: string;
  readonly serverName: string;
}

/** Answers requests that arrive over TLS. */
export type TlsFetch = (request: Request, info: TlsInfo) => Eventual<Response>;

export interface RequestAnswerer {
  readonly fetch: TlsFetch;
  /** Reports whether both names lead to the same site. */
  readonly sameProject: (serverName: string, host: string) => boolean;
  readonly maxHeaderBytes: number;
  readonly onError: (error: unknown) => void;
}

/** The connection that a request arrived on. */
export interface RequestConnection {
  readonly info: TlsInfo;
  readonly credential: Credential;
  readonly holding: Holding;
}

/** Answers one request that `node:http2` has read. Resolves when the response was sent or abandoned. Never rejects. */
export async function answerRequest(
  answerer: RequestAnswerer,
  message: NodeRequest,
  target: NodeResponse,
  { info, credential, holding }: RequestConnection,
): Promise<void> {
  const size = sizeOf(message.rawHeaders);
  const flow = holding.begin(size + FIELD_BYTES * (message.rawHeaders.length / 2));
  const authority = requestedAuthority(message) ?? info.serverName;
  const host = hostOf(authority);
  const service = (request: Request): Eventual<Response> => {
    if (size > answerer.maxHeaderBytes) return new Response(null, { status: 431 });
    if (isMalformed(message)) return new Response(null, { status: 400 });
    return answerAs(answerer, request, { info, credential, host });
  };
  const path = message.url ?? "/";
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
        path,
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

/** Answers a request for `host` over a connection for another name only if both lead to the same site. */
export function answerAs(
  { fetch, sameProject }: Pick<RequestAnswerer, "fetch" | "sameProject">,
  request: Request,
  {
    info,
    credential,
    host,
  }: Pick<RequestConnection, "info" | "credential"> & { readonly host: string },
): Eventual<Response> {
  const { serverName } = info;
  // Another host may share the connection if its certificate covers it (RFC 9110 §7.4).
  const mayServe =
    host === serverName || (credential.covers(host) && sameProject(serverName, host));
  return mayServe ? fetch(request, info) : misdirected();
}

/** An HTTP/2 client can also cancel a single request. */
function hasLeft({ destroyed, stream }: NodeResponse): boolean {
  return destroyed === true || stream?.destroyed === true || stream?.aborted === true;
}

/** Makes the client repeat the request over a new connection (RFC 9110 §15.5.20). */
function misdirected(): Response {
  return new Response("This connection was made for another host.\n", {
    status: 421,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
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

/** Removes the port and the trailing dot, in lower case. */
export function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

/** Counts names and values as HTTP/2 does, without the 32 bytes for each (RFC 9113 §6.5.2). */
function sizeOf(rawHeaders: readonly string[]): number {
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size;
}
