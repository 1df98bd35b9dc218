import { systemClock, type Clock } from "../lib/base/clock.ts";
import { systemRandom, type Random } from "../lib/base/id.ts";
import { silentLog, type Log } from "../lib/base/log.ts";
import type { ManagementEndpoint } from "../lib/management/endpoint.ts";
import type { Jobs } from "../lib/rounds.ts";
import type { Store } from "../lib/storage/store.ts";
import { applySiteMap } from "./actions/apply-site-map.ts";
import { createDomainActions } from "./actions/create-domain-actions.ts";
import { createAuthorities } from "./dns/authoritative.ts";
import { publicSuffixes } from "./dns/public-suffixes.ts";
import { createAsk } from "./dns/query.ts";
import { recursiveResolver } from "./dns/resolver.ts";
import { DNS_PORT, type ServerAddress } from "./dns/server-address.ts";
import { SURVEY_TIME_MS, takeSurvey } from "./dns/survey.ts";
import type { Domains } from "./domains.ts";
import { domainEndpoints } from "./http/endpoints.ts";
import { issuersOf } from "./issuers.ts";
import { createKeeper } from "./keeper.ts";
import type { ChallengeKind, Domain } from "./model/domain.ts";
import { isAtOrBelow } from "./model/hostname.ts";
import { ownHostJobs, type SiteHosts } from "./own-host-jobs.ts";
import { createOwnHosts, ownHostVerifier, withOwnHosts } from "./own-hosts.ts";
import { certificateIdentity } from "./pipeline/activate.ts";
import { createLook, type LookFromOutside, type LookOptions } from "./outside/look.ts";
import { createPresence, type Presence } from "./outside/presence.ts";
import type { PipelineContext, Probe } from "./pipeline/context.ts";
import { createPipeline } from "./pipeline/pipeline.ts";
import type { CertificateAuthority } from "./ports/authority.ts";
import type { CertificateFor, ChallengeAnswers, DomainRoutes } from "./ports/certificates.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { Gatekeeper } from "./ports/gatekeeper.ts";
import type { Leases } from "./ports/leases.ts";
import type { SiteMaps } from "./ports/site-maps.ts";
import { certificatesOf, challengesOf } from "./presented.ts";
import { createRouteTable } from "./routes.ts";
import { createSeal } from "./seal.ts";
import { siteMapJobs } from "./site-map-jobs.ts";
import { noSiteMaps } from "./site-maps.ts";
import { createExplorer, createVerifier } from "./verifier.ts";

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
  readonly publicPorts?: LookOptions["ports"];
  /** Port of authoritative servers by their address; for tests that may not listen on 53. */
  readonly portOf?: (address: string) => number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
}

/** Custom domains of a service, and certificates for its own hosts. */
export interface CustomDomains {
  readonly domains: Domains;
  /** For `createManagement`, as `more`. */
  readonly endpoints: readonly ManagementEndpoint[];
  readonly certificateFor: CertificateFor;
  /** Whether there is a certificate for a host, ours or a custom one. Never a query. */
  readonly hasCertificate: (host: string) => boolean;
  readonly challenges: ChallengeAnswers;
  /** For `answerProbe`, before all else that listeners do: by it domains are known to lead here. */
  readonly presence: Pick<Presence, "answer">;
  readonly routes: DomainRoutes;
  /** How many hosts are served. */
  readonly served: number;
  readonly jobs: Jobs;
  /** Interrupts what waits, and stops the jobs: an order goes on where it was when they start again. Stores stay open. */
  close(): Promise<void>;
}

/** The name of the TXT record by which the ownership of a domain is proven. */
export function ownershipName(domain: string): string {
  return `_petstore.${domain}`;
}

