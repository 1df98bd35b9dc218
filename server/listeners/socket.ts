import { rmSync, closeSync, openSync } from "node:fs";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { Log } from "../../lib/index.ts";
import type { Place } from "../../backup/place.ts";
import type { Holdings } from "../../domains/index.ts";
import type { Finding } from "../checks/check.ts";
import type { PetstoreClient, PetstoreOperations } from "../../domains/operations.ts";
import { serveHttp1, type Http1Server } from "./http1/serve.ts";
import { managementClient } from "../../lib/management/index.ts";
import { Failure, codeOf } from "../../settings/failure.ts";
import { basename, dirname } from "node:path";

const OWNER_ONLY = 0o177;

interface SocketOptions {
  readonly path: string;
  /** The management API, with all permissions. */
  readonly manage: (request: Request) => Eventual<Response>;
  readonly status: ServerStatus;
  /** Runs the checks of `doctor` with the options of this server. */
  readonly examine: () => Promise<readonly Finding[]>;
  /** Makes a backup, and answers with its events. */
  readonly backUp: (request: Request) => Promise<Response>;
  /** Keeps every blob until the connection is closed. */
  readonly keep: () => Response;
  readonly holdings: Holdings;
  readonly log: Log;
}

/** The socket for commands on this machine. */
export interface Socket {
  /** Number of unanswered requests. */
  readonly pending: number;
  /** Accepts no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Aborts the requests under way. */
  end(): Promise<void>;
  /** Aborts the requests under way and deletes the socket. */
  close(): Promise<void>;
}

/** What the socket answers besides the management API, by path. */
interface OwnAnswers {
  readonly "/": ServerStatus;
  readonly "/doctor": readonly Finding[];
}

/** Serves the commands on this machine. A process that may open the socket has all permissions. */
export function serveSocket({
  path,
  manage,
  status,
  examine,
  backUp,
  keep,
  holdings,
  log,
}: SocketOptions): Socket {
  const own: { readonly [Path in keyof OwnAnswers]: () => Eventual<OwnAnswers[Path]> } = {
    "/": () => status,
    "/doctor": examine,
  };
  const isOwn = (pathname: string): pathname is keyof OwnAnswers => Object.hasOwn(own, pathname);
  // We hold the lock: an existing socket was left by a process that crashed.
  rmSync(path, { force: true });
  const short = socketPath(path);
  const umask = process.umask(OWNER_ONLY);
  let server: Http1Server;
  try {
    server = serveHttp1(
      { unix: short.path },
      {
        fetch: async (request) => {
          const { pathname } = new URL(request.url);
          if (pathname === BACKUP) return backUp(request);
          if (pathname === BLOBS) return keep();
          return isOwn(pathname) ? Response.json(await own[pathname]()) : manage(request);
        },
        onError: (error) => log.error("a request on the socket failed", error),
        // Only our own commands connect, and they close the connection when they end.
        limits: { idleMs: Number.POSITIVE_INFINITY },
        holdings,
      },
    );
  } catch (error) {
    short.release();
    throw error;
  } finally {
    process.umask(umask);
  }
  return {
    get pending() {
      return server.pending;
    },
    stop: () => server.stop(),
    end: () => server.end(),
    close: async () => {
      await server.end();
      rmSync(path, { force: true });
      short.release();
    },
  };
}

/** A service for a command. */
export interface Connection {
  readonly client: PetstoreClient;
  close(): Promise<void>;
}

/** Connects to the server behind the socket; undefined if none runs. */
export async function connect(path: string, version: string): Promise<Connection | undefined> {
  const status = await serverStatus(path);
  if (status === undefined) return undefined;
  if (status.version !== version) throw otherVersion(status.version, version);
  const short = socketPath(path);
  const send = (request: Request): Promise<Response> =>
    fetch(request, { unix: short.path }).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      throw new Failure("failed", DISCONNECTED, { cause: error });
    });
  return {
    client: managementClient<PetstoreOperations>({ send }),
    close: async () => short.release(),
  };
}

