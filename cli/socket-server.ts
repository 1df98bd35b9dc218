import { rmSync } from "node:fs";

import { StoreUnavailable, type LocalClient, type Log } from "../lib/index.ts";
import { callable, type Call, type Reply, type ServerStatus } from "./calls.ts";
import { socketPath } from "./socket-path.ts";

/** The largest call is a batch of rows to import. */
const MAX_CALL_BYTES = 16 * 1024 * 1024;
const OWNER_ONLY = 0o177;

interface SocketOptions {
  readonly path: string;
  readonly client: LocalClient;
  readonly status: ServerStatus;
  readonly log: Log;
}

/** Does what commands on this machine ask for. Whoever may open the socket may do anything. */
export function serveSocket({ path, client, status, log }: SocketOptions): () => Promise<void> {
  const calls = callable(client);
  const perform = async ({ version, name, argument }: Call): Promise<Reply> => {
    if (version !== status.version) return { kind: "other version", version: status.version };
    const call = calls.get(name);
    if (call === undefined) return { kind: "unknown call" };
    try {
      // The same version of this program sent it: `clientOf` gave it the type of the function.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { kind: "value", value: await call(argument as never) };
    } catch (error) {
      if (error instanceof StoreUnavailable) return { kind: "unavailable", message: error.message };
      log.error("a call over the socket broke", error, { call: name });
      return { kind: "broken", message: error instanceof Error ? error.message : String(error) };
    }
  };

  // Only the holder of the lock comes here: a socket that is there was left by a process that died.
  rmSync(path, { force: true });
  const short = socketPath(path);
  const umask = process.umask(OWNER_ONLY);
  let server;
  try {
    server = Bun.serve({
      unix: short.path,
      maxRequestBodySize: MAX_CALL_BYTES,
      fetch: async (request) => {
        if (request.method === "GET") return Response.json(status);
        const call: Call = await request.json();
        return Response.json(await perform(call));
      },
      error: (error) => {
        log.error("a call over the socket could not be read", error);
        return new Response(null, { status: 400 });
      },
    });
  } catch (error) {
    short.release();
    throw error;
  } finally {
    process.umask(umask);
  }
  const served = server;
  return async () => {
    await served.stop(true);
    rmSync(path, { force: true });
    short.release();
  };
}
