import type { Eventual } from "../../lib/base/eventual.ts";
import type { Result } from "../../lib/base/result.ts";
import type { Domain } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { AuthorityPause } from "../model/backoff.ts";
import type { TimelineEntry } from "../model/timeline.ts";
import type {
  DomainChange,
  DomainRefusal,
  OpenChallenge,
  ReplacedAccount,
  StoredAuthorityAccount,
  StoredCertificate,
} from "./domain-change.ts";
import type { Lease } from "./leases.ts";

/** The lease that a commit stands under, which it makes last until `until`. */
export interface Under {
  readonly lease: Lease;
  readonly until: number;
}

/**
 * All that is remembered of custom domains. What every adapter must promise (test/contract/domain-store.ts):
 *
 * - `commit` applies all of its changes or none, in order, and resolves when they are durable. Commits see the ones
 *   before them whole. Under a lease it is refused `fenced` when another one was given for the same name since.
 * - A read sees every commit that had resolved, in this process, before it was called.
 * - Of a name there is one holder and one open order at most. A target is never given to another project.
 * - Absence is `undefined` or an empty list. What throws is the broken world: `StoreUnavailable` when trying later
 *   makes sense.
 * - Private keys are sealed before they come here.
 */
export interface DomainStore {
  readonly domains: {
    byId(id: string): Eventual<Domain | undefined>;
    /** Whose the name is. */
    holderOf(name: string): Eventual<Domain | undefined>;
    /** In the order in which they were added; without the removed ones. */
    ofProject(projectId: string): Eventual<readonly Domain[]>;
    /** Likewise, those added after the domain `after`, at most `limit`. */
    ofAccount(
      accountId: string,
      page: { readonly after?: string; readonly limit: number },
    ): Eventual<readonly Domain[]>;
    /** Of all accounts, likewise. */
    all(page: { readonly after?: string; readonly limit: number }): Eventual<readonly Domain[]>;
    /** Of all accounts, the holder first, the removed ones last; at most `limit`. */
    named(name: string, limit: number): Eventual<readonly Domain[]>;
    /** Ids of those for which something is due, the longest due first. Costs what is due. */
    due(now: number, limit: number): Eventual<readonly string[]>;
    /** When the next one is due; undefined: none is. */
    nextDueAt(): Eventual<number | undefined>;
    /** Those that hold a certificate and their name, by `seq`, after that one. */
    served(
      after: number,
      limit: number,
    ): Eventual<readonly { readonly seq: number; readonly domain: Domain }[]>;
  };
  readonly targets: {
    /** The label that project and name were given, however long ago. */
    of(projectId: string, name: string): Eventual<string | undefined>;
    /** Whose it is, or was. */
    owner(
      label: string,
    ): Eventual<{ readonly projectId: string; readonly name: string } | undefined>;
    /** Whether an account but this one ever had the name attached. */
    attachedElsewhere(name: string, accountId: string): Eventual<boolean>;
  };
  readonly reports: {
    /** JSON of the last look at the DNS. */
    of(domainId: string): Eventual<string | undefined>;
  };
  readonly orders: {
    /** The open one. */
    of(name: string): Eventual<OpenOrder | undefined>;
  };
  readonly certificates: {
    byId(id: string): Eventual<StoredCertificate | undefined>;
  };
  readonly challenges: {
    http01(name: string, token: string, now: number): Eventual<OpenChallenge | undefined>;
    tlsAlpn01(name: string, now: number): Eventual<OpenChallenge | undefined>;
    /** Names with one that is open, in no order. */
    tlsAlpn01Names(now: number, limit: number): Eventual<readonly string[]>;
  };
  readonly accounts: {
    of(authority: string): Eventual<StoredAuthorityAccount | undefined>;
    /** The accounts that it took the place of, the last one first, as far as certificates still need them. */
    replaced(authority: string): Eventual<readonly ReplacedAccount[]>;
  };
  readonly pauses: {
    /** The last one of an authority, over or not. */
    of(authority: string): Eventual<AuthorityPause | undefined>;
  };
  readonly keys: {
    /** Whether a key was blocked, by its fingerprint. */
    isBlocked(fingerprint: string): Eventual<boolean>;
  };
  readonly timeline: {
    /** Newest first. */
    of(domainId: string, limit: number): Eventual<readonly TimelineEntry[]>;
  };
  commit(
    changes: readonly DomainChange[],
    under?: Under,
  ): Promise<Result<undefined, DomainRefusal>>;
}
