import { isHost } from "../../adapters/hosts/node-request.ts";
import { remembered } from "../../lib/base/cache.ts";
import type { FetchContext } from "../../lib/index.ts";

/** The part of Bun's server that knows the client's address. */
export interface Remote {
  requestIP(request: Request): { readonly address: string; readonly port?: number } | null;
}

/** Where a request is for, and where it comes from. */
export interface Arrival {
  /** The `Host` header, or what a trusted proxy forwards for it. Empty if the client sent none. */
  readonly host: string;
  /** Index of the path in `request.url`. */
  readonly pathStart: number;
  /** Whether the client used TLS, to us or to a trusted proxy. */
  readonly secure: boolean;
  readonly context: Pick<FetchContext, "address" | "origin">;
}

/** Returns a reader of requests that accepts `X-Forwarded-*` from `trusted` proxies only. */
export function arrivals(
  trusted: ((address: string) => boolean) | undefined,
): (request: Request, server: Remote) => Arrival {
  return (request, server) => {
    const { url } = request;
    // The path alone if the client names no host (HTTP/1.0).
    const pathStart = url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
    const { over, host } = originParts(url.slice(0, pathStart));
    const address = (): string | undefined => server.requestIP(request)?.address;
    const by =
      trusted === undefined ? undefined : forwarded(request.headers, address() ?? "", trusted);
    if (by === undefined) {
      return { host, pathStart, secure: over === "https", context: { address } };
    }
    const scheme = by.scheme ?? over;
    const requested = by.host ?? host;
    const origin = requested === "" ? {} : { origin: `${scheme}://${requested}` };
    const secure = scheme === "https";
    return { host: requested, pathStart, secure, context: { address: by.address, ...origin } };
  };
}

/** The parts of what precedes a path: empty if the client named no host. */
const originParts = remembered((origin) => {
  const over = origin.startsWith("https:") ? "https" : "http";
  return { over, host: origin.slice(over.length + "://".length) } as const;
});

/**
 * Returns whether the `Host` of the request is ambiguous or invalid (RFC 9112 §3.2): several are joined by commas. HTTP/1.0
 * requests may have none.
 */
export function isMisnamed({ headers }: Pick<Request, "headers">): boolean {
  const host = headers.get("host");
  return host !== null && !isKnownHost(host);
}

const isKnownHost = remembered(isHost);

/** Returns the origin that the client used: `http://pets.example.org`. */
export function originOf({ url }: Request, { pathStart, context }: Arrival): string | undefined {
  return context.origin ?? (pathStart === 0 ? undefined : url.slice(0, pathStart));
}

/** What a trusted proxy reports about the original request. */
export interface Forwarded {
  /** Address of the client. */
  readonly address: string;
  readonly scheme: "http" | "https" | undefined;
  /** Host and port that the client requested. */
  readonly host: string | undefined;
}

const MAX_HOPS = 32;
const FORWARDED_HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Reads `X-Forwarded-*` if the request comes from a trusted proxy. The client is the rightmost address that is not a
 * trusted proxy: the client itself may have written what precedes it.
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

/** Returns the last value: only the nearest proxy, which appends at the end, is known to be trusted. */
function last(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(",").at(-1)?.trim();
}

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bare(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
