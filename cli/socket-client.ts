import { managementClient, type ManagementClient } from "../lib/management/index.ts";
import type { Finding } from "./check.ts";
import { Failure } from "./exit.ts";
import type { ServerStatus } from "./server-status.ts";
import { socketPath } from "./socket-path.ts";
import { codeOf } from "./system-error.ts";

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
