import { constants } from "node:http2";
import { createServer } from "node:net";

import type { Clock } from "../../lib/base/clock.ts";
import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import { silentLog, type Log } from "../../lib/base/log.ts";
import type { CertificateFor, ChallengeAnswers } from "../ports/certificates.ts";
import { answerRequest, type TlsFetch } from "./answer-request.ts";
import type { ClientHello } from "./client-hello.ts";
import { createConnections, type Connection } from "./connections.ts";
import { createContexts } from "./contexts.ts";
import { readFirstFlight, refuse } from "./first-flight.ts";
import { createHoldings } from "./holdings.ts";
import { limitsFrom, type TlsLimits } from "./limits.ts";
import { boundedLookup } from "./lookup.ts";
import { answerMalformed, isMalformed } from "./malformed.ts";
import { purposeOf } from "./purpose.ts";
import { feedSparingly, settle, validationServer, webServer } from "./servers.ts";
import { sparingly } from "./sparingly.ts";

export interface TlsFrontOptions {
  readonly certificateFor: CertificateFor;
  readonly challenges: Pick<ChallengeAnswers, "tlsAlpn01">;
  readonly fetch: TlsFetch;
  /** Whether `host` may be asked for over a connection that was made for `serverName`, if the certificate covers both. */
  readonly sameProject: (serverName: string, host: string) => boolean;
  readonly clock: Clock;
  readonly log?: Log;
  readonly limits?: Partial<TlsLimits>;
}

/** HTTPS for names that come and go. */
export interface TlsFront {
  /** Port 0 is any; resolves with the one there is. Rejects with what the system says. */
  listen(at: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>;
  /**
   * Breaks off all that is open under the name, or under those that `*.` covers, before this returns. Whether it may
   * come again `certificateFor` says.
   */
  closeName(serverName: string): void;
  readonly connections: number;
  /** Requests that are not answered yet. */
  readonly pending: number;
  /** Bytes in memory for requests under way, and of answers that their clients have not taken. */
  readonly heldBytes: number;
  /** Takes no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Breaks off what is under way. */
  end(): Promise<void>;
}

/**
 * Every connection is looked at before its handshake: by the name and the protocols that the client asks for it is
 * refused, given to the authority's challenge, or handed to the server. So a name that is gone cannot come back by
 * an old session, and strangers cost no cryptography; neither runtime gives both by its callbacks alone.
 */
export function createTlsFront(options: TlsFrontOptions): TlsFront {
  const { challenges, fetch, sameProject, clock, log = silentLog } = options;
  const limits = limitsFrom(options.limits);
  const find = boundedLookup(options);
  const contexts = createContexts(limits.maxContexts);
  const holdings = createHoldings(clock, limits);
  const connections = createConnections(clock, limits, holdings);
  const failed = sparingly(clock, (error, untold) => {
    log.error("no certificate could be had for a handshake", error, { untold });
  });
  let draining = false;

  const server = webServer(find, contexts, limits);
  const validation = validationServer((name) => challenges.tlsAlpn01(name));

  const answerer = {
    fetch,
    maxHeaderBytes: limits.maxHeaderBytes,
    mayServe: (serverName: string, host: string): Eventual<boolean> =>
      andThen(
        find(serverName),
        (presented) =>
          presented !== undefined &&
          contexts.covers(presented, host) &&
          sameProject(serverName, host),
      ),
    onError: (error: unknown) => log.error("an answer over TLS broke", error),
  };

  const greet = (connection: Connection, hello: ClientHello): void => {
    const { socket } = connection;
    const purpose = purposeOf(hello);
    if (purpose.kind === "none") {
      refuse(socket, purpose.reason);
      return;
    }
    const { kind, serverName } = purpose;
    connections.name(connection, serverName);
    settle(
      () => (kind === "visit" ? find(serverName) : challenges.tlsAlpn01(serverName)),
      (presented) => {
        if (socket.destroyed) return;
        if (presented === undefined) {
          refuse(socket, "unrecognized_name");
          return;
        }
        // Made before the handshake, so that one that cannot be made is told as what it is.
        if (kind === "visit") contexts.of(presented);
        (kind === "visit" ? server : validation).emit("connection", socket);
      },
      (error) => {
        failed(error);
        refuse(socket, "internal_error");
      },
    );
  };

  const listener = createServer({ noDelay: true }, (socket) => {
    // Whoever leaves in the middle is no defect: "close" follows.
    socket.on("error", () => undefined);
    const connection = connections.admit(socket);
    if (connection === undefined) socket.destroy();
    else readFirstFlight(socket, (hello) => greet(connection, hello));
  });

  server.on("secureConnection", (tls) => {
    const connection = connections.of(tls);
    if (connection === undefined) {
      tls.destroy();
      return;
    }
    connections.secured(connection, tls);
    connection.resume = feedSparingly(tls, {
      over: () => {
        const { session, socket } = connection;
        return tls.writableEnded || socket.destroyed || session?.destroyed === true;
      },
      full: () => connection.session === undefined && connection.pending >= limits.maxPipelined,
    });
  });
  server.on("session", (session) => {
    const connection = connections.of(session.socket);
    if (connection !== undefined) connection.session = session;
  });
  server.on("request", (message, target) => {
    const connection = connections.of(message.socket);
    if (connection?.serverName === undefined) {
      message.socket.destroy();
      return;
    }
    if (message.httpVersionMajor < 2 && isMalformed(message)) {
      answerMalformed(new Error("Bad request."), message.socket, connection.pending > 0);
      return;
    }
    const { remoteAddress, serverName, holding } = connection;
    if (!connections.begin(connection)) return;
    const inTurn = message.httpVersionMajor < 2;
    // Forgotten by the message once it is closed.
    const { stream } = message;
    const before = inTurn && connection.pending > 1 ? connection.last : undefined;
    const answered = async (): Promise<void> => {
      await before;
      if (draining && inTurn) target.setHeader("connection", "close");
      await answerRequest(answerer, message, target, { remoteAddress, serverName }, holding);
      connections.end(connection, !inTurn && stream.rstCode !== constants.NGHTTP2_NO_ERROR);
      connection.resume();
    };
    connection.last = answered();
  });
  server.on("clientError", (error, tls) => {
    answerMalformed(error, tls, (connections.of(tls)?.pending ?? 0) > 0);
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
      holdings.close();
    },
  };
}
