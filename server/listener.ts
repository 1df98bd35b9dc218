import { Failure, codeOf } from "../settings/failure.ts";
import { authority, reachable, type Endpoint } from "../settings/addresses.ts";
import type { Handler } from "./front.ts";

export interface Listener {
  /** Where it listens really: with a port. */
  readonly endpoint: Endpoint;
  /** `http://127.0.0.1:8080`, for whoever is on this machine. */
  readonly origin: string;
  /** Requests that are not answered yet. */
  readonly pending: number;
  /** Takes no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Breaks off what is under way. */
  end(): Promise<void>;
}

/** Longer than a body may take, so that whoever is slow is told so. */
const IDLE_SECONDS = 30;

/**
 * Listens for plain HTTP. Sizes of bodies are the handler's business: Bun would refuse the large ones
 * by an answer that lacks our headers, and it reads no more of a body than is asked for.
 */
export function listen(endpoint: Endpoint, option: string, handler: Handler): Listener {
  const server = bound(endpoint, option, (hostname) =>
    Bun.serve({
      hostname,
      port: endpoint.port,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: IDLE_SECONDS,
      development: false,
      // Bun's default where `development` is off: two servers would share the port, and each get half of the requests.
      reusePort: false,
      fetch: handler,
      // The API answers its own failures; of any other the client learns nothing either.
      error: () => new Response(null, { status: 500 }),
    }),
  );
  const real = { host: endpoint.host, port: server.port ?? endpoint.port };
  return {
    endpoint: real,
    origin: `http://${authority(reachable(real))}`,
    get pending() {
      return server.pendingRequests;
    },
    stop: () => server.stop(),
    end: () => server.stop(true),
  };
}

/** The first of the ports after `port` that is free, on the same host. */
export function listenBeside(beside: Endpoint, option: string, handler: Handler): Listener {
  const { host, port } = beside;
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    try {
      return listen({ host, port: next }, option, handler);
    } catch (error) {
      if (!(error instanceof Failure) || codeOf(error.cause) !== "EADDRINUSE") throw error;
    }
  }
  throw new Failure("configuration", `No port after ${port} is free; name one with --${option}.`);
}

function bound<Server>(
  endpoint: Endpoint,
  option: string,
  bind: (hostname: string) => Server,
): Server {
  try {
    if (endpoint.host !== "") return bind(endpoint.host);
    try {
      // Both families, where the machine has IPv6.
      return bind("::");
    } catch (error) {
      if (codeOf(error) === "EADDRINUSE") throw error;
      return bind("0.0.0.0");
    }
  } catch (error) {
    throw cannotListen(endpoint, option, error);
  }
}

/** The same for what tells of it later. */
export async function boundAnywhere<Server>(
  endpoint: Endpoint,
  option: string,
  bind: (hostname: string) => Promise<Server>,
): Promise<Server> {
  const { host } = endpoint;
  try {
    return await bind(host === "" ? "::" : host);
  } catch (error) {
    if (host !== "" || codeOf(error) === "EADDRINUSE") throw cannotListen(endpoint, option, error);
  }
  try {
    return await bind("0.0.0.0");
  } catch (error) {
    throw cannotListen(endpoint, option, error);
  }
}

function cannotListen(endpoint: Endpoint, option: string, cause: unknown): Failure {
  const where = authority(endpoint);
  const code = codeOf(cause);
  if (code === "EADDRINUSE") {
    return new Failure(
      "configuration",
      `Port ${endpoint.port} is in use by another program (${where}). Choose another with --${option}, or port 0 for any.`,
      { cause },
    );
  }
  const reason =
    code === "EACCES"
      ? "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE)"
      : code === "EADDRNOTAVAIL"
        ? "this machine has no such address"
        : cause instanceof Error
          ? cause.message
          : String(cause);
  return new Failure("configuration", `Cannot listen on ${where} (--${option}): ${reason}.`, {
    cause,
  });
}
