import { HOST } from "../adapters/node-request.ts";
import type { FetchContext } from "../lib/index.ts";
import { forwarded } from "./forwarded.ts";

/** The part of Bun's server that knows who is asking. */
export interface Remote {
  requestIP(request: Request): { readonly address: string } | null;
}

/** What was asked for, and by whom. */
export interface Arrival {
  /** What follows `Host:`, or what a trusted proxy says that was. Empty where the client named none. */
  readonly host: string;
  /** Where the path begins in `request.url`. */
  readonly pathStart: number;
  /** It came over TLS, that of a trusted proxy included. */
  readonly secure: boolean;
  readonly context: Pick<FetchContext, "address" | "origin">;
}

/** Reads requests; those that come from a proxy that is `trusted` as it forwards them. */
export function arrivals(
  trusted: ((address: string) => boolean) | undefined,
): (request: Request, server: Remote) => Arrival {
  return (request, server) => {
    const { url, headers } = request;
    // Bun gives the path alone when the client names no host (HTTP/1.0), or none that can be one.
    const pathStart = url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
    const hostStart = pathStart === 0 ? 0 : url.indexOf("//") + 2;
    const host = url.slice(hostStart, pathStart);
    const address = (): string | undefined => server.requestIP(request)?.address;
    const by = trusted === undefined ? undefined : forwarded(headers, address() ?? "", trusted);
    const over = url.startsWith("https:") ? "https" : "http";
    if (by === undefined)
      return { host, pathStart, secure: over === "https", context: { address } };
    const scheme = by.scheme ?? over;
    const asked = by.host ?? host;
    const origin = asked === "" ? {} : { origin: `${scheme}://${asked}` };
    const secure = scheme === "https";
    return { host: asked, pathStart, secure, context: { address: by.address, ...origin } };
  };
}

/**
 * Whether the `Host` of the request is ambiguous or invalid (RFC 9112 §3.2), as the TLS listener sees it too: Bun joins
 * several `Host` fields by commas and takes the first for the address, and for one that is no host name gives the path
 * alone or the name that it listens on. Without any, the request is one of HTTP/1.0.
 */
export function isMisnamed({ headers }: Pick<Request, "headers">): boolean {
  const host = headers.get("host");
  return host !== null && !HOST.test(host);
}

/** `http://pets.example.org`: what the client typed. */
export function originOf({ url }: Request, { pathStart, context }: Arrival): string | undefined {
  return context.origin ?? (pathStart === 0 ? undefined : url.slice(0, pathStart));
}
