import type { Problem } from "../lib/base/problem.ts";
import type { Result } from "../lib/base/result.ts";
import type { DomainsConfigView, DomainUpdate } from "./view/bodies.ts";
import type {
  AuthorityAccountView,
  CertificateView,
  DomainSuggestionView,
  DomainView,
  ExplanationView,
  ExportedCertificate,
} from "./view/shapes.ts";

import type { RevocationReason } from "./model/domain.ts";

type Answer<Value> = Promise<Result<Value, Problem>>;

/** Whose domains are meant. */
export interface Owner {
  readonly projectId: string;
  readonly accountId: string;
}

/** A page of a list, in the order in which domains were added. */
export interface DomainPage {
  /** Id of the last domain of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * What people and programs do with custom domains. A domain is named as people write it, by its A-labels or by its id.
 * What is refused is refused in the words of the management API. Safe to call from many processes at once: of two
 * changes that contradict each other, the later one is decided on what the earlier one left.
 */
export interface Domains {
  /**
   * Gives a project a host name. The first one is primary, others lead to that one. One that the project had in the
   * last 30 days comes back with its certificate. Refused `plan_required`, `deploy_required`, `domain_exists`,
   * `limit_reached`, and `invalid_value` for what cannot be a domain here.
   */
  add(owner: Owner, domain: string): Answer<DomainView>;
  /** One that was removed is shown for 30 days. */
  show(owner: Owner, domain: string): Answer<DomainView>;
  /** Those of a project that were not removed. */
  ofProject(projectId: string): Promise<readonly DomainView[]>;
  ofAccount(accountId: string, page: DomainPage): Promise<readonly DomainView[]>;
  all(page: DomainPage): Promise<readonly DomainView[]>;
  /** Wherever a name is attached, in that account or in any; the removed ones last. */
  named(domain: string, accountId?: string): Answer<readonly DomainView[]>;
  /**
   * Asks the DNS now, at most ten seconds long; who asks for the same meanwhile is told the same. Begins the schedule
   * of checks anew. `removed` ones are refused `not_found`.
   */
  verify(owner: Owner, domain: string): Answer<DomainView>;
  update(owner: Owner, domain: string, change: DomainUpdate): Answer<DomainView>;
  /** Ends its serving at once. Never refused for a domain that there is; a second time changes nothing. */
  remove(owner: Owner, domain: string): Answer<DomainView>;
  config(projectId: string): Promise<DomainsConfigView>;
  /** Takes the whole map or nothing of it; every name in it must be a domain of the project. */
  configure(owner: Owner, config: DomainsConfigView): Answer<DomainsConfigView>;
  /** What the live deploy's `petstore.site.json` names and the project does not hold, in its order. */
  suggestions(projectId: string): Promise<readonly DomainSuggestionView[]>;
  /** What a name would come up against. It need not be anybody's. */
  explain(domain: string, signal: AbortSignal): Answer<ExplanationView>;
  /** Grows whenever the domain is shown differently; undefined when there is no such domain any more. */
  version(id: string): Promise<number | undefined>;
  /** What visitors are presented, at most `limit` after the one that `after` names. */
  certificates(page: { readonly after?: number; readonly limit: number }): Promise<{
    readonly certificates: readonly CertificateView[];
    /** Names the last one; undefined when there are no more. */
    readonly next: number | undefined;
  }>;
  /**
   * Orders the next certificate now, whatever failed before; the CA's rate limits count, and three a day. Refused
   * `domain_not_ready` for a name that was never verified.
   */
  renew(owner: Owner, domain: string): Answer<DomainView>;
  /** Likewise for a host of the service itself, or for the domain that holds the name. Refused `not_found` for others. */
  renewHost(host: string): Answer<DomainView>;
  /** With its key: for operators alone. It is written into the timeline. Refused `domain_not_ready`. */
  exportCertificate(owner: Owner, domain: string): Answer<ExportedCertificate>;
  /**
   * Has a certificate revoked (RFC 8555 §7.6). While the domain is attached another one is ordered and served first, for
   * a day at most. `keyCompromise` blocks its key for good. Refused `domain_not_ready` without a certificate.
   */
  revoke(owner: Owner, domain: string, reason: RevocationReason): Answer<DomainView>;
  /** The same for a host of the service itself, or whoever holds a name. */
  revokeHost(host: string, reason: RevocationReason): Answer<DomainView>;
  /** Our accounts with the authorities as they stand there, the one that takes new orders first. */
  authorityAccounts(): Promise<readonly AuthorityAccountView[]>;
  /**
   * Gives an account another key; `authority` is its directory, by default that of new orders. Refused `not_found` for
   * another one, `authority_refused` with the words of the CA, `unavailable` when it cannot be reached.
   */
  rolloverAccount(authority?: string): Answer<AuthorityAccountView>;
  /** Likewise, makes another account; orders that waited for the operator begin at once. */
  replaceAccount(authority?: string): Answer<AuthorityAccountView>;
}
