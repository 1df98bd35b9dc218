import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import type { ExportedCertificate } from "../view/shapes.ts";
import type { Explanation } from "../explain.ts";
import type { Domain } from "../model/domain.ts";
import type { HostnameRules, ParsedHostname } from "../model/hostname.ts";
import type { AccountContext } from "../pipeline/authority-account.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper, SiteMaps } from "../ports/projects.ts";

/** What the actions stand on. */
export interface DomainsContext {
  readonly store: DomainStore;
  readonly gatekeeper: Gatekeeper;
  readonly siteMaps: SiteMaps;
  readonly rules: HostnameRules;
  /** The zone below which each domain has a name of its own to lead to. */
  readonly cnameTarget: string;
  /**
   * Looks at the DNS of a domain and keeps what it found. One look for all who ask at the same time; at most ten seconds.
   * Resolves with what it has become, undefined when it was removed.
   */
  readonly verify: (domainId: string, signal: AbortSignal) => Promise<Domain | undefined>;
  /** Looks at a name that need not be anybody's; at most ten seconds. */
  readonly explore: (name: ParsedHostname, signal: AbortSignal) => Promise<Explanation>;
  /** Told of every domain that was written here, at once: visitors must not go on being served by what it was before. */
  readonly changed: (domain: Domain) => void;
  /** The certificate with its key. Undefined when it is gone. */
  readonly exported: (certificateId: string) => Promise<ExportedCertificate | undefined>;
  /** Our accounts with the authorities. */
  readonly accounts: AccountContext & {
    readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  };
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}
