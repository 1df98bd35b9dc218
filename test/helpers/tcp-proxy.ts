import { createConnection, createServer, type Socket } from "node:net";

/** What a test does to the connections of a TCP proxy. */
export interface Link {
  /** Stops to forward, as if packets were lost. Connections stay open. */
  pause(): void;
  /** Stops to forward, and refuses new connections for good. */
  vanish(): void;
  /** Ends all connections, and refuses new ones until `resume`. */
  cut(): void;
  /** Forwards everything this much later, in both directions. */
  delay(ms: number): void;
  /**
   * Withholds replies on the next connection whose client sends `text`. Resolves then: the server gets the request, and the
   * client does not learn what became of it.
   */
  holdReplies(text: string, armed?: { once: boolean }): Promise<void>;
  /** Forwards again, at once, what was withheld too. */
  resume(): void;
}

/** A TCP proxy on loopback, before a server that a test cuts off. */
export interface TcpProxy extends Link, AsyncDisposable {
  readonly port: number;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  let state: "open" | "paused" | "refusing" = "open";
  let delayMs = 0;
  let hold: { text: string; armed: { once: boolean }; reached: () => void } | undefined;

  const forward = (from: Socket, to: Socket, see: (bytes: string | Buffer) => void): void => {
    // In order, whatever the delay was when the bytes came.
    let last: Promise<void> | undefined;
    const later = (what: () => void): void => {
      if (last === undefined && delayMs === 0) {
        what();
        return;
      }
      const mine = Promise.all([last, Bun.sleep(delayMs)]).then(() => {
        if (last === mine) last = undefined;
        what();
      });
      last = mine;
    };
    from.on("data", (bytes) => {
      see(bytes);
      later(() => to.write(bytes));
    });
    from.on("error", () => undefined);
    from.on("close", () => later(() => to.destroySoon()));
  };

  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (state === "refusing") {
      client.destroy();
      return;
    }
    const upstream = createConnection({ port: target, host: "127.0.0.1" });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    forward(client, upstream, (bytes) => {
      if (hold === undefined || !hold.armed.once || !bytes.includes(hold.text)) return;
      hold.armed.once = false;
      upstream.pause();
      hold.reached();
    });
    forward(upstream, client, () => undefined);
    upstream.on("close", () => pairs.delete(pair));
    if (state === "open") client.resume();
    else upstream.pause();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("unreachable");
  const pause = (): void => {
    for (const socket of [...pairs].flat()) socket.pause();
  };
  const destroy = (): void => {
    for (const socket of [...pairs].flat()) socket.destroy();
  };
  return {
    port: address.port,
    pause: () => {
      state = "paused";
      pause();
    },
    vanish: () => {
      server.close();
      pause();
    },
    cut: () => {
      state = "refusing";
      destroy();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    holdReplies: (text, armed = { once: true }) =>
      new Promise((resolve) => {
        hold = { text, armed, reached: resolve };
      }),
    resume: () => {
      state = "open";
      delayMs = 0;
      hold = undefined;
      for (const socket of [...pairs].flat()) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Treats several proxies as one. */
export function linkOf(proxies: readonly Link[]): Link {
  const all = (what: (proxy: Link) => void) => (): void => proxies.forEach(what);
  return {
    pause: all((proxy) => proxy.pause()),
    vanish: all((proxy) => proxy.vanish()),
    cut: all((proxy) => proxy.cut()),
    delay: (ms) => all((proxy) => proxy.delay(ms))(),
    holdReplies: (text, armed = { once: true }) =>
      Promise.race(proxies.map((proxy) => proxy.holdReplies(text, armed))),
    resume: all((proxy) => proxy.resume()),
  };
}
