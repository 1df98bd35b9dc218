import type { Eventual } from "../../lib/base/eventual.ts";
import type { Connection } from "./connections.ts";

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

/** Answers a request for `host` over a connection for another name only if both lead to the same site. */
export function answerAs(
  { fetch, sameProject }: Pick<RequestAnswerer, "fetch" | "sameProject">,
  request: Request,
  { remoteAddress, serverName, credential }: Connection,
  host: string,
): Eventual<Response> {
  // Another host may share the connection if its certificate covers it (RFC 9110 §7.4).
  const mayServe =
    serverName !== undefined &&
    (host === serverName || (credential?.covers(host) === true && sameProject(serverName, host)));
  return mayServe ? fetch(request, { remoteAddress, serverName }) : misdirected();
}

/** Makes the client repeat the request over a new connection (RFC 9110 §15.5.20). */
function misdirected(): Response {
  return new Response("This connection was made for another host.\n", {
    status: 421,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Removes the port and the trailing dot, in lower case. */
export function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
