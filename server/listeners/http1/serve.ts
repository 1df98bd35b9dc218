import type { Holdings } from "../../../domains/index.ts";
import { httpTime, SECOND_MS, systemClock, type Clock } from "../../../lib/base/clock.ts";
import type { Handler } from "../front.ts";
import type { Http1Limits } from "../../../adapters/http1/peer.ts";
import { PlainPeer } from "./peer.ts";

/** A server for HTTP/1.1 without TLS. */
export interface Http1Server {
  readonly port: number;
  /** Number of requests without a complete response. */
  readonly pending: number;
  /** Accepts no more connections; resolves when the requests under way are answered, and a moment to send their bodies is over. */
  stop(): Promise<void>;
  /** Closes all connections. */
  end(): Promise<void>;
}

export type Http1Place =
  | { readonly hostname: string; readonly port: number }
  | { readonly unix: string };

export interface Http1Options {
  readonly fetch: Handler;
  /** Called with what the handler or a body throws; the client gets a 500, or its connection is cut. Default: nothing. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly limits?: Partial<typeof LIMITS>;
  /** Counts the memory that clients use, together with the other listeners of the process. */
  readonly holdings: Pick<Holdings, "open">;
}

const LIMITS: Http1Limits & { readonly idleMs: number } = {
  maxHeadBytes: 64 * 1_024,
  headMs: 30 * SECOND_MS,
  // Longer than a body may take, so that slow clients get a response.
  idleMs: 30 * SECOND_MS,
  maxDroppedBytes: 4 * 1_024 * 1_024,
  dropMs: 10 * SECOND_MS,
  stopDropMs: SECOND_MS,
  lingerMs: 5 * SECOND_MS,
};

/**
 * Reads requests from TCP connections with our own parser. The runtime's answers 400 before the response of a request that
 * has taken effect if bytes follow the request, closes the connection of pipelined requests, and hides what servers on the
 * way could read differently.
 */
export function serveHttp1(
  place: Http1Place,
  { fetch, onError = () => undefined, clock = systemClock, limits: given, holdings }: Http1Options,
): Http1Server {
  const limits = { ...LIMITS, ...given };
  const peers = new Set<PlainPeer>();
  /** Requests under way, or whose body still arrives. */
  let open = 0;
  let stopping = false;
  let quiet: (() => void) | undefined;
  /** Made once a second. */
  let date = httpTime(clock.now());
  /** Counts the seconds itself: the clock may be set. */
  let now = 0;

  const shared = {
    fetch,
    onError,
    limits,
    idleMs: limits.idleMs,
    now: () => now,
    date: () => date,
    stopping: () => stopping,
    holdings,
    began: () => {
      open++;
    },
    ended: () => {
      open--;
      if (open === 0) quiet?.();
    },
  };

  const socket: Bun.SocketHandler<PlainPeer> = {
    binaryType: "buffer",
    open: (opened) => {
      opened.data = new PlainPeer(shared, opened);
      peers.add(opened.data);
    },
    data: ({ data }, chunk) => data.receive(chunk),
    drain: ({ data }) => data.drained(),
    end: ({ data }) => data.connection.endReceived(),
    close: ({ data }) => {
      peers.delete(data);
      data.connection.closed();
    },
    // "close" follows. What reaches this is our mistake: clients that disconnect cause no error.
    error: (_socket, error) => onError(error),
  };
  // Clients may end their side with their request.
  const shape = { socket, allowHalfOpen: true };
  const listener =
    "unix" in place
      ? Bun.listen<PlainPeer>({ ...place, ...shape })
      : Bun.listen<PlainPeer>({ ...place, ...shape, exclusive: true });
  const ending = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      // Aborted: nothing is left to watch.
      await clock.sleep(SECOND_MS, ending.signal).catch(() => undefined);
      now += SECOND_MS;
      date = httpTime(clock.now());
      for (const peer of peers) peer.check(now);
    }
  };
  void watch();

  const stopListening = (): void => {
    stopping = true;
    listener.stop(false);
    for (const { connection } of peers) connection.stop();
  };
  return {
    port: "port" in listener ? listener.port : 0,
    get pending() {
      return [...peers].filter(({ connection }) => connection.isAnswering).length;
    },
    stop: async () => {
      if (!stopping) stopListening();
      if (open > 0) {
        await new Promise<void>((resolve) => {
          quiet = resolve;
        });
      }
    },
    end: async () => {
      if (!stopping) stopListening();
      for (const { connection } of peers) connection.destroy();
      ending.abort();
    },
  };
}
