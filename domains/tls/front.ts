import { aClock, aFunction, checkOptions, having, optional } from "../../lib/base/options.ts";
import { constants, type ServerHttp2Session } from "node:http2";
import { createServer, type Socket } from "node:net";
import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import { isPromise } from "../../lib/base/eventual.ts";
import { isolatedLog } from "../../lib/base/hook.ts";
import type { Log } from "../../lib/base/log.ts";
import type { CertificateFor, ChallengeAnswers } from "../ports/certificates.ts";
import { answerRequest, type TlsFetch } from "./answer-request.ts";
import { purposeOf, readFirstFlight, refuse, type ClientHello } from "./client-hello.ts";
import {
  createConnections,
  type Connection,
  type HandshakeKind,
  type Http2Session,
} from "./connections.ts";
import { createCredentials, credentialOf, type Credential } from "./credentials.ts";
import { createHoldings, type Holdings } from "../../adapters/holdings/holdings.ts";
import { holdingLimitsIn, limitsFrom, limitsOption, type TlsLimits } from "./limits.ts";
import { createSecureHttp1 } from "./http1.ts";
import { createRelayed, type StartPlainHttp2 } from "./relayed.ts";
import { takeOver, validationServer, webServer } from "./servers.ts";

export interface TlsFrontOptions {
  readonly certificateFor: CertificateFor;
  readonly challenges: Pick<ChallengeAnswers, "tlsAlpn01">;
  readonly fetch: TlsFetch;
  /**
   * Reads what a proxy sends before the handshake, and returns the client's address. If it returns undefined, it has closed
   * the connection. Default: the peer is the client.
   */
  readonly clientAddress?: (socket: Socket) => Promise<string | undefined>;
  /** Reports whether two names may share a connection, provided that the certificate covers both. */
  readonly sameProject: (serverName: string, host: string) => boolean;
  readonly clock: Clock;
  readonly log?: Log;
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
 * no cryptography. The callbacks of Bun and Node cannot do both.
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
  const { maxContexts } = limits;
  const credentials = createCredentials({ certificateFor, clock, maxContexts });
  const shared = options.holdings;
  const holdings = shared ?? createHoldings({ clock, limits: holdingLimitsIn(limits) });
  const connections = createConnections(clock, limits, holdings);
  const failed = throttled(clock, (error, suppressed) => {
    log.error("no certificate could be had for a handshake", error, { suppressed });
  });
  let draining = false;

  const contextFor = (kind: HandshakeKind) => (serverName: string) =>
    connections.presented(kind, serverName)?.context;
  const server = webServer(contextFor("visit"), limits);
  const validation = validationServer(contextFor("validation"));

  const answerer = {
    fetch,
    sameProject,
    maxHeaderBytes: limits.maxHeaderBytes,
    onError: (error: unknown) => log.error("an answer over TLS broke", error),
  };

  const relayed =
    plainHttp2 === undefined
      ? undefined
      : createRelayed({ start: plainHttp2, answerer, connections, limits, clock });

  const speakHttp1 = createSecureHttp1({
    answerer,
    connections,
    limits,
    clock,
    draining: () => draining,
  });

  const greet = (connection: Connection, hello: ClientHello): void => {
    const { socket } = connection;
    const purpose = purposeOf(hello);
    if (purpose.kind === "none") {
      refuse(socket, purpose.reason);
      return;
    }
    const { kind, serverName } = purpose;
    connections.name(connection, serverName);
    const shake = (credential: Credential | undefined): void => {
      if (socket.destroyed) return;
      if (credential === undefined) {
        refuse(socket, "unrecognized_name");
        return;
      }
      connections.present(connection, kind, credential);
      (kind === "visit" ? server : validation).emit("connection", socket);
    };
    const fail = (error: unknown): void => {
      failed(error);
      refuse(socket, "internal_error");
    };
    try {
      const found = kind === "visit" ? credentials.find(serverName) : challengeFor(serverName);
      if (isPromise(found)) found.then(shake).catch(fail);
      else shake(found);
    } catch (error) {
      fail(error);
    }
  };

  /** Not cached: a CA validates a challenge only a few times. */
  const challengeFor = async (serverName: string): Promise<Credential | undefined> => {
    const presented = await challenges.tlsAlpn01(serverName);
    return presented === undefined ? undefined : credentialOf(presented);
  };

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

  /** Lets `node:http2` speak with the client. */
  const speakHttp2 = takeOver(server, "secureConnection");
  server.on("secureConnection", (tls) => {
    const connection = connections.of(tls);
    if (connection === undefined) {
      tls.destroy();
      return;
    }
    connections.secured(connection, tls);
    // A disconnect is not an error.
    tls.on("error", () => undefined);
    if (tls.alpnProtocol !== "h2") connection.http1 = speakHttp1(connection, tls);
    else if (relayed === undefined) speakHttp2(tls);
    else relayed.take(connection, tls);
  });
  server.on("session", (session) => {
    const connection = connections.of(session.socket);
    if (connection !== undefined) connection.session = sessionOf(session);
  });
  server.on("request", (message, target) => {
    const connection = connections.of(message.socket);
    if (connection?.serverName === undefined || connection.credential === undefined) {
      message.socket.destroy();
      return;
    }
    const { remoteAddress, serverName, credential, holding } = connection;
    if (!connections.begin(connection)) return;
    // The message drops its stream when it closes.
    const { stream } = message;
    const info = { remoteAddress, serverName };
    void answerRequest(answerer, message, target, { info, credential, holding }).then(() => {
      connections.end(connection, stream.rstCode !== constants.NGHTTP2_NO_ERROR);
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

function sessionOf(session: ServerHttp2Session): Http2Session {
  return {
    get destroyed() {
      return session.destroyed;
    },
    get moved() {
      return session.socket.bytesRead + session.socket.bytesWritten;
    },
    close: () => {
      if (!session.closed) session.close();
    },
    destroy: (code) => {
      if (code === undefined) session.destroy();
      else session.destroy(new Error("The client gave up too many of its requests."), code);
    },
  };
}

const EVERY_MS = 10 * SECOND_MS;

/**
 * Reports at most one failure in ten seconds, with the number suppressed since the last report: clients decide how
 * often a handshake fails.
 */
export function throttled(
  clock: Pick<Clock, "now">,
  report: (error: unknown, suppressed: number) => void,
): (error: unknown) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return (error) => {
    const now = clock.now();
    if (now < quietUntil) {
      suppressed++;
      return;
    }
    report(error, suppressed);
    quietUntil = now + EVERY_MS;
    suppressed = 0;
  };
}
