import { expect, test } from "bun:test";

import { connect } from "node:net";

import { dropNewConnections } from "../../server/listeners/drain.ts";
import { codeOf } from "../../settings/failure.ts";

/** Resolves with "connected" or with the error code of the attempt. */
function attempt(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      resolve("connected");
      socket.destroy();
    });
    socket.on("error", (error) => resolve(codeOf(error) ?? error.message));
  });
}

test.if(process.platform === "linux")(
  "a port that drops new connections still serves established ones, and refuses new ones once closed",
  async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("served"),
    });
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = server.port ?? 0;
    const received = Promise.withResolvers<string>();
    const earlier = connect(port, "127.0.0.1");
    earlier.on("data", (chunk) => received.resolve(chunk.toString()));
    await new Promise<void>((resolve) => earlier.on("connect", () => resolve()));
    await dropNewConnections([port]);
    // The kernel completes handshakes without the program, so only an ignored SYN is not connected by now.
    const late = attempt(port);
    earlier.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await received.promise).toContain("served");
    earlier.destroy();
    await server.stop();
    expect(await late).toBe("ECONNREFUSED");
    expect(await attempt(other.port ?? 0)).toBe("connected");
    await other.stop(true);
  },
);
