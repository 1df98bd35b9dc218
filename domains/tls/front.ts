import { createServer, type Socket } from "node:net";
import { createHoldings, type Holdings } from "../../adapters/holdings/holdings.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { isolatedLog } from "../../lib/base/hook.ts";
import type { Log } from "../../lib/base/log.ts";
import { aClock, aFunction, checkOptions, having, optional } from "../../lib/base/options.ts";
import type { CertificateFor, ChallengeAnswers } from "../ports/certificates.ts";
import type { TlsFetch } from "./answer-request.ts";
import { readFirstFlight } from "./client-hello.ts";
import { createConnections } from "./connections.ts";
import { createGreeting } from "./greeting.ts";
import { createHandshakes } from "./handshakes.ts";
import { createSecureHttp1 } from "./http1.ts";
import { holdingLimitsIn, limitsFrom, limitsOption, type TlsLimits } from "./limits.ts";
import { createNodeHttp2 } from "./node-http2.ts";
import { createRelayed, type StartPlainHttp2 } from "./relayed.ts";

/** Options of the TLS listener. */
export interface TlsFrontOptions {
  /** That of `createDomains`. */
  readonly certificateFor: CertificateFor;
  /** Those of `createDomains`. */
  readonly challenges: Pick<ChallengeAnswers, "tlsAlpn01">;
  /** Answers the requests, which have `https` addresses. */
  readonly fetch: TlsFetch;
  /**
   * Reads what a proxy sends before the handshake, and returns the client's address. If it returns undefined, it has closed
   * the connection. Default: the peer is the client.
   */
  readonly clientAddress?: (socket: Socket) => Promise<string | undefined>;
  /** Reports whether two names may share a connection, provided that the certificate covers both. */
  readonly sameProject: (serverName: string, host: string) => boolean;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log;
  /** Limits of connections and memory. Default: those of each member. */
  readonly limits?: Partial<TlsLimits>;
  /**
   * Counts the memory that clients use, together with other listeners: from `createHoldings`, which has its limits then.
   * The caller closes it after the front. Default: the front's own.
   */
  readonly holdings?: Holdings | undefined;
  /** Starts a server that speaks HTTP/2 faster than `node:http2`, the default. */
  readonly plainHttp2?: StartPlainHttp2 | undefined;
}

/** An HTTPS listener whose names change at run time. */
export interface TlsFront {
  /** Resolves with the bound port; port 0 picks a free one. Rejects with the system's error. */
  listen(at: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>;
  /**
   * Closes the connections for a name before it returns; for `*.example.org`, those for every name it covers.
   * `certificateFor` decides whether the name is served again.
   */
  closeName(serverName: string): void;
  readonly connections: number;
  /** Requests without a complete response. */
  readonly pending: number;
  /** Bytes in memory for requests in progress and for responses that clients have not read, of all that share `holdings`. */
  readonly heldBytes: number;
  /** Stops accepting connections. Resolves when the requests in progress are answered. */
  stop(): Promise<void>;
  /** Closes every connection. */
  end(): Promise<void>;
}

/**
 * Reads the ClientHello of every connection before its handshake, and refuses the connection, shows it a challenge
 * certificate or hands it to the web server. So a session ticket cannot revive a removed name, and unknown names cost
 * no cryptography. The callbacks of Bun and Node cannot do both. Throws a `TypeError` for invalid options.
 */
export function createTlsFront(options: TlsFrontOptions): TlsFront {
  checkOptions("createTlsFront", options, {
    certificateFor: aFunction,
    challenges: having("the challenges of createDomains", "tlsAlpn01"),
    fetch: aFunction,
    clientAddress: optional(aFunction),
    sameProject: aFunction,
    clock: aClock,
    log: optional(having("a log with error()", "error")),
    limits: optional(limitsOption),
    holdings: optional(having("the holdings of createHoldings", "open", "bytes")),
    plainHttp2: optional(aFunction),
  });
  const { certificateFor, challenges, fetch, sameProject, clock } = options;
  const { clientAddress } = options;
  const log = isolatedLog(options.log);
  const { plainHttp2 } = options;
  const limits = limitsFrom(options.limits);
  const [misplaced] = Object.keys(holdingLimitsIn(options.limits ?? {}));
  if (options.holdings !== undefined && misplaced !== undefined) {
    throw new TypeError(
      `createTlsFront does not take the limit ${misplaced} together with holdings: give it to createHoldings.`,
    );
  }
  const shared = options.holdings;
  const holdings = shared ?? createHoldings({ clock, limits: holdingLimitsIn(limits) });
  const connections = createConnections(clock, limits, holdings);
  let draining = false;

  const answerer = {
    fetch,
    sameProject,
    maxHeaderBytes: limits.maxHeaderBytes,
    onError: (error: unknown) => log.error("an answer over TLS broke", error),
  };

  const speakHttp1 = createSecureHttp1({
    answerer,
    connections,
    limits,
    clock,
    draining: () => draining,
  });

  const relayed =
    plainHttp2 === undefined
      ? undefined
      : createRelayed({ start: plainHttp2, answerer, connections, limits, clock });
  const speakHttp2 = relayed?.speak ?? createNodeHttp2({ answerer, connections, limits });

  const handshakes = createHandshakes(
    (kind, serverName) => connections.presented(kind, serverName)?.context,
    (tls) => {
      const connection = connections.of(tls);
      if (connection === undefined) {
        tls.destroy();
        return;
      }
      const speak = tls.alpnProtocol === "h2" ? speakHttp2 : speakHttp1;
      connections.secured(connection, { tls, protocol: speak(connection, tls) });
    },
  );
  const greet = createGreeting({
    certificateFor,
    challenges,
    clock,
    limits,
    connections,
    handshakes,
    log,
  });

  const listener = createServer({ noDelay: true }, (socket) => {
    // A disconnect is not an error. "close" follows.
    socket.on("error", () => undefined);
    const connection = connections.admit(socket);
    if (connection === undefined) {
      socket.destroy();
      return;
    }
    const begin = (): void => {
      const hold = (bytes: number): void => connection.holding.set("arriving", bytes);
      readFirstFlight(socket, (hello) => greet(connection, hello), hold);
    };
    if (clientAddress === undefined) {
      begin();
      return;
    }
    void clientAddress(socket).then((address) => {
      if (address === undefined) return;
      connection.remoteAddress = address;
      begin();
      socket.resume();
    });
  });

  const close = (): void => {
    draining = true;
    if (listener.listening) listener.close();
  };
  return {
    listen: ({ host, port }) => {
      return new Promise((resolve, reject) => {
        listener.once("error", reject);
        listener.listen(port, host, () => {
          listener.off("error", reject);
          const address = listener.address();
          resolve({ port: typeof address === "object" ? (address?.port ?? port) : port });
        });
      });
    },
    closeName: (serverName) => connections.closeName(serverName),
    get connections() {
      return connections.size;
    },
    get pending() {
      return connections.pending;
    },
    get heldBytes() {
      return holdings.bytes;
    },
    stop: () => {
      close();
      return connections.drain();
    },
    end: async () => {
      close();
      connections.closeAll();
      if (shared === undefined) holdings.close();
      relayed?.close();
    },
  };
}
