import { createConnection, createServer, type Socket } from "node:net";

/** A load balancer that forwards TCP connections to its targets in turn, and skips those that refuse them. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
}

export async function startBalancer(targets: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  };
  const forward = (client: Socket, [target, ...others]: readonly number[]): void => {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = createConnection({ port: target, host: "127.0.0.1" });
    keep(upstream);
    let connected = false;
    upstream.once("connect", () => {
      connected = true;
      client.pipe(upstream).pipe(client);
    });
    upstream.on("close", () => {
      if (connected) client.destroy();
      else forward(client, others);
    });
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    const first = turn++ % targets.length;
    forward(client, [...targets.slice(first), ...targets.slice(0, first)]);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("unreachable");
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
