import type { Actor } from "../../lib/model/actor.ts";
import type { Domain, ChallengeKind } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { AuthorityPause } from "../model/authority-pause.ts";
import { restored } from "../model/apply-outcome.ts";
import type { NoticeStage } from "../model/overdue.ts";
import type { News } from "../model/timeline.ts";

/**
 * A write to the store, as data. `at` is the instant of the decision, in milliseconds since the Unix epoch. `news`
 * go to the timeline and to the outbox. Every change of a domain puts a notice on the feed. The commit derives the
 * domain's due times from `nextTask` at `at`, with and without the tasks that take something away.
 */
export type DomainChange =
  /**
   * Adds a domain and assigns its target to its project permanently. Refused `exists` when the account has the name
   * already; `limit` when the project has `maxOfProject` other domains, or the account `maxUnverified` unverified
   * or `maxRemoved` removed ones; `stale` when project and name have another target.
   */
  | {
      readonly kind: "domain.add";
      readonly domain: Domain;
      readonly maxOfProject: number;
      /**
       * True: the commit replaces the domain's role by `roleOfAdded` of the project's other domains, so that
       * simultaneous additions need no retry. Absent: the domain's own role.
       */
      readonly roleByOthers?: true;
      readonly maxUnverified: number;
      readonly maxRemoved: number;
      readonly news: readonly News[];
      readonly at: number;
    }
  /** Restores a removed domain. Refused as `domain.add`, and `stale` when `from` is outdated. */
  | {
      readonly kind: "domain.restore";
      readonly from: Domain;
      readonly to: Domain;
      readonly maxOfProject: number;
      /** The same as in `domain.add`. */
      readonly roleByOthers?: true;
      readonly maxUnverified: number;
      readonly maxRemoved: number;
      readonly news: readonly News[];
      readonly at: number;
    }
  /**
   * Replaces `from` with `to`. Setting `to.heldSince` makes the domain the holder of its name; refused `taken`
   * while another domain holds it, so the change that takes the name from the other one must come first. Refused
   * `stale` when `from` is outdated.
   */
  | {
      readonly kind: "domain.save";
      readonly from: Domain;
      readonly to: Domain;
      readonly news: readonly News[];
      /** JSON; absent: the stored report stays. */
      readonly report?: string;
      /** Who caused the news. Default: the actor of the commit. */
      readonly actor?: Actor;
      readonly at: number;
    }
  /** Deletes everything but the target. Refused `stale` unless the domain is removed and of that version. */
  | { readonly kind: "domain.forget"; readonly domain: Domain }
  /** Refused `exists` while the name has an open order. */
  | { readonly kind: "order.open"; readonly order: OpenOrder }
  /** Refused `stale` when `from` is outdated. */
  | { readonly kind: "order.save"; readonly from: OpenOrder; readonly to: OpenOrder }
  /** Deletes the order and its challenges. Never refused. */
  | { readonly kind: "order.close"; readonly order: OpenOrder }
  /** Makes every process respond to the challenge. Replaces the name's other challenges. Never refused. */
  | { readonly kind: "challenge.open"; readonly challenge: OpenChallenge }
  /** Replaces the domain's other certificates. Never refused. */
  | { readonly kind: "certificate.add"; readonly certificate: StoredCertificate }
  /** Replaces the account with the same authority. Never refused. */
  | { readonly kind: "account.save"; readonly account: StoredAuthorityAccount }
  /** Never refused; has no effect when another account has replaced it. */
  | { readonly kind: "account.forget"; readonly account: StoredAuthorityAccount }
  /** Keeps a replaced account until no certificate older than the replacement is left. */
  | { readonly kind: "account.retire"; readonly account: ReplacedAccount }
  /** Keeps the account that is about to replace the present one. Replaces an earlier successor. Never refused. */
  | { readonly kind: "account.announce"; readonly successor: SuccessorAccount }
  /** Deletes the authority's successor. Never refused. */
  | { readonly kind: "account.withdraw"; readonly authority: string }
  /** Replaces the authority's pause; one that lasts longer keeps its end and message. Never refused. */
  | {
      readonly kind: "authority.pause";
      readonly pause: Pick<AuthorityPause, "authority" | "until" | "message" | "probedAt">;
    }
  /** Counts a failure in a row of the authority, whose pause stays as it is. Never refused. */
  | {
      readonly kind: "authority.failed";
      readonly authority: string;
      readonly message: string;
      readonly at: number;
    }
  /** The authority has answered: it does not fail any more, and with `ordered` its pause ends. Never refused. */
  | {
      readonly kind: "authority.answered";
      readonly authority: string;
      readonly ordered: boolean;
      readonly at: number;
    }
  /** Keeps the page that the authority names for the operator. Never refused. */
  | {
      readonly kind: "authority.help";
      readonly authority: string;
      readonly url: string;
      readonly at: number;
    }
  /** Lets the order of one domain pass the pause. Refused `stale` if another order was allowed or refused since. */
  | {
      readonly kind: "authority.probe";
      readonly pause: AuthorityPause;
      readonly domainId: string;
      readonly at: number;
    }
  /**
   * Records that an account, or without `accountId` the operator, is told of certificates that reached a stage. Refused
   * `exists` if that was told within the last `everyMs`.
   */
  | {
      readonly kind: "overdue.tell";
      readonly accountId?: string | undefined;
      readonly stage: NoticeStage;
      readonly at: number;
      readonly everyMs: number;
    }
  /**
   * Puts a clock event into the outbox: the CA's clock is ahead by `aheadMs`, 0 once the host's clock is right
   * again.
   */
  | { readonly kind: "clock.report"; readonly aheadMs: number; readonly at: number }
  /** Blocks certificates with that key. `fingerprint` is `CertificateFacts.publicKey`. */
  | { readonly kind: "key.block"; readonly fingerprint: string; readonly at: number }
  /**
   * Deletes challenges and leases that ended before `now`, at most `limit` of each, and replaced accounts that no
   * certificate needs.
   */
  | { readonly kind: "purge"; readonly now: number; readonly limit: number };

