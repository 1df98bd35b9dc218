import type { Eventual } from "../../lib/base/eventual.ts";
import type { Result } from "../../lib/base/result.ts";
import type { Actor } from "../../lib/model/actor.ts";
import type { Domain } from "../model/domain.ts";
import type { LookCounts } from "../model/drift.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { AuthorityPause } from "../model/authority-pause.ts";
import type { TimelineEntry } from "../model/timeline.ts";
import type {
  DomainChange,
  DomainRefusal,
  OpenChallenge,
  ReplacedAccount,
  StoredAuthorityAccount,
  StoredCertificate,
  SuccessorAccount,
} from "./domain-change.ts";
import type { Lease } from "./leases.ts";

/**
 * The lease required by a commit, which extends it to `ttlMs` from now. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface Under {
  readonly lease: Lease;
  readonly ttlMs: number;
  /** The time by the caller's clock. A store with a clock of its own ignores it. */
  readonly now: number;
}

/** The certificates that are overdue. Instants are in milliseconds since the Unix epoch. */
export interface OverdueCounts {
  readonly overdue: number;
  /** How many of them have expired. */
  readonly expired: number;
  /** When the first of them expires, or has expired. Absent: none is overdue. */
  readonly firstExpiresAt?: number;
}

/**
 * Stores everything about custom domains. Contract (testing/domains/domain-store-contract.ts):
 *
 * - `commit` applies all changes in order or none, and resolves when they are durable. Commits are serializable.
 *   With a lease it is refused `fenced` if the lease has been given to another worker since.
 *   Its events have its actor, unless a change names another one.
 * - A read sees every commit that resolved in this process before the read was called.
 * - A name has at most one holder and one open order. A target is never assigned to another project.
 * - Absence is `undefined` or an empty list. Only infrastructure failures throw: `StoreUnavailable` when a retry
 *   makes sense.
 * - Private keys arrive encrypted.
 */
export interface DomainStore {
  readonly domains: {
    byId(id: string): Eventual<Domain | undefined>;
    /** The domain that holds the name. */
    holderOf(name: string): Eventual<Domain | undefined>;
    /** Lists the domains of a project in order of addition, without removed ones. */
    ofProject(projectId: string): Eventual<readonly Domain[]>;
    /** Likewise, at most `limit` domains added after the domain `after`. */
    ofAccount(
      accountId: string,
      page: { readonly after?: string | undefined; readonly limit: number },
    ): Eventual<readonly Domain[]>;
    /** Likewise, of all accounts. */
    all(page: {
      readonly after?: string | undefined;
      readonly limit: number;
    }): Eventual<readonly Domain[]>;
    /**
     * Lists the domains of a page of all, removed ones included, whose row lacks what is counted here, because an older
     * version wrote it: writing them again corrects that. `next` is the `after` of the next page, if there is one.
     */
    outdated(page: { readonly after?: string | undefined; readonly limit: number }): Eventual<{
      readonly ids: readonly string[];
      readonly next: string | undefined;
    }>;
    /** Lists the domains of all accounts with a name: the holder first, removed domains last; at most `limit`. */
    named(name: string, limit: number): Eventual<readonly Domain[]>;
    /**
     * Ids of domains with due tasks, longest overdue first. The cost is proportional to the result. Without `mayEnd`
     * (default: true), tasks that take something away do not count, as in `nextTask`.
     */
    due(now: number, limit: number, mayEnd?: boolean): Eventual<readonly string[]>;
    /** The earliest due time; undefined if no task is scheduled. `mayEnd` as in `due`. */
    nextDueAt(mayEnd?: boolean): Eventual<number | undefined>;
    /**
     * Counts the certificates that the operator is told of as overdue, as in `operatorToldAt`. Their number is the cost,
     * of an index. A domain that an older version wrote counts once it is written again (`outdated`).
     */
    overdue(now: number): Eventual<OverdueCounts>;
    /** The names of those that expire first, at most `limit`. */
    firstOverdue(now: number, limit: number): Eventual<readonly string[]>;
    /**
     * Counts the live names by their last daily look: those of the last hour before `now`, or the last fifty if there are
     * fewer. A name that drifts counts as bad at its first bad look, and as lasting from `LASTING_DRIFT_MS` after it on; one that
     * has moved does not count (`countedLook`).
     */
    lookCounts(now: number): Eventual<LookCounts>;
    /** Domains that hold a certificate and their name, in order of `seq`, after `after`. */
    served(
      after: number,
      limit: number,
    ): Eventual<readonly { readonly seq: number; readonly domain: Domain }[]>;
  };
  readonly targets: {
    /** The label assigned to project and name, however long ago. */
    of(projectId: string, name: string): Eventual<string | undefined>;
    /** The project and name that the label is assigned to. */
    owner(
      label: string,
    ): Eventual<{ readonly projectId: string; readonly name: string } | undefined>;
    /** Whether another account ever attached the name. */
    attachedElsewhere(name: string, accountId: string): Eventual<boolean>;
  };
  readonly reports: {
    /** JSON of the latest DNS check. */
    of(domainId: string): Eventual<string | undefined>;
  };
  readonly orders: {
    /** The open order. */
    of(name: string): Eventual<OpenOrder | undefined>;
  };
  readonly certificates: {
    byId(id: string): Eventual<StoredCertificate | undefined>;
  };
  readonly challenges: {
    http01(name: string, token: string, now: number): Eventual<OpenChallenge | undefined>;
    tlsAlpn01(name: string, now: number): Eventual<OpenChallenge | undefined>;
    /** Names with an open challenge, in no particular order. */
    tlsAlpn01Names(now: number, limit: number): Eventual<readonly string[]>;
  };
  readonly accounts: {
    of(authority: string): Eventual<StoredAuthorityAccount | undefined>;
    /** Replaced accounts that certificates still need, latest first. */
    replaced(authority: string): Eventual<readonly ReplacedAccount[]>;
    /** The account that is about to replace the present one. */
    successor(authority: string): Eventual<SuccessorAccount | undefined>;
  };
  readonly pauses: {
    /** What was last known against the authority, even if it is over. */
    of(authority: string): Eventual<AuthorityPause | undefined>;
    /** Likewise of every authority, also of those that are not configured any more, in order of their ids. */
    all(): Eventual<readonly AuthorityPause[]>;
  };
  readonly keys: {
    /** Whether the key with that fingerprint is blocked. */
    isBlocked(fingerprint: string): Eventual<boolean>;
  };
  readonly timeline: {
    /** Newest first. */
    of(domainId: string, limit: number): Eventual<readonly TimelineEntry[]>;
  };
  commit(
    changes: readonly DomainChange[],
    actor: Actor,
    under?: Under,
  ): Promise<Result<undefined, DomainRefusal>>;
}

/** Commits changes as one actor, without a lease, as `DomainStore.commit` does. */
export type CommitDomains = (changes: readonly DomainChange[]) => ReturnType<DomainStore["commit"]>;
