import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import { isPromise } from "../../lib/base/eventual.ts";
import type { Log } from "../../lib/base/log.ts";
import type { CertificateFor, ChallengeAnswers } from "../ports/certificates.ts";
import { purposeOf, refuse, type ClientHello } from "./client-hello.ts";
import type { Connection, Connections } from "./connections.ts";
import { createCredentials, credentialOf, type Credential } from "./credentials.ts";
import type { Handshakes } from "./handshakes.ts";
import type { TlsLimits } from "./limits.ts";

export interface GreetingOptions {
  readonly certificateFor: CertificateFor;
  readonly challenges: Pick<ChallengeAnswers, "tlsAlpn01">;
  readonly clock: Pick<Clock, "now">;
  readonly limits: Pick<TlsLimits, "maxContexts">;
  readonly connections: Pick<Connections, "name" | "present">;
  readonly handshakes: Handshakes;
  readonly log: Log;
}

/** Decides what the handshake of a connection presents, and starts it or refuses the connection. */
export type Greet = (connection: Connection, hello: ClientHello) => void;

export function createGreeting({
  certificateFor,
  challenges,
  clock,
  limits: { maxContexts },
  connections,
  handshakes,
  log,
}: GreetingOptions): Greet {
  const credentials = createCredentials({ certificateFor, clock, maxContexts });
  const failed = throttled(clock, (error, suppressed) => {
    log.error("no certificate could be had for a handshake", error, { suppressed });
  });

  const greet: Greet = (connection, hello) => {
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
      handshakes[kind].emit("connection", socket);
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

  /** Finds a challenge's certificate. Nothing is cached: a CA validates a challenge only a few times. */
  const challengeFor = async (serverName: string): Promise<Credential | undefined> => {
    const presented = await challenges.tlsAlpn01(serverName);
    return presented === undefined ? undefined : credentialOf(presented);
  };

  return greet;
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