const BACKUP = "/backup";
const BLOBS = "/blobs";

/** Asks the server behind the socket for a backup; the stream has its events. Undefined if no server runs. */
export async function requestBackup(
  path: string,
  version: string,
  to: Place,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const status = await serverStatus(path);
  if (status === undefined) return undefined;
  if (status.version !== version) throw otherVersion(status.version, version);
  const short = socketPath(path);
  try {
    const { body } = await fetch(`http://petstore${BACKUP}`, {
      unix: short.path,
      method: "POST",
      body: JSON.stringify({ to }),
    });
    return body ?? undefined;
  } catch (cause) {
    throw new Failure("failed", DISCONNECTED, { cause });
  } finally {
    short.release();
  }
}

/** A server's promise to keep every blob. */
export interface Kept {
  /** Whether the promise still holds; false if the server stopped. */
  holds(): boolean;
  release(): Promise<void>;
}

/** Makes the server behind the socket keep every blob until `release`. Undefined if no server runs. */
export async function keepBlobs(path: string, version: string): Promise<Kept | undefined> {
  const status = await serverStatus(path);
  if (status === undefined) return undefined;
  if (status.version !== version) throw otherVersion(status.version, version);
  const short = socketPath(path);
  let reader;
  try {
    const { body } = await fetch(`http://petstore${BLOBS}`, { unix: short.path });
    reader = body?.getReader();
    // The answer begins when the promise holds.
    if (reader === undefined || (await reader.read()).done) return undefined;
  } catch (cause) {
    throw new Failure("failed", DISCONNECTED, { cause });
  } finally {
    short.release();
  }
  let holds = true;
  const read = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  const ended = read()
    .catch(() => undefined)
    .then(() => {
      holds = false;
    });
  return {
    holds: () => holds,
    release: async () => {
      await reader.cancel().catch(() => undefined);
      await ended;
    },
  };
}

const DISCONNECTED =
  "The server closed the connection before it answered. The command may or may not have taken effect: check before you try again.";

/** Returns the status of the server behind the socket; undefined if none runs. */
export function serverStatus(path: string): Promise<ServerStatus | undefined> {
  return askServer(path, "/", 5_000);
}

/** Returns the findings of the server behind the socket about itself; undefined if none runs. */
export function serverFindings(path: string): Promise<readonly Finding[] | undefined> {
  return askServer(path, "/doctor", 30_000);
}

async function askServer<About extends keyof OwnAnswers>(
  path: string,
  about: About,
  timeoutMs: number,
): Promise<OwnAnswers[About] | undefined> {
  let short;
  try {
    short = socketPath(path);
  } catch (error) {
    // The directory does not exist.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://petstore${about}`, { unix: short.path, signal });
    return await response.json();
  } catch (error) {
    const code = codeOf(error);
    // No socket, or one left by a process that crashed.
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
    `The running server is version ${theirs}, this command is ${ours}. Use the same program for both, or restart the server.`,
  );
}

/** A path that fits the system's limit for sockets. */
export interface SocketPath {
  readonly path: string;
  /** Invalidates the path. */
  release(): void;
}

/** `sun_path` has 108 bytes, the last of which is zero (unix(7)). */
const LONGEST = 107;

/** Abbreviates a longer path through an open directory, which Linux allows. */
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

/** What a server reports about itself on its socket. */
interface ServerStatus {
  /** Version of the program: commands of another version do not use the server. */
  readonly version: string;
  readonly pid: number;
  readonly addresses: Addresses;
  /** Where programs of this machine reach it by plain HTTP, without the PROXY protocol. */
  readonly direct: string;
}

/** Addresses of a server on this machine: `http://127.0.0.1:8080`. */
export interface Addresses {
  readonly production: string;
  readonly staging: string | undefined;
  readonly https?: string | undefined;
  readonly metrics: string | undefined;
}
