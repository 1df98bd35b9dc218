import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import type { DomainWatch } from "./domain-watch.ts";
import type { Explanation } from "./explain.ts";
import type { Domain } from "../model/domain.ts";
import type { HostnameRules, ParsedHostname } from "../model/hostname.ts";
import type { ReplacementContext } from "../pipeline/account-replacement.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { CommitDomains, DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper, SiteMaps } from "../ports/projects.ts";
import type { ShareLinks } from "../storage/share-links.ts";
import type { Reader } from "../view/headline.ts";
import type { ExportedCertificate } from "../view/shapes.ts";

/** The project that a domain belongs to, and its account. */
export interface Owner {
  readonly projectId: string;
  readonly accountId: string;
}

/** A page of a list, in the order in which the domains were added. */
export interface DomainPage {
  /** ID of the last domain of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

/** What the actions need. */
export interface DomainsContext {
  readonly store: Omit<DomainStore, "commit">;
  /** Commits as the actor of the call. */
  readonly commit: CommitDomains;
  readonly gatekeeper: Gatekeeper;
  readonly siteMaps: SiteMaps;
  /** Returns the rules for names that can be added. */
  readonly rules: () => Promise<HostnameRules>;
  /** The zone in which each domain has its own CNAME target. */
  readonly cnameTarget: string;
  /**
   * Checks the DNS of a domain for at most ten seconds, and stores the result. Simultaneous calls share one check.
   * Resolves with the changed domain; undefined if it was removed.
   */
  readonly verify: (domainId: string, signal: AbortSignal) => Promise<Domain | undefined>;
  /** Checks the DNS of a name that no project needs to have, for at most ten seconds. */
  readonly explore: (name: ParsedHostname, signal: AbortSignal) => Promise<Explanation>;
  /** Called with every domain that an action saved, so that visitors are served by its new state at once. */
  readonly changed: (domain: Domain) => void;
  readonly watch: DomainWatch["watch"];
  /** Performs a whole renewal at a CA without an effect. Undefined: the domain is being worked on. */
  readonly rehearse: (
    domain: Domain,
    authority: CertificateAuthority,
    signal: AbortSignal,
  ) => Promise<Rehearsal | undefined>;
  /** Further CAs for rehearsals, such as one for tests; the first is the default. */
  readonly rehearsalAuthorities: readonly CertificateAuthority[];
  readonly shareLinks: ShareLinks;
  /** The address of the page that share links open; undefined: there is none. */
  readonly shareAddress: string | undefined;
  /** Reads a certificate with its key; undefined if it was deleted. */
  readonly exported: (certificateId: string) => Promise<ExportedCertificate | undefined>;
  /** This service's accounts with its certificate authorities. */
  readonly accounts: ReplacementContext & {
    readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  };
  /** Whether the caller is an owner, or an operator of this service. */
  readonly readBy: Reader;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}
