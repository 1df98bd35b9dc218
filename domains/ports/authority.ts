import type { Result } from "../../lib/base/result.ts";
import type { AuthorityProblem } from "../model/acme-problem.ts";
import type { RevocationReason } from "../model/domain.ts";
import type { RenewalWindow } from "../model/renewal.ts";

/**
 * Issues certificates in small steps that can be repeated. Contract (testing/domains/authority-contract.ts):
 *
 * - It keeps no necessary state. Whatever a later step needs is in an earlier step's result, which can be stored
 *   and passed to another process.
 * - It never waits. When the CA says when to try again, the result has `retryAt`, and the caller waits.
 * - A step whose result was lost can be repeated: `respond` and `finalize` then return the current state. Only
 *   `newOrder` may leave an unknown order behind.
 * - Refusals by the CA and network failures are returned as values. It rejects only with the signal's reason, or on
 *   a defect.
 * - Names are lower-case A-labels. Names longer than 64 characters are supported.
 * - Private keys are PEM (PKCS #8) and secret: no key is sent, or included in a problem or an error.
 */
export interface CertificateAuthority {
  /** Identifies the CA for as long as its accounts and orders are valid; for ACME the directory URL. */
  readonly id: string;
  /** `internal` requires no proof of control and is trusted only where its root is installed. */
  readonly kind: "acme" | "internal";
  /** What accounts are created with. Default: the option `application` of `createDomains`. */
  readonly application?: Omit<AccountApplication, "key"> | undefined;
  /** The names in CAA records that permit the CA. Default: those in its directory. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** The profile of new orders. Default: the CA chooses. */
  readonly profile?: string | undefined;

  directory(signal: AbortSignal): Promise<Result<Directory, AuthorityProblem>>;

  /** Creates or finds the key's account, and agrees to the terms of service. */
  createAccount(
    application: AccountApplication,
    signal: AbortSignal,
  ): Promise<Result<Account, AuthorityProblem>>;
  /** Finds the key's account; refused `account_unknown` if it has none. */
  findAccount(key: string, signal: AbortSignal): Promise<Result<Account, AuthorityProblem>>;

  /** Returns the account's state at the CA; refused `account_deactivated` if it was closed. */
  accountState(
    account: Account,
    signal: AbortSignal,
  ): Promise<Result<AccountState, AuthorityProblem>>;
  /**
   * Replaces the account's key with `newKey` (RFC 8555 §7.3.5); the account URL stays. If the result is lost,
   * `findAccount` shows which of the two keys the CA accepts.
   */
  changeKey(
    account: Account,
    newKey: string,
    signal: AbortSignal,
  ): Promise<Result<Account, AuthorityProblem>>;

  /** The CA may return an existing order for the same names, in any state. */
  newOrder(
    account: Account,
    request: OrderRequest,
    signal: AbortSignal,
  ): Promise<Result<Order, AuthorityProblem>>;
  /**
   * Refused `order_gone` if the CA no longer knows the order. A stateless CA reports a finalized order as not
   * finalized; the caller finalizes it again.
   */
  order(
    account: Account,
    url: string,
    signal: AbortSignal,
  ): Promise<Result<Order, AuthorityProblem>>;

  authorization(
    account: Account,
    url: string,
    signal: AbortSignal,
  ): Promise<Result<Authorization, AuthorityProblem>>;
  /** Tells the CA that the proof is in place on every server of the name. Has no effect if done before. */
  respond(
    account: Account,
    challenge: Challenge,
    signal: AbortSignal,
  ): Promise<Result<Challenge, AuthorityProblem>>;
  /** Deactivates an authorization; succeeds if it has already ended. */
  deactivate(
    account: Account,
    authorizationUrl: string,
    signal: AbortSignal,
  ): Promise<Result<void, AuthorityProblem>>;

  /**
   * Requests the certificate of a `ready` order. `csr` is DER and contains exactly the order's names. Refused
   * `order_not_ready` while authorizations are missing.
   */
  finalize(
    account: Account,
    order: Pick<Order, "url" | "finalizeUrl">,
    csr: Uint8Array,
    signal: AbortSignal,
  ): Promise<Result<Order, AuthorityProblem>>;
  /**
   * Returns the PEM chain, leaf first, in our own encoding of what was read, not validated yet
   * (domains/model/certificate.ts). Refused `certificate_unusable` if it holds anything but whole certificates.
   */
  download(
    account: Account,
    certificateUrl: string,
    signal: AbortSignal,
  ): Promise<Result<string, AuthorityProblem>>;
  /** Returns when to replace a certificate, identified by `CertificateFacts.renewalId` (RFC 9773 §4). */
  renewalInfo(
    renewalId: string,
    signal: AbortSignal,
  ): Promise<Result<RenewalInfo, AuthorityProblem>>;
  /**
   * Revokes a certificate (PEM, leaf first) with the account that ordered it or with its own private key; the
   * latter also reports the key as compromised (RFC 8555 §7.6). Refused `already_revoked`.
   */
  revoke(
    by: Account | Pick<Account, "key">,
    certificate: string,
    reason: RevocationReason,
    signal: AbortSignal,
  ): Promise<Result<void, AuthorityProblem>>;
}