/** Custom domains over one store. Opens nothing, starts nothing. Bad options throw a TypeError. */
export function createDomains(options: DomainsOptions): CustomDomains {
  const { store, domainStore, authorities, cnameTarget, leases } = options;
  const { clock = systemClock, random = systemRandom, log = silentLog } = options;
  const { challenges: kinds = ["http-01", "tls-alpn-01"], originOf } = options;
  const seal = createSeal(options.encryptionKey, random);
  const { ownHosts: always = [], siteHosts } = options;
  const isWanted = async (host: string): Promise<boolean> =>
    always.includes(host) || ((await siteHosts?.has(host)) ?? false);
  const gatekeeper = withOwnHosts(options.gatekeeper, isWanted);
  const { siteMaps = noSiteMaps } = options;
  const stopping = new AbortController();

  const routes = createRouteTable({
    store: domainStore,
    gatekeeper,
    clock,
    ...(originOf === undefined ? {} : { originOf }),
  });
  const changed = (domain: Domain): void => {
    routes.learn(domain).catch((error: unknown) => {
      // The feed tells of it again.
      log.error("a change of a domain could not be taken in at once", error, { name: domain.name });
    });
  };

  const presence = createPresence(options.encryptionKey, random);
  const outside = createLook({
    presence,
    clock,
    allowPrivateNetworks: options.allowPrivateNetworks ?? false,
    ...(options.publicPorts === undefined ? {} : { ports: options.publicPorts }),
  });
  const { verifier, explore } = looks(options, { clock, random, kinds, outside });
  const pipeline = createPipeline({
    store: domainStore,
    leases,
    authorities,
    verifier,
    gatekeeper,
    probe: options.probe,
    outside,
    seal,
    clock,
    random,
    log,
    challenges: kinds,
    application: options.application ?? {},
    onSaved: changed,
  });
  const domains = createDomainActions({
    store: domainStore,
    gatekeeper,
    siteMaps,
    rules: {
      suffixes: publicSuffixes,
      ownDomains: [...options.ownDomains, ...always, cnameTarget],
      allowPrivate: options.allowPrivateNetworks ?? false,
    },
    cnameTarget,
    ownershipName,
    verify: (domainId, signal) => pipeline.verify(domainId, signal),
    explore,
    changed,
    exported: async (certificateId) => {
      const found = await domainStore.certificates.byId(certificateId);
      if (found === undefined) return undefined;
      const privateKey = seal.open(found.sealedKey, certificateIdentity(certificateId));
      return { chain: found.chainPem, privateKey };
    },
    stopping: stopping.signal,
    clock,
    random,
  });
  const ownHosts = createOwnHosts({ store: domainStore, clock, random });
  const own = ownHostJobs({ ownHosts, always, siteHosts, store, clock, log });
  const keeper = createKeeper({ pipeline, domains: domainStore, store, routes, clock, log });
  const maps = siteMapJobs({
    apply: (projectId) => applySiteMap({ store: domainStore, siteMaps, clock, changed }, projectId),
    domains: domainStore,
    store,
    clock,
    log,
  });
  const stop = async (): Promise<void> => {
    await own.stop();
    await maps.stop();
    await keeper.stop();
  };
  return {
    domains,
    endpoints: domainEndpoints(domains),
    certificateFor: certificatesOf({ store: domainStore, routes, seal }),
    hasCertificate: (host) => routes.certificateOf(host) !== undefined,
    challenges: challengesOf({ store: domainStore, clock, random }),
    presence,
    routes,
    get served() {
      return routes.size;
    },
    jobs: {
      start: () => {
        own.start();
        maps.start();
        keeper.start();
      },
      tick: async () => {
        await own.tick();
        await maps.tick();
        await keeper.tick();
      },
      stop,
    },
    close: async () => {
      stopping.abort();
      await stop();
    },
  };
}

/** Who looks at the DNS of domains, of names that are nobody's yet, and of our own hosts. */
function looks(
  options: DomainsOptions,
  {
    clock,
    random,
    kinds,
    outside,
  }: {
    readonly clock: Clock;
    readonly random: Random;
    readonly kinds: readonly ChallengeKind[];
    readonly outside: LookFromOutside;
  },
): {
  readonly verifier: PipelineContext["verifier"];
  readonly explore: ReturnType<typeof createExplorer>;
} {
  const {
    cnameTarget,
    ownDomains,
    ownHosts = [],
    domainStore,
    authorities,
    caaIdentities,
  } = options;
  const { allowPrivateNetworks = false, portOf = () => DNS_PORT, edgeAddresses = [] } = options;
  const ask = createAsk({ clock, random });
  const [first, ...others] = options.resolvers;
  const resolvers = [
    recursiveResolver(ask, first),
    ...others.map((server) => recursiveResolver(ask, server)),
  ] as const;
  const suffixes = publicSuffixes;
  const issuers = issuersOf({
    authorities,
    store: domainStore,
    challenges: kinds,
    clock,
    ...(caaIdentities === undefined ? {} : { caaIdentities }),
  });
  const guides = createAuthorities({
    ask,
    clock,
    portOf,
    resolvers,
    allowPrivateNetworks,
    suffixes,
  });
  const forDomains = {
    survey: (request: Parameters<typeof takeSurvey>[0] & { readonly signal: AbortSignal }) =>
      takeSurvey(request, { resolvers, authorities: guides, clock, random }),
    suffixes,
    cnameTarget,
    ownershipName,
    edgeAddresses,
    issuers,
  };
  const verifyDomain = createVerifier({ ...forDomains, outside });
  const verifyOwn = ownHostVerifier({ resolvers, issuers, clock, budgetMs: SURVEY_TIME_MS });
  const own = [...ownDomains, ...ownHosts];
  const isOwn = (name: string): boolean => own.some((domain) => isAtOrBelow(name, domain));
  return {
    // A project cannot have such a name.
    verifier: (subject, signal) =>
      isOwn(subject.name) ? verifyOwn(subject, signal) : verifyDomain(subject, signal),
    explore: createExplorer({ ...forDomains, random }),
  };
}
