import type { Eventual } from "../../lib/base/eventual.ts";

/** A certificate with its private key, for TLS handshakes. Instants are in milliseconds since the Unix epoch. */
export interface Presented {
  /** Differs for every certificate. */
  readonly id: string;
  /** PEM, leaf first. */
  readonly chainPem: string;
  /** PKCS #8 in PEM. Secret. */
  readonly privateKeyPem: string;
  readonly notAfter: number;
}

/**
 * Makes a TLS handshake in memory for a name, before its certificate is put into service. Returns why it failed, for
 * people; undefined if a client would get this certificate.
 */
export type Rehearse = (
  name: string,
  presented: Pick<Presented, "chainPem" | "privateKeyPem">,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** A certificate that may still have to be loaded. */
export interface CertificateHandle {
  /** Identifies the certificate in the cache of a TLS front. */
  readonly id: string;
  /** Reads and decrypts the certificate. Undefined: it has been replaced. */
  load(): Eventual<Presented | undefined>;
}

/**
 * Finds the certificate for a server name, in lower case and without the trailing dot. Undefined: the name is not served,
 * and the handshake is refused. Works from memory and never queries a store.
 */
export type CertificateFor = (serverName: string) => CertificateHandle | undefined;

/** Answers to the challenges of a CA. All nodes must know a challenge before the CA is told to validate it. */
export interface ChallengeAnswers {
  /** Returns the key authorization for http-01 (RFC 8555 §8.3). Undefined: unknown token, or another host. */
  http01(host: string, token: string): Eventual<string | undefined>;
  /** Returns the certificate for tls-alpn-01 (RFC 8737). Undefined: no open challenge for the name. */
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
      /** For example `https://pets.shelter.org`, without a path. */
      readonly to: string;
      readonly status: 301 | 302 | 307 | 308;
      readonly hstsSeconds: number;
    };

/** The custom domains that are served. In memory, and at most a second behind changes by other processes. */
export interface DomainRoutes {
  /** Returns undefined for a host that is not served. Never queries a store. */
  byHost(host: string): DomainRoute | undefined;
  /** Calls `listener` with each name that is no longer served, so that its connections can be closed. */
  onRemoved(listener: (host: string) => void): () => void;
}
