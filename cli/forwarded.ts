/** What a trusted proxy says of the request that it passes on. */
export interface Forwarded {
  /** Of the client. */
  readonly address: string;
  readonly scheme: "http" | "https" | undefined;
  /** Host and port that the client asked for. */
  readonly host: string | undefined;
}

const MAX_HOPS = 32;
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

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
    host: host !== undefined && HOST.test(host) ? host : undefined,
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
