import type { Clock } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import type { Log } from "../lib/base/log.ts";
import type { Store } from "../lib/storage/store.ts";
import type { ServerAddress } from "./dns/server-address.ts";
import type { ChallengeKind } from "./model/domain.ts";
import type { SiteHosts } from "./own-hosts.ts";
import type { OutsideCheckOptions } from "./outside/outside-check.ts";
import type { Observe } from "./ports/observation.ts";
import type { PipelineContext, Probe } from "./pipeline/context.ts";
import type { CertificateAuthority } from "./ports/authority.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { Gatekeeper, SiteMaps } from "./ports/projects.ts";
import type { Leases } from "./ports/leases.ts";
import {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aRootKey,
  aText,
  checkOptions,
  having,
  listOf,
  oneOf,
  optional,
} from "../lib/base/options.ts";

/** What custom domains are made of. */
export interface DomainsOptions {
  /** Where changes of accounts, projects and domains are told. */
  readonly store: Pick<Store, "feed">;
  readonly domainStore: DomainStore;
  readonly leases: Leases;
  /** 32 bytes; private keys are sealed under a key derived from them. A secret. */
  readonly encryptionKey: Uint8Array;
  /** Whether a project may have domains, and what it is called: `projectGatekeeper` asks the stores of a service. */
  readonly gatekeeper: Gatekeeper;
  /** What sites ask of their domains: `projectSiteMaps` reads it. Default: nothing. */
  readonly siteMaps?: SiteMaps;
  /** New orders go to the first one. */
  readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  /** Recursive resolvers; the first four are asked about domains. */
  readonly resolvers: readonly [ServerAddress, ...ServerAddress[]];
  /** The zone below which each domain has a name of its own to lead to; `*.` before it leads to this service. */
  readonly cnameTarget: string;
  /** Names that no project may have, nor any below them: the host's own. The zone of targets is one of them anyway. */
  readonly ownDomains: readonly string[];
  /** Hosts of the service itself that are to have certificates from the start. Default: none. */
  readonly ownHosts?: readonly string[];
  /** Hosts of projects below a domain of ours: each gets a certificate at its first deploy. Default: none do. */
  readonly siteHosts?: SiteHosts;
  /** Whether the listener of this service answers for a name; `handshakeProbe` tries it. */
  readonly probe: Probe;
  /** Public addresses of this service, for the heads of zones. Default: none. */
  readonly edgeAddresses?: readonly string[];
  /** Names of the first authority in CAA records. Default: as its directory says. */
  readonly caaIdentities?: readonly string[];
  /** What an authority is told when an account is made there. Default: nothing. */
  readonly application?: PipelineContext["application"];
  /** Which proofs visitors' listeners can give. Default: `http-01`, then `tls-alpn-01`. */
  readonly challenges?: readonly [ChallengeKind, ...ChallengeKind[]];
  /** Where visitors of a domain are sent. Default: `https://` and its name. */
  readonly originOf?: (host: string) => string;
  /** Name servers that the DNS tells of may have private addresses, and special-use names are domains. Default false. */
  readonly allowPrivateNetworks?: boolean;
  /** Where domains are looked at from outside. Default 80 and 443. */
  readonly publicPorts?: OutsideCheckOptions["ports"];
  /** Port of authoritative servers by their address; for tests that may not listen on 53. */
  readonly portOf?: (address: string) => number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Called after each check of the DNS and each ended order, for metrics. Default: nobody watches. */
  readonly observe?: Observe;
}

/** Throws a TypeError that names the first option of `createDomains` which is not what it must be. */
export function checkDomainsOptions(options: DomainsOptions): void {
  checkOptions("createDomains", options, {
    store: having("a store, such as sqlStore() makes", "feed"),
    domainStore: having("a domain store, such as sqlDomainStore() makes", "commit"),
    leases: having("leases, such as sqlLeases() makes", "acquire", "release"),
    encryptionKey: aRootKey,
    gatekeeper: having("a gatekeeper with gates() and slugOf()", "gates", "slugOf"),
    siteMaps: optional(having("site maps, such as projectSiteMaps() makes")),
    authorities: listOf(having("authorities, such as acmeAuthority() makes"), 1),
    resolvers: listOf(having("resolvers with an address and a port", "address", "port"), 1),
    cnameTarget: aText,
    ownDomains: listOf(aText),
    ownHosts: optional(listOf(aText)),
    siteHosts: optional(having("hosts of sites")),
    probe: aFunction,
    edgeAddresses: optional(listOf(aText)),
    caaIdentities: optional(listOf(aText)),
    application: optional(having("an application for an account")),
    challenges: optional(listOf(oneOf(["http-01", "tls-alpn-01"]), 1)),
    originOf: optional(aFunction),
    allowPrivateNetworks: optional(aBoolean),
    publicPorts: optional(having("an object of ports")),
    portOf: optional(aFunction),
    clock: optional(aClock),
    random: optional(aFunction),
    log: optional(aLog),
    observe: optional(aFunction),
  });
}
