import { checkDomainsOptions, type DomainsOptions } from "./domains-options.ts";
import { createHash } from "node:crypto";

import { HOUR_MS, MINUTE_MS, systemClock, type Clock } from "../lib/base/clock.ts";
import { systemRandom } from "../lib/base/id.ts";
import { isolated, isolatedLog } from "../lib/base/hook.ts";
import { ofOperators, system, type Actor } from "../lib/model/actor.ts";
import type { ManagementEndpoint } from "../lib/management/endpoint.ts";
import { createRounds, type Jobs } from "../lib/base/rounds.ts";
import { trustedTurns } from "../lib/base/store-clock.ts";
import { continueReplacements, prepareAccounts } from "./actions/authority-accounts.ts";
import { applySiteMap } from "./actions/apply-site-map.ts";
import type { DomainsContext } from "./actions/context.ts";
import { agrees, createAuthorityTime } from "./acme/authority-time.ts";
import { createVerifiers } from "./outside/verifier.ts";
import { loadPublicSuffixes } from "./dns/public-suffixes.ts";
import { bindActions, type Domains } from "./domains.ts";
import { domainEndpoints } from "./http/endpoints.ts";
import { createDomainWatch } from "./actions/domain-watch.ts";
import { createOverdueNotices } from "./keeper/overdue-notices.ts";
import { createKeeper } from "./keeper/keeper.ts";
import { pausedUntil } from "./model/authority-pause.ts";
import type { Domain } from "./model/domain.ts";
import { ownHostJobs, createOwnHosts, withOwnHosts } from "./own-hosts/own-hosts.ts";
import { certificateIdentity } from "./pipeline/activate.ts";
import { createOutsideCheck } from "./outside/outside-check.ts";
import { createPresence, type Presence } from "./outside/presence.ts";
import { createShareLinks } from "./storage/share-links.ts";
import { createPipeline } from "./pipeline/pipeline.ts";
import type { CertificateAuthority } from "./ports/authority.ts";
import type { OverdueCounts } from "./ports/domain-store.ts";
import type { CertificateFor, ChallengeAnswers, DomainRoutes } from "./ports/certificates.ts";
import { certificateLoader, certificatesOf, challengesOf } from "./serving/presented.ts";
import { createRouteTable, type IssuedCertificates } from "./serving/routes.ts";
import { createSeal } from "./storage/seal.ts";
import { servabilityJobs } from "./serving/servability.ts";
import { siteMapJobs, noSiteMaps } from "./projects/site-maps.ts";
import { rehearseHandshake } from "./tls/rehearsal.ts";

/**
 * Custom domains of a service, and certificates for its own hosts. Instants are in milliseconds since the Unix epoch.
 */
export interface CustomDomains {
  readonly domains: Domains;
  /** The endpoints for the option `more` of `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  readonly certificateFor: CertificateFor;
  /** Whether a host, own or custom, has a certificate. Never queries the store. */
  readonly hasCertificate: (host: string) => boolean;
  readonly challenges: ChallengeAnswers;
  /** What `answerProbe` needs, which listeners call first: it shows that a domain leads to this service. */
  readonly presence: Pick<Presence, "answer">;
  readonly routes: DomainRoutes;
  /** Milliseconds by which the CA's clock was ahead of ours at the last comparison; undefined: unknown. */
  readonly clockAheadMs: number | undefined;
  /** When all changes by other processes were last read, by the clock of this machine; undefined before the first time. */
  readonly confirmedAt: number | undefined;
  /** So many live names seem to point elsewhere that drift stands still for all, as of the last bad look of this process. */
  readonly driftStandsStill: boolean;
  /** Number of served hosts. */
  readonly served: number;
  /** Counts the certificates of served hosts by the ID of their issuer. Never queries the store. */
  readonly certificates: () => ReadonlyMap<string, IssuedCertificates>;
  /** Returns until when each authority takes no new orders from this service, by its ID; 0: it takes them. */
  readonly pausedUntil: () => Promise<ReadonlyMap<string, number>>;
  /** Counts the certificates that should have been replaced, as the operator is told. Queries the store. */
  readonly overdue: () => Promise<OverdueCounts>;
  /** Returns for how long the oldest due task has waited, in milliseconds; 0: none is due. */
  readonly queueAgeMs: () => Promise<number>;
  readonly jobs: Jobs;
  /** Interrupts waits and stops the jobs. Orders continue when the jobs start again. Stores stay open. */
  close(): Promise<void>;
}

