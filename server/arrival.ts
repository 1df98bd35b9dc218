import { HOST } from "../adapters/node-request.ts";
import type { FetchContext } from "../lib/index.ts";

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

/** What a trusted proxy says of the request that it passes on. */
export interface Forwarded {
  /** Of the client. */
  readonly address: string;
  readonly scheme: "http" | "https" | undefined;
  /** Host and port that the client asked for. */
  readonly host: string | undefined;
}

const MAX_HOPS = 32;
const FORWARDED_HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Reads `X-Forwarded-*` if the request comes from a proxy that is trusted. The client is the rightmost address
 * that no trusted proxy has: what stands left of it was written by the client itself.
 */
export function forwarded(
  headers: Headers,
  remote: string,
  trusted: (address: string) => boolean,
): Forwarded | undefined {
  if (!trusted(remote)) return undefined;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").slice(-MAX_HOPS);
  let address = remote;
  for (const hop of hops.toReversed()) {
    const next = bare(hop.trim());
    if (next === "") break;
    address = next;
    if (!trusted(next)) break;
  }
  const scheme = last(headers, "x-forwarded-proto")?.toLowerCase();
  const host = last(headers, "x-forwarded-host");
  return {
    address,
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
    host: host !== undefined && FORWARDED_HOST.test(host) ? host : undefined,
  };
}

/** The nearest proxy writes at the end; only that one is known to be trusted. */
function last(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(",").at(-1)?.trim();
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bare(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