/** `fenced`: another worker has been given the lease since. */
export type DomainRefusal = "missing" | "stale" | "exists" | "taken" | "limit" | "fenced";

/** A certificate with its encrypted private key. Instants are in milliseconds since the Unix epoch. */
export interface StoredCertificate {
  readonly id: string;
  readonly domainId: string;
  /** PEM, the leaf first. */
  readonly chainPem: string;
  readonly sealedKey: string;
  readonly notAfter: number;
  readonly createdAt: number;
}

/** A challenge that the CA may validate. Instants are in milliseconds since the Unix epoch. */
export interface OpenChallenge {
  readonly name: string;
  readonly kind: ChallengeKind;
  readonly token: string;
  readonly keyAuthorization: string;
  readonly expiresAt: number;
}

/** An account with a CA, as stored. Instants are in milliseconds since the Unix epoch. */
export interface StoredAuthorityAccount {
  readonly authority: string;
  /** Undefined: only the key exists; the CA may not have seen it yet. */
  readonly url?: string;
  readonly sealedKey: string;
  /**
   * A key that was about to be registered with the CA, for this account or for its successor. Which of the two keys
   * the CA accepts has to be asked.
   */
  readonly nextSealedKey?: string;
  readonly createdAt: number;
}

/**
 * A replaced account; certificates that were ordered with it may still be in use. Instants are in milliseconds since
 * the Unix epoch.
 */
export interface ReplacedAccount {
  readonly authority: string;
  readonly url: string;
  readonly sealedKey: string;
  readonly createdAt: number;
  readonly replacedAt: number;
}

/**
 * An account that will replace the present one once CAA records allow it. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface SuccessorAccount {
  readonly authority: string;
  /** The address of the account that it replaces. Another account since then: it is outdated. */
  readonly replaces: string;
  /** Undefined: only the key exists; the CA may not have seen it yet. */
  readonly url?: string;
  readonly sealedKey: string;
  readonly createdAt: number;
  /** When it takes over, if all name servers still allow it; undefined: they do not yet. */
  readonly switchAt?: number;
}

type Limits = "maxOfProject" | "roleByOthers" | "maxUnverified" | "maxRemoved";

/** Adds a domain, or restores the one that the same project removed. `named` are all domains with that name. */
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
