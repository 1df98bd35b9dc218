import type { Domain, ChallengeKind } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { AuthorityPause } from "../model/backoff.ts";
import { restored } from "../model/domain-settle.ts";
import type { News } from "../model/timeline.ts";

/**
 * A write, as data. `at` is the instant it was decided, milliseconds since the Unix epoch. News are written to the
 * timeline and to the outbox. Every change of a domain puts a notice on the feed. The commit derives when the domain
 * is due from `nextTask` at that instant.
 */
export type DomainChange =
  /**
   * Its target becomes its project's for ever. Refused `exists` when the account has the name attached,
   * `limit` when the project has `maxOfProject` others or the account `maxUnverified` that were never verified or
   * `maxRemoved` that were removed and are remembered, `stale` when project and name have another target, or
   * the project other domains by now.
   */
  | {
      readonly kind: "domain.add";
      readonly domain: Domain;
      readonly maxOfProject: number;
      /** How many others the project had when its role was decided. Absent: its role does not depend on them. */
      readonly others?: number;
      readonly maxUnverified: number;
      readonly maxRemoved: number;
      readonly news: readonly News[];
      readonly at: number;
    }
  /** The same for one that was removed and is to be had back. Besides refused `stale`. */
  | {
      readonly kind: "domain.restore";
      readonly from: Domain;
      readonly to: Domain;
      readonly maxOfProject: number;
      /** How many others the project had when its role was decided. Absent: its role does not depend on them. */
      readonly others?: number;
      readonly maxUnverified: number;
      readonly maxRemoved: number;
      readonly news: readonly News[];
      readonly at: number;
    }
  /**
   * Replaces what was `from`. `to.heldSince` decides who holds the name: set where it was not, the name becomes this
   * domain's, refused `taken` while it is another's; the change that makes the other one lose it comes before.
   * Refused `stale`.
   */
  | {
      readonly kind: "domain.save";
      readonly from: Domain;
      readonly to: Domain;
      readonly news: readonly News[];
      /** JSON; absent: what is kept stays. */
      readonly report?: string;
      readonly at: number;
    }
  /** Nothing is left but its target. Refused `stale` unless it is removed and of that version. */
  | { readonly kind: "domain.forget"; readonly domain: Domain }
  /** Refused `exists` while one is open for the name. */
  | { readonly kind: "order.open"; readonly order: OpenOrder }
  /** Refused `stale`. */
  | { readonly kind: "order.save"; readonly from: OpenOrder; readonly to: OpenOrder }
  /** Ends it, with its challenges. Never refused. */
  | { readonly kind: "order.close"; readonly order: OpenOrder }
  /** From then on it is answered by every process. Takes the place of others of the name. Never refused. */
  | { readonly kind: "challenge.open"; readonly challenge: OpenChallenge }
  /** Takes the place of the domain's other ones. Never refused. */
  | { readonly kind: "certificate.add"; readonly certificate: StoredCertificate }
  /** Takes the place of the one with the same authority. Never refused. */
  | { readonly kind: "account.save"; readonly account: StoredAuthorityAccount }
  /** Refused never; nothing happens when another one has taken its place. */
  | { readonly kind: "account.forget"; readonly account: StoredAuthorityAccount }
  /** Keeps an account that another one takes the place of, until the last certificate older than that is replaced. */
  | { readonly kind: "account.retire"; readonly account: ReplacedAccount }
  /** Takes the place of the authority's other one, unless that lasts longer. Never refused. */
  | { readonly kind: "authority.pause"; readonly pause: AuthorityPause }
  /** Tells in the outbox that the host's clock is wrong, the CA's being `aheadMs` ahead, or is right again: 0. */
  | { readonly kind: "clock.report"; readonly aheadMs: number; readonly at: number }
  /** No certificate with that key is put to use any more. `fingerprint` is that of `CertificateFacts.publicKey`. */
  | { readonly kind: "key.block"; readonly fingerprint: string; readonly at: number }
  /** Removes challenges and leases that ended before `now`, at most `limit` of each; and replaced accounts that no certificate needs. */
  | { readonly kind: "purge"; readonly now: number; readonly limit: number };

/** `fenced`: somebody else was given the lease. */
export type DomainRefusal = "missing" | "stale" | "exists" | "taken" | "limit" | "fenced";

/** A certificate at rest. */
export interface StoredCertificate {
  readonly id: string;
  readonly domainId: string;
  /** PEM, the leaf first. */
  readonly chainPem: string;
  readonly sealedKey: string;
  readonly notAfter: number;
  readonly createdAt: number;
}

/** A proof that can be asked for. */
export interface OpenChallenge {
  readonly name: string;
  readonly kind: ChallengeKind;
  readonly token: string;
  readonly keyAuthorization: string;
  readonly expiresAt: number;
}

/** Who we are to an authority. */
export interface StoredAuthorityAccount {
  readonly authority: string;
  /** Undefined: the key is kept, and the authority may not have heard of it. */
  readonly url?: string;
  readonly sealedKey: string;
  /**
   * A key that the authority was about to be told of, for this account or for one that takes its place: which of the
   * two it accepts has to be asked.
   */
  readonly nextSealedKey?: string;
  readonly createdAt: number;
}

/** An account that another one took the place of; certificates that were ordered with it may still be served. */
export interface ReplacedAccount {
  readonly authority: string;
  readonly url: string;
  readonly sealedKey: string;
  readonly createdAt: number;
  readonly replacedAt: number;
}

type Limits = "maxOfProject" | "others" | "maxUnverified" | "maxRemoved";

/** Adds a domain, or restores the one that the same project removed; `named` are all domains of that name. */
export function addingDomain(
  fresh: Domain,
  named: readonly Domain[],
  limits: Pick<Extract<DomainChange, { readonly kind: "domain.add" }>, Limits>,
  at: number,
): { readonly domain: Domain; readonly change: DomainChange } {
  const removed = named.find(
    ({ projectId, removal }) => projectId === fresh.projectId && removal !== undefined,
  );
  const domain = removed === undefined ? fresh : restored(removed, fresh, at);
  const rest = { news: [{ kind: "added" }], at } as const;
  if (removed === undefined) {
    return { domain, change: { kind: "domain.add", domain, ...limits, ...rest } };
  }
  // A restored domain no longer counts as removed.
  const room = { ...limits, maxRemoved: limits.maxRemoved + 1 };
  return {
    domain,
    change: { kind: "domain.restore", from: removed, to: domain, ...room, ...rest },
  };
}
