import { rmSync, closeSync, openSync } from "node:fs";
import type { Eventual } from "../lib/base/eventual.ts";
import type { Log } from "../lib/index.ts";
import type { Finding } from "./checks/check.ts";
import { managementClient, type ManagementClient } from "../lib/management/index.ts";
import { Failure, codeOf } from "../settings/failure.ts";
import { basename, dirname } from "node:path";

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

/** A server that does what commands ask for. */
export interface Connection {
  readonly client: ManagementClient;
  close(): Promise<void>;
}

/** Speaks to the server behind the socket; undefined when there is none. */
export async function connect(path: string, version: string): Promise<Connection | undefined> {
  const status = await serverStatus(path);
  if (status === undefined) return undefined;
  if (status.version !== version) throw otherVersion(status.version, version);
  const short = socketPath(path);
  const send = (request: Request): Promise<Response> =>
    fetch(request, { unix: short.path }).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      throw new Failure("failed", BROKE_OFF, { cause: error });
    });
  return { client: managementClient({ send }), close: async () => short.release() };
}

const BROKE_OFF =
  "The server broke off before it answered. Whether it did what it was asked is not known: look before you try again.";

/** Returns what the server behind the socket says of itself; undefined when none runs. */
export function serverStatus(path: string): Promise<ServerStatus | undefined> {
  return askServer<ServerStatus>(path, "/", 5_000);
}

/** Returns what the server behind the socket finds when it checks itself; undefined when none runs. */
export function serverFindings(path: string): Promise<readonly Finding[] | undefined> {
  return askServer<readonly Finding[]>(path, "/doctor", 30_000);
}

async function askServer<Answer>(
  path: string,
  about: string,
  timeoutMs: number,
): Promise<Answer | undefined> {
  let short;
  try {
    short = socketPath(path);
  } catch (error) {
    // Without its directory there is no socket either.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://petstore${about}`, { unix: short.path, signal });
    return await response.json();
  } catch (error) {
    const code = codeOf(error);
    // No socket, or one that was left by a process that died.
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return undefined;
    if (code === "EACCES" || code === "EPERM") {
      throw new Failure("denied", `${path} belongs to another user.`, { cause: error });
    }
    throw new Failure("tryLater", `The server behind ${path} does not answer.`, { cause: error });
  } finally {
    short.release();
  }
}

function otherVersion(theirs: string, ours: string): Failure {
  return new Failure(
    "failed",
    `The server that runs is version ${theirs}, this command is ${ours}. Use the same program for both, or restart the server.`,
  );
}

/** A name under which the system takes a socket. */
export interface SocketPath {
  readonly path: string;
  /** After that the name leads nowhere. */
  release(): void;
}

/** `sun_path` has 108 bytes, the last of which is zero (unix(7)). */
const LONGEST = 107;

/** A longer path is abbreviated by way of an open directory, as Linux allows. */
function socketPath(path: string): SocketPath {
  if (Buffer.byteLength(path) <= LONGEST) return { path, release: () => {} };
  if (process.platform !== "linux") {
    throw new Failure(
      "configuration",
      `The path of the socket, ${path}, is longer than ${LONGEST} bytes. Choose a shorter --data-dir.`,
    );
  }
  const directory = openSync(dirname(path), "r");
  return {
    path: `/proc/self/fd/${directory}/${basename(path)}`,
    release: () => closeSync(directory),
  };
}

/** What a server says of itself to whoever reaches its socket. */
interface ServerStatus {
  /** Of the program: one of another version is not spoken to. */
  readonly version: string;
  readonly pid: number;
  readonly addresses: Addresses;
}

/** Where a server can be reached from this machine: `http://127.0.0.1:8080`. */
export interface Addresses {
  readonly production: string;
  readonly staging: string | undefined;
  readonly https?: string | undefined;
  readonly metrics: string | undefined;
}
