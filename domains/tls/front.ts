import { createSecureServer, type SecureServerOptions } from "node:http2";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import type { Clock } from "../../lib/base/clock.ts";
import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import { silentLog, type Log } from "../../lib/base/log.ts";
import type { CertificateFor, ChallengeAnswers, Presented } from "../ports/certificates.ts";
import { answerRequest, type TlsFetch } from "./answer-request.ts";
import type { ClientHello } from "./client-hello.ts";
import { createConnections, type Connection } from "./connections.ts";
import { contextOf, createContexts, MIN_VERSION } from "./contexts.ts";
import { readFirstFlight, refuse } from "./first-flight.ts";
import { limitsFrom, type TlsLimits } from "./limits.ts";
import { boundedLookup } from "./lookup.ts";
import { answerMalformed } from "./malformed.ts";
import { present, settle } from "./present.ts";

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
  /** Takes no more connections; resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** Breaks off what is under way. */
  end(): Promise<void>;
}

const ACME = "acme-tls/1";
const SPOKEN: readonly string[] = ["h2", "http/1.1"];

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
  const connections = createConnections(clock, limits);
  let draining = false;

  // The types leave out what is for HTTP/1.1 alone; both runtimes read it.
  const forBoth: SecureServerOptions & { readonly maxHeaderSize: number } = {
    allowHTTP1: true,
    minVersion: MIN_VERSION,
    maxHeaderSize: limits.maxHeaderBytes,
    settings: {
      maxConcurrentStreams: limits.maxStreams,
      maxHeaderListSize: limits.maxHeaderBytes,
      enablePush: false,
    },
    SNICallback: present(find, (presented) => contexts.of(presented)),
  };
  const server = createSecureServer(forBoth);
  const validation = createTlsServer({
    ALPNProtocols: [ACME],
    minVersion: MIN_VERSION,
    SNICallback: present((name) => challenges.tlsAlpn01(name), contextOf),
  });

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

  const greet = (connection: Connection, { serverName, protocols }: ClientHello): void => {
    const { socket } = connection;
    if (serverName === undefined) {
      refuse(socket, "unrecognized_name");
      return;
    }
    const validated = protocols.length === 1 && protocols[0] === ACME;
    if (!validated && protocols.length > 0 && !protocols.some((one) => SPOKEN.includes(one))) {
      refuse(socket, "no_application_protocol");
      return;
    }
    connections.name(connection, serverName);
    const shake = (presented: Presented | undefined): void => {
      if (socket.destroyed) return;
      if (presented === undefined) {
        refuse(socket, "unrecognized_name");
        return;
      }
      if (!validated) contexts.of(presented);
      (validated ? validation : server).emit("connection", socket);
    };
    const broken = (error: unknown): void => {
      log.error("no certificate could be had for a handshake", error, { serverName });
      refuse(socket, "internal_error");
    };
    const ask = (): Eventual<Presented | undefined> =>
      validated ? challenges.tlsAlpn01(serverName) : find(serverName);
    settle(ask, shake, broken);
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
    if (connection === undefined) tls.destroy();
    else connections.secured(connection, tls);
  });
  server.on("session", (session) => {
    const connection = connections.of(session.socket);
    if (connection !== undefined) connection.session = session;
    session.on("error", () => undefined);
  });
  server.on("request", (message, target) => {
    const connection = connections.of(message.socket);
    if (connection?.serverName === undefined) {
      message.socket.destroy();
      return;
    }
    const { remoteAddress, serverName } = connection;
    connections.begin(connection);
    if (draining && message.httpVersionMajor < 2) target.setHeader("connection", "close");
    void answerRequest(answerer, message, target, { remoteAddress, serverName }).finally(() =>
      connections.end(connection),
    );
  });
  server.on("clientError", (error, tls) => {
    answerMalformed(error, tls, (connections.of(tls)?.pending ?? 0) > 0);
  });
  for (const each of [server, validation]) {
    // A client that cannot agree with us, or that leaves.
    each.on("tlsClientError", (_error, tls) => tls.destroy());
  }
  // The handshake is all that the authority wants to see (RFC 8737 §3).
  validation.on("secureConnection", (tls) => tls.on("error", () => undefined).end());

  const close = async (): Promise<void> => {
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
    stop: async () => {
      await close();
      await connections.drain();
    },
    end: async () => {
      await close();
      connections.closeAll();
    },
  };
}
