import type { Result } from "../../lib/base/result.ts";
import type { AuthorityProblem } from "../model/acme-problem.ts";
import type { RevocationReason } from "../model/domain.ts";
import type { RenewalWindow } from "../model/renewal.ts";

/**
 * Issues certificates, in steps small enough to be taken again. What every adapter must promise
 * (test/contract/authority.ts):
 *
 * - It remembers nothing that matters: whatever a later step needs is in what an earlier one returned, as text
 *   that can be stored and handed to another process.
 * - It never waits for a better time. Where the CA says when to come back, that is `retryAt`; the caller waits.
 * - A step that was taken, and whose answer was lost, can be taken again: `answer` and `finalize` then tell how
 *   things stand. Only `newOrder` may leave an order behind that nobody knows of.
 * - What the CA refuses, and a CA that cannot be reached, is a value. It rejects with the signal's reason, and
 *   otherwise for nothing but a defect.
 * - Names are A-labels in lower case. A name that is longer than 64 characters is a name like any other.
 * - Private keys are PEM (PKCS #8) and secret: none is sent, and none is in a problem or an error.
 */
export interface CertificateAuthority {
  /** The same for as long as accounts and orders made with it can be used: for ACME the address of its directory. */
  readonly id: string;
  /** `internal` asks for no proof, and is trusted by those alone who were told to. */
  readonly kind: "acme" | "internal";

  directory(signal: AbortSignal): Promise<Result<Directory, AuthorityProblem>>;

  /** Makes the account of a key, or finds it: the same key, the same account. Agrees to the terms. */
  createAccount(
    application: AccountApplication,
    signal: AbortSignal,
  ): Promise<Result<Account, AuthorityProblem>>;
  /** The account of a key that has one; `account_unknown` when it has none. */
  findAccount(key: string, signal: AbortSignal): Promise<Result<Account, AuthorityProblem>>;

  /** How the account stands at the CA; `account_deactivated` when it was closed. */
  accountState(
    account: Account,
    signal: AbortSignal,
  ): Promise<Result<AccountState, AuthorityProblem>>;
  /**
   * Lets `newKey` take the place of the account's key (RFC 8555 §7.3.5); the address stays. When its answer is lost,
   * `findAccount` tells which of the two keys the CA accepts.
   */
  changeKey(
    account: Account,
    newKey: string,
    signal: AbortSignal,
  ): Promise<Result<Account, AuthorityProblem>>;

  /** The CA may answer with an order for the same names that it had already, in any state. */
  newOrder(
    account: Account,
    request: OrderRequest,
    signal: AbortSignal,
  ): Promise<Result<Order, AuthorityProblem>>;
  /**
   * `order_gone` when the CA does not know it any more. A CA that keeps nothing tells of an order that was finalized
   * as if it had not been: it is finalized again.
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
  /**
   * Says that the proof can be looked at now, everywhere the name leads. One that was answered already is left
   * as it is.
   */
  respond(
    account: Account,
    challenge: Challenge,
    signal: AbortSignal,
  ): Promise<Result<Challenge, AuthorityProblem>>;
  /** Gives up a right to issue, or the wish for it; of one that is over already too. */
  deactivate(
    account: Account,
    authorizationUrl: string,
    signal: AbortSignal,
  ): Promise<Result<void, AuthorityProblem>>;

  /**
   * Asks for the certificate of a `ready` order. `csr` is DER and names exactly the order's names.
   * `order_not_ready` when authorizations are still to be had.
   */
  finalize(
    account: Account,
    order: Pick<Order, "url" | "finalizeUrl">,
    csr: Uint8Array,
    signal: AbortSignal,
  ): Promise<Result<Order, AuthorityProblem>>;
  /** PEM, the leaf first, each signed by the next; not checked yet (domains/model/certificate.ts). */
  download(
    account: Account,
    certificateUrl: string,
    signal: AbortSignal,
  ): Promise<Result<string, AuthorityProblem>>;
  /** When a certificate, named as `CertificateFacts.renewalId` has it, is to be replaced (RFC 9773 §4). */
  renewalInfo(
    renewalId: string,
    signal: AbortSignal,
  ): Promise<Result<RenewalInfo, AuthorityProblem>>;
  /**
   * `certificate` is PEM, the leaf first. By the account that ordered it, or by its own private key, which also tells
   * the CA that the key is known (RFC 8555 §7.6). One that was revoked before is `already_revoked`.
   */
  revoke(
    by: Account | Pick<Account, "key">,
    certificate: string,
    reason: RevocationReason,
    signal: AbortSignal,
  ): Promise<Result<void, AuthorityProblem>>;
}