/** The CA's directory metadata (RFC 8555 §7.1.1). */
export interface Directory {
  /** The CA's names in CAA records, in lower case; empty if unknown, or if the CA is not subject to CAA. */
  readonly caaIdentities: readonly string[];
  /** Absent if the CA has no terms. */
  readonly termsOfServiceUrl?: string;
  readonly externalAccountRequired: boolean;
  /** Whether the CA offers renewal information (RFC 9773). */
  readonly renewalInfo: boolean;
  /** Certificate profiles and the URLs of their descriptions; empty if the CA has none. */
  readonly profiles: Readonly<Record<string, string>>;
  /** How far the CA's clock is ahead of ours, in milliseconds, accurate to about a second; absent if unknown. */
  readonly aheadMs?: number;
}

/** When the CA wants a certificate replaced (RFC 9773 §4.2). */
export interface RenewalInfo {
  readonly window: RenewalWindow;
  /** The CA's explanation of the window; https. */
  readonly explanationUrl?: string;
  /** Earliest instant of the next request, on our clock, in milliseconds since the Unix epoch. */
  readonly retryAt?: number;
}

/** An account with a CA, and its key. */
export interface Account {
  /** Stays the same when the key changes; CAA records can refer to it (RFC 8657 §3). */
  readonly url: string;
  /** Secret. */
  readonly key: string;
}

/** What a new account with a CA is created with (RFC 8555 §7.3). */
export interface AccountApplication {
  readonly key: string;
  /** Contact address for the CA. */
  readonly email?: string | undefined;
  readonly externalAccount?: ExternalAccount | undefined;
}

/** An account's state at the CA (RFC 8555 §7.1.2). */
export interface AccountState {
  readonly status: "valid" | "deactivated" | "revoked";
  /** The CA's contact URLs: `mailto:admin@shelter.org`. */
  readonly contact: readonly string[];
}

/** Binds a new account to an existing customer account of the CA (RFC 8555 §7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** base64url, as issued by the CA. Secret. */
  readonly hmacKey: string;
}

/** A request for a certificate (RFC 8555 §7.4). */
export interface OrderRequest {
  readonly names: readonly [string, ...string[]];
  /** One of the directory's profiles; absent: the CA chooses. */
  readonly profile?: string;
  /** `renewalId` of the certificate to be replaced (RFC 9773 §5). */
  readonly replaces?: string;
}

interface AnyOrder {
  readonly url: string;
  readonly names: readonly string[];
  readonly authorizationUrls: readonly string[];
  readonly finalizeUrl: string;
  /** When the CA discards the order; absent if unknown. */
  readonly expiresAt?: number;
  /** Earliest instant of the next request. */
  readonly retryAt?: number;
}

/** An order for one certificate (RFC 8555 §7.1.3, §7.1.6). Instants are in milliseconds since the Unix epoch. */
export type Order = AnyOrder &
  (
    | {
        /** `pending`: needs proofs; `ready`: can be finalized; `processing`: the CA is issuing. */
        readonly status: "pending" | "ready" | "processing";
      }
    | { readonly status: "valid"; readonly certificateUrl: string }
    | { readonly status: "invalid"; readonly problem: AuthorityProblem }
  );

interface AnyAuthorization {
  readonly url: string;
  /** The name without the `*.` of a wildcard. */
  readonly name: string;
  readonly wildcard: boolean;
  readonly expiresAt?: number;
  readonly retryAt?: number;
}

/** The CA's authorization to issue for one name (RFC 8555 §7.1.4). */
export type Authorization = AnyAuthorization &
  (
    | { readonly status: "pending"; readonly challenges: readonly Challenge[] }
    | { readonly status: "valid" }
    | { readonly status: "invalid"; readonly problem: AuthorityProblem }
    | { readonly status: "deactivated" | "expired" | "revoked" }
  );

/** A type of challenge that a CA may offer (RFC 8555 §8, RFC 8737). */
export type ChallengeType = "http-01" | "tls-alpn-01" | "dns-01";

/** One way to prove control of a name; challenges of unsupported types are left out. */
export interface Challenge {
  readonly type: ChallengeType;
  readonly url: string;
  /** base64url, at most 256 characters. */
  readonly token: string;
  /**
   * The proof (RFC 8555 §8.1): the response body for http-01; its hash goes into the certificate for tls-alpn-01
   * and into the TXT record for dns-01. Not secret once the CA has been told to validate.
   */
  readonly keyAuthorization: string;
  readonly status: "pending" | "processing" | "valid" | "invalid";
  /** Why it is invalid; its authorization may be pending nevertheless. */
  readonly problem?: AuthorityProblem;
  /** Earliest instant of the next request, from the response to `respond`, in milliseconds since the Unix epoch. */
  readonly retryAt?: number;
}
