import type { Eventual } from "../../lib/base/eventual.ts";

/** A certificate with its key, fit to be presented in a handshake. Holds a secret. */
export interface Presented {
  /** Grows whenever another certificate takes its place under a name: contexts made of it are kept by this. */
  readonly id: string;
  /** Leaf first, PEM. */
  readonly chainPem: string;
  /** PKCS #8, PEM. A secret. */
  readonly privateKeyPem: string;
  readonly notAfter: number;
}

/**
 * Finds the certificate for a handshake by the name the client asked for, in lower case without the dot of the root.
 * `undefined` ends the handshake: there is no certificate for strangers. A name that was never attached costs no query.
 */
export type CertificateFor = (serverName: string) => Eventual<Presented | undefined>;

/** What the authority asks for while it validates; the same on every node before it is told to look. */
export interface ChallengeAnswers {
  /** The key authorization for http-01 (RFC 8555 §8.3); undefined for an unknown token or another host. */
  http01(host: string, token: string): Eventual<string | undefined>;
  /** The certificate for tls-alpn-01 (RFC 8737); undefined when no such challenge is open for the name. */
  tlsAlpn01(serverName: string): Eventual<Presented | undefined>;
}

/** Where a custom domain leads. */
export type DomainRoute =
  | {
      readonly kind: "site";
      readonly projectId: string;
      readonly slug: string;
      readonly hstsSeconds: number;
    }
  | {
      readonly kind: "redirect";
      readonly projectId: string;
      /** `https://pets.shelter.org`, without a path. */
      readonly to: string;
      readonly status: 301 | 302 | 307 | 308;
      readonly hstsSeconds: number;
    };

/** Custom domains as visitors meet them: in memory, right within a second after a change by any process. */
export interface DomainRoutes {
  /** Undefined: not a live domain. Synchronous, and never a query. */
  byHost(host: string): DomainRoute | undefined;
  /** Calls `listener` with names that stopped being served, so that what is open under them can be closed. */
  onRemoved(listener: (host: string) => void): () => void;
}