/** What a CA says of itself (RFC 8555 §7.1.1). */
export interface Directory {
  /** Its names in CAA records, in lower case; empty when it does not say, or is not subject to CAA. */
  readonly caaIdentities: readonly string[];
  /** Absent when there are none to agree to. */
  readonly termsOfServiceUrl?: string;
  readonly externalAccountRequired: boolean;
  /** It says when certificates are to be replaced (RFC 9773). */
  readonly renewalInfo: boolean;
  /** The kinds of certificate to choose from and where they are described; empty when there is no choice. */
  readonly profiles: Readonly<Record<string, string>>;
  /** How far its clock is ahead of ours, in milliseconds and about a second exact; absent when it does not say. */
  readonly aheadMs?: number;
}

/** When a CA wants a certificate replaced (RFC 9773 §4.2). */
export interface RenewalInfo {
  readonly window: RenewalWindow;
  /** Where it explains why; https. */
  readonly explanationUrl?: string;
  /** Not worth asking again before, on our clock. */
  readonly retryAt?: number;
}

/** Who we are to a CA, and the key that proves it. */
export interface Account {
  /** Stays the same when the key changes; CAA records can name it (RFC 8657 §3). */
  readonly url: string;
  /** Secret. */
  readonly key: string;
}

export interface AccountApplication {
  readonly key: string;
  /** Where the CA may write to. */
  readonly email?: string;
  readonly externalAccount?: ExternalAccount;
}

/** What a CA knows of an account (RFC 8555 §7.1.2). */
export interface AccountState {
  readonly status: "valid" | "deactivated" | "revoked";
  /** Where the CA writes to, as URLs: `mailto:admin@shelter.org`. */
  readonly contact: readonly string[];
}

/** Ties an account to one that was made with the CA by other means (RFC 8555 §7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** base64url, as the CA gave it. Secret. */
  readonly hmacKey: string;
}

export interface OrderRequest {
  readonly names: readonly [string, ...string[]];
  /** One of the directory's; absent: the CA chooses. */
  readonly profile?: string;
  /** The certificate that this one takes the place of (RFC 9773 §5). */
  readonly replaces?: string;
}

interface AnyOrder {
  readonly url: string;
  readonly names: readonly string[];
  readonly authorizationUrls: readonly string[];
  readonly finalizeUrl: string;
  /** After that it is gone; absent when the CA does not say. */
  readonly expiresAt?: number;
  /** Not worth asking again before. */
  readonly retryAt?: number;
}

/** One certificate in the making (RFC 8555 §7.1.3, §7.1.6). */
export type Order = AnyOrder &
  (
    | {
        /** `pending`: to be proven; `ready`: to be finalized; `processing`: to be waited for. */
        readonly status: "pending" | "ready" | "processing";
      }
    | { readonly status: "valid"; readonly certificateUrl: string }
    | { readonly status: "invalid"; readonly problem: AuthorityProblem }
  );

interface AnyAuthorization {
  readonly url: string;
  /** Without the `*.` of a wildcard. */
  readonly name: string;
  readonly wildcard: boolean;
  readonly expiresAt?: number;
  readonly retryAt?: number;
}

/** The right to have certificates for one name (RFC 8555 §7.1.4). */
export type Authorization = AnyAuthorization &
  (
    | { readonly status: "pending"; readonly challenges: readonly Challenge[] }
    | { readonly status: "valid" }
    | { readonly status: "invalid"; readonly problem: AuthorityProblem }
    | { readonly status: "deactivated" | "expired" | "revoked" }
  );

export type ChallengeType = "http-01" | "tls-alpn-01" | "dns-01";

/** One way to prove control of a name. Those of types that we do not know are left out. */
export interface Challenge {
  readonly type: ChallengeType;
  readonly url: string;
  /** base64url, at most 256 characters. */
  readonly token: string;
  /**
   * What proves it (RFC 8555 §8.1): the body for http-01, hashed into the certificate for tls-alpn-01 and into
   * the record for dns-01. Not secret once answered.
   */
  readonly keyAuthorization: string;
  readonly status: "pending" | "processing" | "valid" | "invalid";
  /** Not worth asking before, as the CA said when it was answered. */
  readonly retryAt?: number;
}
