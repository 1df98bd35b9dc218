import { andThen, isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { answer } from "../../adapters/bridge.ts";
import { authorityOf, type NodeRequest } from "../../adapters/node-request.ts";
import { isMalformed } from "./malformed.ts";
import type { NodeResponse } from "../../adapters/node-response.ts";
import type { Holding } from "./holdings.ts";

/** Who asked, by which name in the handshake. */
export interface TlsInfo {
  readonly remoteAddress: string;
  readonly serverName: string;
}

/** Answers what came in over TLS. */
export type TlsFetch = (request: Request, info: TlsInfo) => Eventual<Response>;

export interface RequestAnswerer {
  readonly fetch: TlsFetch;
  /** Whether a connection made for one name may be asked for another host (RFC 9110 §7.4). */
  readonly mayServe: (serverName: string, host: string) => Eventual<boolean>;
  readonly maxHeaderBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Answers one request of either version; resolves when the answer was taken, or given up. Never rejects. */
export async function answerRequest(
  { fetch, mayServe, maxHeaderBytes, onError }: RequestAnswerer,
  message: NodeRequest,
  target: NodeResponse,
  info: TlsInfo,
  holding: Holding,
): Promise<void> {
  const size = sizeOf(message.rawHeaders);
  const flow = holding.begin(size);
  const authority = askedOf(message) ?? info.serverName;
  const host = hostOf(authority);
  const service = (request: Request): Eventual<Response> => {
    if (size > maxHeaderBytes) return new Response(null, { status: 431 });
    if (isMalformed(message)) return new Response(null, { status: 400 });
    if (host === info.serverName) return fetch(request, info);
    return andThen(mayServe(info.serverName, host), (may) => {
      return may ? fetch(request, info) : misdirected();
    });
  };
  const path = message.url ?? "/";
  const received = (bytes: number): void => flow.received(bytes);
  try {
    // Of other methods the answer is short, and the service may have to see many at a time to be quick.
    if (message.method === "GET" || message.method === "HEAD") {
      const started = flow.start();
      // A client that leaves ends the wait of all its requests, and none of them may cost an answer then.
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
        onError,
        flow,
        received,
      },
    );
  } finally {
    flow.end();
  }
}

/** Over HTTP/2 a client also gives up single requests. */
function hasLeft({ destroyed, stream }: NodeResponse): boolean {
  return destroyed === true || stream?.destroyed === true || stream?.aborted === true;
}

/** The connection was made for another host: the client comes again over one of its own (RFC 9110 §15.5.20). */
function misdirected(): Response {
  return new Response("This connection was made for another host.\n", {
    status: 421,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

function askedOf({ headers, url = "" }: NodeRequest): string | undefined {
  const authority = headers[":authority"];
  return typeof authority === "string" ? authority : (authorityOf(url) ?? headers.host);
}

/** Without port and the dot of the root, in lower case. */
function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

/** As HTTP/2 counts it, names and values alone (RFC 9113 §6.5.2 adds 32 bytes each). */
function sizeOf(rawHeaders: readonly string[]): number {
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size;
}
