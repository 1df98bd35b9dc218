import { createConnection, createServer, type Socket } from "node:net";

/** A TCP proxy on loopback, before a server that a test cuts off. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Stops to forward, as if packets were lost. Connections stay open. */
  pause(): void;
  resume(): void;
  /** Ends all connections, and refuses new ones until `resume`. */
  cut(): void;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: "open" | "paused" | "cut" = "open";
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (state === "cut") {
      client.destroy();
      return;
    }
    const upstream = createConnection({ port: target, host: "127.0.0.1" });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (state === "open") client.resume();
    else upstream.pause();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("unreachable");
  return {
    port: address.port,
    pause: () => {
      state = "paused";
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    cut: () => {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
