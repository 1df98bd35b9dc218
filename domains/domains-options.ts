import type { Clock } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import type { Log } from "../lib/base/log.ts";
import type { TakeTurn } from "../lib/base/rounds.ts";
import type { Store } from "../lib/storage/store.ts";
import type { ServerAddress } from "./dns/server-address.ts";
import type { ChallengeKind } from "./model/domain.ts";
import type { OverdueNotice } from "./keeper/overdue-notices.ts";
import type { SiteHosts } from "./own-hosts/own-hosts.ts";
import type { OutsideCheckOptions } from "./outside/outside-check.ts";
import type { Observe } from "./ports/observation.ts";
import type { PipelineContext, Probe } from "./pipeline/context.ts";
import type { CertificateAuthority } from "./ports/authority.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { Gatekeeper, SiteMaps } from "./ports/projects.ts";
import type { Leases } from "./ports/leases.ts";
import {
  anAddress,
  aBoolean,
  aClock,
  aCount,
  aFunction,
  aLog,
  aRootKey,
  aText,
  checkOptions,
  type Expectation,
  having,
  listOf,
  oneOf,
  optional,
  optionsOf,
} from "../lib/base/options.ts";

/** Options of `createDomains`. */
export interface DomainsOptions {
  /** Its feed reports changes of accounts, projects and domains, and its clock says whether domains may expire. */
  readonly store: Pick<Store, "feed" | "clock">;
  /** Where domains and certificates are kept: `sqlDomainStore({ sql })`. */
  readonly domainStore: DomainStore;
  /** Which process works on a domain: `sqlLeases({ sql })`. */
  readonly leases: Leases;
  /** 32 bytes; a key derived from them encrypts private keys. A secret. */
  readonly encryptionKey: Uint8Array;
  /** Decides whether a project may have domains, and returns its slug. Example: `projectGatekeeper`. */
  readonly gatekeeper: Gatekeeper;
  /** Reads which domains a site asks for, such as `projectSiteMaps`. Default: none. */
  readonly siteMaps?: SiteMaps | undefined;
  /** The first one gets new orders. */
  readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  /** Further CAs for rehearsals of renewals, such as the one for tests of the first; it is the default. Default: none. */
  readonly rehearsalAuthorities?: readonly CertificateAuthority[] | undefined;
  /** Recursive resolvers. The first four are queried. */
  readonly resolvers: readonly [ServerAddress, ...ServerAddress[]];
  /** The zone in which each domain has its own CNAME target; `*.` in it must lead to this service. */
  readonly cnameTarget: string;
  /** Names that, with all names below them, no project can have. `cnameTarget` is always one of them. */
  readonly ownDomains: readonly string[];
  /** Hosts of the service itself that need certificates from the start. Default: none. */
  readonly ownHosts?: readonly string[] | undefined;
  /** Hosts of projects below a domain of the service. Each gets a certificate at its first deploy. Default: none. */
  readonly siteHosts?: SiteHosts | undefined;
  /** Checks whether this service's listener serves a name, such as `handshakeProbe`. */
  readonly probe: Probe;
  /** Public addresses of this service, for apex domains. Default: none. */
  readonly edgeAddresses?: readonly string[] | undefined;
  /** Names of the first authority in CAA records. Default: those in its directory. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** Data for new accounts with an authority. Default: none. */
  readonly application?: PipelineContext["application"] | undefined;
  /** Challenges that the listeners can answer. Default: `http-01`, then `tls-alpn-01`. */
  readonly challenges?: readonly [ChallengeKind, ...ChallengeKind[]] | undefined;
  /**
   * The address of the page that share links open: `https://pets.example.org/share`. The token follows after `#`. Default:
   * none; links are made without an address.
   */
  readonly shareAddress?: string | undefined;
  /** Returns the origin that redirects to a domain use. Default: `https://` and its name. */
  readonly originOf?: ((host: string) => string) | undefined;
  /**
   * How long custom domains are served while the store cannot be read, since other processes may have removed them.
   * Default: forever.
   */
  readonly staleRoutesForMs?: number | undefined;
  /** Allows private addresses of name servers found in the DNS, and special-use names. Default: false. */
  readonly allowPrivateNetworks?: boolean | undefined;
  /** Ports for checks from outside. Default: 80 and 443. */
  readonly publicPorts?: OutsideCheckOptions["ports"] | undefined;
  /** Port of the name server at an address. Default: 53. For tests. */
  readonly portOf?: ((address: string) => number) | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Whether this process leaves due tasks to others now, because its clock is wrong. Default: never. */
  readonly leaveToOthers?: (() => boolean) | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
  /** Called after each DNS check and each finished order, for metrics. Default: none. */
  readonly observe?: Observe | undefined;
  /**
   * Called with one notice about all overdue certificates when some have reached a quarter, half or three quarters of the
   * time from renewal to expiry; once for each stage, account and the operator, until the certificate reaches the next one. Called again if it
   * rejects. Default: the log has the notices for the operator.
   */
  readonly onOverdue?: ((notice: OverdueNotice) => Promise<void> | void) | undefined;
}

/** The ports of plain HTTP and of HTTPS. */
export const aPairOfPorts: Expectation = optionsOf("the ports plain and secure", {
  plain: aCount(1),
  secure: aCount(1),
});

/** Throws a `TypeError` that names the first invalid option of `createDomains`. */
export function checkDomainsOptions(options: DomainsOptions): void {
  checkOptions("createDomains", options, {
    store: having("a store, such as sqlStore() makes", "feed"),
    domainStore: having("a domain store, such as sqlDomainStore() makes", "commit"),
    leases: having("leases, such as sqlLeases() makes", "acquire", "release"),
    encryptionKey: aRootKey,
    gatekeeper: having("a gatekeeper with gates() and slugOf()", "gates", "slugOf"),
    siteMaps: optional(having("site maps, such as projectSiteMaps() makes")),
    authorities: listOf(having("authorities, such as acmeAuthority() makes"), 1),
    rehearsalAuthorities: optional(listOf(having("authorities, such as acmeAuthority() makes"), 0)),
    resolvers: listOf(having("resolvers with an address and a port", "address", "port"), 1),
    cnameTarget: aText,
    ownDomains: listOf(aText),
    ownHosts: optional(listOf(aText)),
    siteHosts: optional(having("hosts of sites")),
    probe: aFunction,
    edgeAddresses: optional(listOf(aText)),
    caaIdentities: optional(listOf(aText)),
    application: optional(
      optionsOf("an application for an account", {
        email: optional(aText),
        externalAccount: optional(having("an account with keyId and hmacKey")),
      }),
    ),
    challenges: optional(listOf(oneOf(["http-01", "tls-alpn-01"]), 1)),
    shareAddress: optional(anAddress),
    originOf: optional(aFunction),
    staleRoutesForMs: optional(aCount(1)),
    allowPrivateNetworks: optional(aBoolean),
    publicPorts: optional(aPairOfPorts),
    portOf: optional(aFunction),
    takeTurn: optional(aFunction),
    leaveToOthers: optional(aFunction),
    clock: optional(aClock),
    random: optional(aFunction),
    log: optional(aLog),
    observe: optional(aFunction),
    onOverdue: optional(aFunction),
  });
}
