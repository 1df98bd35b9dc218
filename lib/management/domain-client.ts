import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type {
  AuthorityAccountView,
  CertificateView,
  DomainsConfigView,
  DomainSuggestionView,
  DomainView,
  ExplanationView,
  redirectStatuses,
} from "./domain-view.ts";

type Answer<Value> = Promise<Result<Value, Problem>>;

/** Custom domains, spoken to the management API. `project` is a slug or an id, `domain` a name as people write it. */
export interface DomainsClient {
  add(project: string, domain: string): Answer<DomainView>;
  /** Of a project, or else of an account, or of all that the caller may see. Removed ones are not among them. */
  list(of?: {
    readonly project?: string;
    readonly accountId?: string;
  }): Answer<readonly DomainView[]>;
  /** Wherever it is attached, as far as the caller may see; removed ones are listed last. */
  named(domain: string): Answer<readonly DomainView[]>;
  show(project: string, domain: string): Answer<DomainView>;
  /** Asks the DNS now; answers in about ten seconds at most. */
  verify(project: string, domain: string): Answer<DomainView>;
  update(project: string, domain: string, change: DomainUpdate): Answer<DomainView>;
  remove(project: string, domain: string): Answer<DomainView>;
  config(project: string): Answer<DomainsConfigView>;
  /** Replaces the whole map, or changes nothing. */
  configure(project: string, config: DomainsConfigView): Answer<DomainsConfigView>;
  /** What the live deploy's `petstore.site.json` names and the project cannot use yet. */
  suggestions(project: string): Answer<readonly DomainSuggestionView[]>;
  /** What a name would come up against; it need not be attached anywhere. */
  explain(domain: string): Answer<ExplanationView>;
}

/** What is absent stays as it is. */
export interface DomainUpdate {
  readonly role?: "primary";
  /** Lets the domain lead to another one of the project. */
  readonly redirectTo?: string;
  readonly redirectStatus?: (typeof redirectStatuses)[number];
  readonly hstsSeconds?: number;
}

/** For operators. */
export interface CertificatesClient {
  list(): Answer<readonly CertificateView[]>;
  /** Begins a new order as soon as the DNS passes; what there is stays until then. */
  renew(project: string, domain: string): Answer<DomainView>;
  /** The same by its name alone, also for a host of the service itself, such as its base domain. */
  renewHost(host: string): Answer<DomainView>;
  export(project: string, domain: string): Answer<ExportedCertificate>;
  /** Has it revoked, once another one is served; default reason: `unspecified`. */
  revoke(project: string, domain: string, reason?: RevocationReason): Answer<DomainView>;
  /** The same for a host of the service itself, by its name alone. */
  revokeHost(host: string, reason?: RevocationReason): Answer<DomainView>;
  /** Our accounts with the authorities, the one that takes new orders first. */
  accounts(): Answer<readonly AuthorityAccountView[]>;
  /** Changes the key of the account with `authority`; default: the one that takes new orders. */
  rolloverAccount(authority?: string): Answer<AuthorityAccountView>;
  /** Makes a new account with `authority`, which takes all orders from then on. */
  replaceAccount(authority?: string): Answer<AuthorityAccountView>;
}

/** Why a certificate is to be trusted no longer (RFC 5280 §5.3.1). */
export type RevocationReason =
  | "unspecified"
  | "keyCompromise"
  | "superseded"
  | "cessationOfOperation";

export interface ExportedCertificate {
  /** PEM, the leaf first. */
  readonly chain: string;
  /** PKCS #8, PEM. A secret. */
  readonly privateKey: string;
}
