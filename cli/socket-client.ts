import { StoreUnavailable, type LocalClient } from "../lib/index.ts";
import { clientOf, type Call, type Reply, type ServerStatus } from "./calls.ts";
import { Failure } from "./exit.ts";
import { socketPath } from "./socket-path.ts";
import { codeOf } from "./system-error.ts";

/** A server that does what commands ask for. */
export interface Connection {
  readonly client: LocalClient;
  close(): Promise<void>;
}

/** Speaks to the server behind the socket; undefined when there is none. */
export async function connect(path: string, version: string): Promise<Connection | undefined> {
  const status = await serverStatus(path);
  if (status === undefined) return undefined;
  if (status.version !== version) throw otherVersion(status.version, version);
  const short = socketPath(path);
  const send = async (name: string, argument: unknown): Promise<unknown> => {
    const call: Call = { version, name, argument };
    const response = await ask(short.path, { method: "POST", body: JSON.stringify(call) });
    const reply: Reply = await response.json();
    switch (reply.kind) {
      case "value":
        return reply.value;
      case "other version":
        throw otherVersion(reply.version, version);
      case "unavailable":
        throw new StoreUnavailable(reply.message);
      case "unknown call":
        throw new Error(`The server does not know ${name}.`);
      case "broken":
        throw new Error(`The server could not do it: ${reply.message}`);
    }
  };
  return { client: clientOf(send), close: async () => short.release() };
}

/** What the server behind the socket says of itself; undefined when there is none. */
export async function serverStatus(path: string): Promise<ServerStatus | undefined> {
  let short;
  try {
    short = socketPath(path);
  } catch (error) {
    // Without its directory there is no socket either.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const response = await ask(short.path, { method: "GET", signal: AbortSignal.timeout(5_000) });
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

function ask(unix: string, init: RequestInit): Promise<Response> {
  return fetch("http://petstore/", { ...init, unix });
}

function otherVersion(theirs: string, ours: string): Failure {
  return new Failure(
    "failed",
    `The server that runs is version ${theirs}, this command is ${ours}. Use the same program for both, or restart the server.`,
  );
}
