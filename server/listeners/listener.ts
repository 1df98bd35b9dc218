import { authority, reachable, type Endpoint } from "../../settings/addresses.ts";
import { codeOf, Failure } from "../../settings/failure.ts";
import type { Holdings } from "../../domains/index.ts";
import type { Handler } from "./front.ts";
import { serveHttp1 } from "./http1/serve.ts";
import { listenBehindProxies, type ProxyReader } from "./proxy-protocol.ts";

export interface Listener {
  /** The address and port that are bound. */
  readonly endpoint: Endpoint;
  /** Address on this machine: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Address on this machine without the PROXY protocol. */
  readonly direct: string;
  /** Number of unanswered requests. */
  readonly pending: number;
  /** Accepts no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Aborts the requests under way. */
  end(): Promise<void>;
}

/** What the listeners of a process share. */
export interface Shared {
  /** Counts the memory that clients use. */
  readonly holdings: Holdings;
  /** Undefined unless proxies say who their clients are. */
  readonly proxies?: ProxyReader | undefined;
  /** Called with what a handler or the body of a response throws. */
  readonly onError: (error: unknown) => void;
}

/** Listens for plain HTTP. Rejects with a `Failure` that names the option. */
export async function listen(
  endpoint: Endpoint,
  option: string,
  handler: Handler,
  { holdings, proxies, onError }: Shared,
): Promise<Listener> {
  if (proxies !== undefined) {
    return listenForProxies(endpoint, option, handler, { holdings, proxies, onError });
  }
  const server = await bound(endpoint, option, async (hostname) =>
    serveHttp1({ hostname, port: endpoint.port }, { fetch: handler, onError, holdings }),
  );
  const real = { host: endpoint.host, port: server.port };
  const origin = `http://${authority(reachable(real))}`;
  return {
    endpoint: real,
    origin,
    direct: origin,
    get pending() {
      return server.pending;
    },
    stop: () => server.stop(),
    end: () => server.end(),
  };
}

/** Listens likewise, but reads the client's address from the PROXY protocol, which Bun does not know. */
async function listenForProxies(
  endpoint: Endpoint,
  option: string,
  handler: Handler,
  { proxies, ...shared }: Shared & { readonly proxies: ProxyReader },
): Promise<Listener> {
  let clientOf = (_port: number): string | undefined => undefined;
  const forwarded: Handler = (request, server) => {
    const address = clientOf(server.requestIP(request)?.port ?? 0);
    // Another program of this machine uses the port behind: it is the client.
    if (address === undefined) return handler(request, server);
    return handler(request, {
      requestIP: () => ({ address }),
      timeout: (of, seconds) => server.timeout(of, seconds),
    });
  };
  const behind = await listen({ host: "127.0.0.1", port: 0 }, option, forwarded, shared);
  try {
    const front = await bound(endpoint, option, (host) =>
      listenBehindProxies({ host, port: endpoint.port }, behind.endpoint.port, proxies),
    );
    ({ clientOf } = front);
    const real = { host: endpoint.host, port: front.port };
    return {
      endpoint: real,
      origin: `http://${authority(reachable(real))}`,
      direct: behind.origin,
      get pending() {
        return behind.pending;
      },
      stop: async () => {
        front.stop();
        await behind.stop();
        front.end();
      },
      end: async () => {
        front.end();
        await behind.end();
      },
    };
  } catch (error) {
    await behind.end();
    throw error;
  }
}

/** Listens on the first free port after `port`, on the same host. */
export async function listenBeside(
  { host, port }: Endpoint,
  option: string,
  handler: Handler,
  shared: Shared,
): Promise<Listener> {
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    try {
      return await listen({ host, port: next }, option, handler, shared);
    } catch (error) {
      if (!(error instanceof Failure) || codeOf(error.cause) !== "EADDRINUSE") throw error;
    }
  }
  throw new Failure("configuration", `No port after ${port} is free. Choose one with --${option}.`);
}

/** Binds an endpoint: for an empty host both IP families, or IPv4 alone if the machine has no IPv6. */
export async function bound<Server>(
  endpoint: Endpoint,
  option: string,
  bind: (hostname: string) => Promise<Server>,
): Promise<Server> {
  const { host } = endpoint;
  try {
    if (host !== "") return await bind(host);
    return await bind("::").catch((error: unknown) => {
      if (codeOf(error) === "EADDRINUSE") throw error;
      return bind("0.0.0.0");
    });
  } catch (error) {
    throw cannotListen(endpoint, option, error);
  }
}

function cannotListen(endpoint: Endpoint, option: string, cause: unknown): Failure {
  const where = authority(endpoint);
  const code = codeOf(cause) ?? "";
  const message =
    code === "EADDRINUSE"
      ? `Port ${endpoint.port} is in use by another program (${where}). Choose another with --${option}, or port 0 for any.`
      : `Cannot listen on ${where} (--${option}): ${reasons[code] ?? (cause instanceof Error ? cause.message : String(cause))}.`;
  return new Failure("configuration", message, { cause });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE)",
  EADDRNOTAVAIL: "this machine does not have that address",
};
