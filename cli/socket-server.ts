import { rmSync } from "node:fs";

import type { Eventual } from "../lib/base/eventual.ts";
import type { Log } from "../lib/index.ts";
import type { Finding } from "./check.ts";
import type { ServerStatus } from "./server-status.ts";
import { socketPath } from "./socket-path.ts";

const OWNER_ONLY = 0o177;

interface SocketOptions {
  readonly path: string;
  /** The management API, for somebody who may do anything. */
  readonly manage: (request: Request) => Eventual<Response>;
  readonly status: ServerStatus;
  /** Runs the checks of `doctor` with the options of this server. */
  readonly examine: () => Promise<readonly Finding[]>;
  readonly log: Log;
}

/** Where the commands on this machine are answered. */
export interface Socket {
  /** Requests that are not answered yet. */
  readonly pending: number;
  /** Takes no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Breaks off what is under way. */
  end(): Promise<void>;
  /** Ends it, and takes the socket away. */
  close(): Promise<void>;
}

/** Does what commands on this machine ask for. Whoever may open the socket may do anything. */
export function serveSocket({ path, manage, status, examine, log }: SocketOptions): Socket {
  // Only the holder of the lock comes here: a socket that is there was left by a process that died.
  rmSync(path, { force: true });
  const short = socketPath(path);
  const umask = process.umask(OWNER_ONLY);
  let server: Bun.Server<undefined>;
  try {
    server = Bun.serve({
      unix: short.path,
      // What may be sent is the API's business; the largest is a site.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: async (request, connections) => {
        // It is ourselves who ask: a command that ends closes its connection.
        connections.timeout(request, 0);
        const { pathname } = new URL(request.url);
        if (pathname === "/") return Response.json(status);
        return pathname === "/doctor" ? Response.json(await examine()) : manage(request);
      },
      error: (error) => {
        log.error("a request over the socket broke", error);
        return new Response(null, { status: 500 });
      },
    });
  } catch (error) {
    short.release();
    throw error;
  } finally {
    process.umask(umask);
  }
  return {
    get pending() {
      return server.pendingRequests;
    },
    stop: () => server.stop(),
    end: () => server.stop(true),
    close: async () => {
      await server.stop(true);
      rmSync(path, { force: true });
      short.release();
    },
  };
}
