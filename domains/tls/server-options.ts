import { constants } from "node:crypto";
import type { SecureContext, Server, TLSSocket } from "node:tls";

import { systemClock, type Clock } from "../../lib/base/clock.ts";
import { isPromise } from "../../lib/base/eventual.ts";
import { isolatedLog } from "../../lib/base/hook.ts";
import type { Log } from "../../lib/base/log.ts";
import { aClock, aCount, aFunction, aLog, checkOptions, optional } from "../../lib/base/options.ts";
import type { CertificateFor, DomainRoutes } from "../ports/certificates.ts";
import { createCredentials, PROTOCOL, type Credential } from "./credentials.ts";
import { throttled } from "./greeting.ts";

/** What `httpsServerOptions` takes. */
export interface CertificateSource {
  /** That of `createDomains`. */
  readonly certificateFor: CertificateFor;
  /** TLS contexts in memory, about 27 KiB each; the least recently used is dropped. Default 10,000. */
  readonly maxContexts?: number;
  /** Decides for how long a certificate that could not be loaded is not tried again: a second. Default: the system's. */
  readonly clock?: Clock;
  /** Gets the errors of loading certificates, at most one in ten seconds. Default: none. */
  readonly log?: Log;
}

/** Options for `createServer` of `node:https`, `node:tls` and Fastify's `https`. */
export interface HttpsServerOptions {
  /** Finds the certificate for the name in the handshake (RFC 6066 §3). A name without one ends the handshake. */
  readonly SNICallback: (
    serverName: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ) => void;
  /** TLS 1.0 and 1.1 are deprecated (RFC 8996). */
  readonly minVersion: "TLSv1.2";
  /** AEAD suites with forward secrecy (RFC 9325 §4.2). */
  readonly ciphers: string;
  /** Forbids session tickets, which would revive a removed name without a look at its certificate. */
  readonly secureOptions: number;
}

/**
 * Returns the options with which a Node server of your own presents the certificates of custom domains:
 * `https.createServer(httpsServerOptions({ certificateFor }), app)`. It cannot answer `tls-alpn-01`, so give `createDomains` the option
 * `challenges: ["http-01"]`. For Node only: Bun ignores `SNICallback` there, so use `createTlsFront`. Throws a `TypeError` for
 * wrong options.
 */
export function httpsServerOptions(options: CertificateSource): HttpsServerOptions {
  checkOptions("httpsServerOptions", options, {
    certificateFor: aFunction,
    maxContexts: optional(aCount(1)),
    clock: optional(aClock),
    log: optional(aLog),
  });
  const { certificateFor, maxContexts = 10_000, clock = systemClock } = options;
  const log = isolatedLog(options.log);
  const credentials = createCredentials({ certificateFor, clock, maxContexts });
  const failed = throttled(clock, (error, suppressed) => {
    log.error("no certificate could be had for a handshake", error, { suppressed });
  });
  return {
    SNICallback: (serverName, done) => {
      const present = (found: Credential | undefined): void => done(null, found?.context);
      const fail = (error: unknown): void => {
        failed(error);
        done(error instanceof Error ? error : new Error(String(error)));
      };
      try {
        const found = credentials.find(serverName.toLowerCase().replace(/\.$/, ""));
        if (isPromise(found)) found.then(present, fail);
        else present(found);
      } catch (error) {
        fail(error);
      }
    },
    ...PROTOCOL,
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

/**
 * Closes the connections of a Node server of your own when the name of their handshake is no longer served, as `createTlsFront`
 * does for its own: `closeRemoved(secure, custom)` after `https.createServer`. Returns a function that ends this.
 */
export function closeRemoved(
  server: Pick<Server, "on" | "off">,
  custom: {
    readonly certificateFor: CertificateFor;
    readonly routes: Pick<DomainRoutes, "onRemoved">;
  },
): () => void {
  const open = new Set<TLSSocket>();
  const closeUnlessServed = (socket: TLSSocket): void => {
    const { servername } = socket;
    const name = typeof servername === "string" ? servername.toLowerCase() : "";
    if (custom.certificateFor(name.replace(/\.$/, "")) === undefined) socket.destroy();
  };
  const admit = (socket: TLSSocket): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // The name may have been removed during the handshake.
    closeUnlessServed(socket);
  };
  server.on("secureConnection", admit);
  const end = custom.routes.onRemoved(() => {
    for (const socket of open) closeUnlessServed(socket);
  });
  return () => {
    server.off("secureConnection", admit);
    end();
  };
}