/** Members and tokens of an account read what an owner can do; operators, commands and the host what an operator can. */
function readerOf(actor: Actor): "owner" | "operator" {
  return "id" in actor && !ofOperators(actor) ? "owner" : "operator";
}

/** Changes with the account data that the CA gets. */
function digestOf({ email = "", externalAccount }: NonNullable<DomainsOptions["application"]>) {
  const { keyId = "", hmacKey = "" } = externalAccount ?? {};
  return createHash("sha256")
    .update(JSON.stringify([email, keyId, hmacKey]))
    .digest("hex")
    .slice(0, 16);
}

/** Asks the authorities for their directory in turn, so that one that is down hides no clock error. */
function firstToAnswer(
  authorities: DomainsOptions["authorities"],
): Pick<CertificateAuthority, "id" | "directory"> {
  const [first, ...others] = authorities;
  return {
    id: first.id,
    directory: async (signal) => {
      let answer = await first.directory(signal);
      for (const other of others) {
        if (answer.ok) break;
        answer = await other.directory(signal);
      }
      return answer;
    },
  };
}

/** Creates custom domains over one store. Opens and starts nothing. Throws a `TypeError` for invalid options. */
export function createDomains(options: DomainsOptions): CustomDomains {
  checkDomainsOptions(options);
  const { store, domainStore, authorities, cnameTarget, leases } = options;
  const { clock: hostClock = store.clock ?? systemClock, random = systemRandom } = options;
  const log = isolatedLog(options.log);
  const { challenges: kinds = ["http-01", "tls-alpn-01"], originOf, staleRoutesForMs } = options;
  const seal = createSeal(options.encryptionKey, random);
  const { ownHosts: always = [], siteHosts } = options;
  const isWanted = async (host: string): Promise<boolean> =>
    always.includes(host) || ((await siteHosts?.has(host)) ?? false);
  const gatekeeper = withOwnHosts(options.gatekeeper, isWanted);
  const { siteMaps = noSiteMaps } = options;
  // Created when first used: workerd creates none while modules load.
  let stopping: AbortController | undefined;
  const stopper = (): AbortController => (stopping ??= new AbortController());

  const clock = createAuthorityTime({
    clock: hostClock,
    authority: firstToAnswer(authorities),
    log,
    onSkew: async (aheadMs) => {
      const report = { kind: "clock.report", aheadMs, at: hostClock.now() } as const;
      await domainStore.commit([report], system);
    },
  });

  /** Open challenges end by the clock that is behind, as another process may have opened them by it. */
  const slowerClock: Clock = {
    now: () => Math.min(hostClock.now(), clock.now()),
    sleep: (ms, signal) => hostClock.sleep(ms, signal),
  };

  const routes = createRouteTable({
    store: domainStore,
    gatekeeper,
    clock,
    originOf,
    ...(staleRoutesForMs === undefined
      ? {}
      : { stale: { forMs: staleRoutesForMs, clock: hostClock } }),
  });
  const { watch, changed: wake } = createDomainWatch();
  const changed = (domain: Domain): void => {
    wake(domain.id);
    routes.learn(domain).catch((error: unknown) => {
      // The feed reports the change again.
      log.error("a change of a domain could not be taken in at once", error, { name: domain.name });
    });
  };

  const presence = createPresence(options.encryptionKey, random);
  const outside = createOutsideCheck({
    presence,
    clock: hostClock,
    allowPrivateNetworks: options.allowPrivateNetworks ?? false,
    ports: options.publicPorts,
  });
  const { verifier, look, explore, lock } = createVerifiers(options, {
    clock: hostClock,
    random,
    kinds,
    outside,
  });
  const { observe: observer } = options;
  const observe =
    observer &&
    isolated(observer, (error) => {
      log.error("observe failed; later failures are not reported", error);
    });
  const { onOverdue } = options;
  const notices = createOverdueNotices({
    store: domainStore,
    clock,
    log,
    hand: async (notice) => onOverdue?.(notice),
  });
  const pipeline = createPipeline({
    store: domainStore,
    leases,
    authorities,
    verifier,
    look,
    gatekeeper,
    probe: options.probe,
    rehearse: rehearseHandshake,
    outside,
    seal,
    clock,
    random,
    log,
    challenges: kinds,
    issuerDigest: ({ application = options.application ?? {} }) => digestOf(application),
    application: options.application ?? {},
    onSaved: changed,
    onWarned: (domain) => notices.announced(domain),
    mayEnd: () => store.clock?.pause() === undefined && agrees(clock),
    observe,
  });
  const shareLinks = createShareLinks(options.encryptionKey);
  const contextFor = (actor: Actor): DomainsContext => ({
    store: domainStore,
    commit: (changes) => domainStore.commit(changes, actor),
    gatekeeper,
    siteMaps,
    rules: async () => ({
      suffixes: await loadPublicSuffixes(),
      ownDomains: [...options.ownDomains, ...always, cnameTarget],
      allowPrivate: options.allowPrivateNetworks ?? false,
    }),
    cnameTarget,
    readBy: readerOf(actor),
    verify: (domainId, signal) => pipeline.verify(domainId, actor, signal),
    explore,
    changed,
    watch,
    rehearse: (domain, authority, signal) => pipeline.rehearse(domain, authority, signal),
    rehearsalAuthorities: options.rehearsalAuthorities ?? [],
    shareLinks,
    shareAddress: options.shareAddress,
    exported: async (certificateId) => {
      const found = await domainStore.certificates.byId(certificateId);
      if (found === undefined) return undefined;
      const privateKey = seal.open(found.sealedKey, certificateIdentity(certificateId));
      return { chain: found.chainPem, privateKey };
    },
    accounts: {
      authorities,
      actor,
      store: domainStore,
      leases,
      seal,
      clock,
      application: options.application ?? {},
      lock,
    },
    get stopping() {
      return stopper().signal;
    },
    clock,
    random,
  });
  const ownHosts = createOwnHosts({ store: domainStore, clock, random });
  const own = ownHostJobs({ ownHosts, always, siteHosts, store, clock: hostClock, log });
  const keeper = createKeeper({
    pipeline,
    domains: domainStore,
    store,
    routes,
    clock,
    log,
    takeTurn: trustedTurns(store, log, options.takeTurn),
    onChange: wake,
    notices,
    leaveToOthers: options.leaveToOthers,
  });
  const servability = servabilityJobs({
    routes,
    load: certificateLoader({ store: domainStore, seal }),
    report: ({ domainId, certificateId }, message) =>
      pipeline.reportUnservable(domainId, certificateId, message),
    clock: hostClock,
    log,
  });
  const maps = siteMapJobs({
    apply: (projectId) => applySiteMap(contextFor(system), projectId),
    domains: domainStore,
    store,
    clock: hostClock,
    log,
  });
  const replacements = createRounds({
    clock: hostClock,
    log,
    errands: [
      {
        what: "replacing accounts with CAs",
        everyMs: MINUTE_MS,
        atOnce: true,
        run: () => continueReplacements(contextFor(system), log),
      },
      {
        what: "creating accounts with other CAs",
        everyMs: HOUR_MS,
        atOnce: true,
        run: () => prepareAccounts(contextFor(system), log),
      },
    ],
  });
  const stop = async (): Promise<void> => {
    await replacements.stop();
    await own.stop();
    await maps.stop();
    await keeper.stop();
    await servability.stop();
  };
  return {
    domains: bindActions(contextFor({ kind: "host" })),
    endpoints: domainEndpoints(contextFor),
    certificateFor: certificatesOf({
      store: domainStore,
      routes,
      seal,
      doubt: (host) => servability.doubt(host),
    }),
    hasCertificate: (host) => routes.certificateOf(host) !== undefined,
    challenges: challengesOf({ store: domainStore, clock: slowerClock, random }),
    presence,
    routes,
    get clockAheadMs() {
      return clock.aheadMs;
    },
    get confirmedAt() {
      return routes.confirmedAt;
    },
    get driftStandsStill() {
      return pipeline.driftStandsStill;
    },
    get served() {
      return routes.size;
    },
    certificates: () => routes.certificates(),
    pausedUntil: async () => {
      const now = clock.now();
      const pauses = await Promise.all(
        authorities.map(async ({ id }) => {
          return [id, pausedUntil(await domainStore.pauses.of(id), now) ?? 0] as const;
        }),
      );
      return new Map(pauses);
    },
    overdue: async () => domainStore.domains.overdue(clock.now()),
    queueAgeMs: async () => {
      const now = clock.now();
      return Math.max(0, now - ((await domainStore.domains.nextDueAt(pipeline.mayEnd())) ?? now));
    },
    jobs: {
      start: () => {
        own.start();
        maps.start();
        keeper.start();
        servability.start();
        replacements.start();
      },
      tick: async () => {
        await own.tick();
        await maps.tick();
        await keeper.tick();
        await servability.tick();
        await replacements.tick();
      },
      stop,
    },
    close: async () => {
      stopper().abort();
      await stop();
    },
  };
}
