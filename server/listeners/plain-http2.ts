import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import type { StartPlainHttp2, UpstreamEvents } from "../../domains/index.ts";
import { allowHeads } from "./head-limit.ts";

/** Room for the header that marks a request. */
const MARK_BYTES = 256;

/**
 * Starts a `Bun.serve` for HTTP/2 without TLS. On Linux it listens in the abstract namespace, since the system's buffers
 * for TCP grow to megabytes per connection.
 */
export const startPlainHttp2: StartPlainHttp2 = ({ fetch, maxHeaderBytes }) => {
  allowHeads(maxHeaderBytes + MARK_BYTES);
  const unix = `\0petstore-${randomBytes(12).toString("hex")}`;
  const linux = process.platform === "linux";
  const options = {
    ...(linux ? { unix } : { hostname: "127.0.0.1", port: 0 }),
    // The types allow it for TCP only.
    http2: true,
    fetch,
    // The front has its own limits.
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    error: () => new Response(null, { status: 500 }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const server = Bun.serve(options as unknown as Bun.Serve.Options<undefined>);
  return {
    connect: (events) => {
      const socket = handlerOf(events);
      const connecting = linux
        ? Bun.connect({ unix, socket })
        : Bun.connect({ hostname: "127.0.0.1", port: server.port ?? 0, socket });
      connecting.catch(() => events.close());
    },
    stop: () => void server.stop(true),
  };
};

function handlerOf(events: UpstreamEvents): Bun.SocketHandler {
  return {
    binaryType: "buffer",
    open: (socket) => {
      events.open({
        write: (bytes) => socket.write(bytes),
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        end: () => socket.terminate(),
      });
    },
    data: (_socket, bytes) => events.data(bytes),
    drain: () => events.drain(),
    close: () => events.close(),
    // "close" follows.
    error: () => undefined,
  };
}

/** Descriptors for one HTTP/2 connection: the client's, and both ends of the one to the server above. */
const DESCRIPTORS_EACH = 3;
/** Descriptors for files, the database and other listeners. */
const RESERVED = 1_000;
const MAX_CONNECTIONS = 10_000;

/**
 * Returns how many HTTPS connections the process may serve: 10,000, or fewer if it may not open enough files. Reads the
 * limit from `/proc/self/limits`; without it, assumes enough.
 */
export function connectionsAllowed(limits: string = ownLimits()): number {
  const files = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (files === undefined) return MAX_CONNECTIONS;
  const fit = Math.floor((Number(files) - RESERVED) / DESCRIPTORS_EACH);
  return Math.min(MAX_CONNECTIONS, Math.max(fit, 100));
}

function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
