import { aClock, aCount, aFunction, anything, checkOptions } from "../../lib/base/options.ts";
import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { lookupCaa } from "../dns/caa.ts";
import { firstKnown } from "../dns/resolver.ts";
import type { Vantages } from "../dns/vantages.ts";
import { decidingCaa, type CaaSurvey } from "../model/caa-lookup.ts";
import { caaPermission } from "../model/caa.ts";
import type { Domain } from "../model/domain.ts";
import { newDomain } from "../model/apply-outcome.ts";
import { unicodeOf } from "../model/idna.ts";
import { isOwnHost, ownHostOf, ownProjectId } from "../model/own-host.ts";
import { newDomainId, newOwnershipToken, newTargetLabel } from "../model/target.ts";
import { forbiddenAmong } from "../model/issuer-choice.ts";
import type { Issuer } from "../model/verification.ts";
import { addingDomain, type DomainChange } from "../ports/domain-change.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper } from "../ports/projects.ts";
import type { Verifier, VerifierReport } from "../ports/verifier.ts";
import type { ShownReport } from "../view/report.ts";
import { system } from "../../lib/model/actor.ts";
import type { Log } from "../../lib/base/log.ts";
import { followFeed } from "../../lib/storage/feed.ts";
import { createRounds, type Jobs } from "../../lib/base/rounds.ts";
import type { Store } from "../../lib/storage/store.ts";

/** Certificates for hosts of the service itself, which have the lifecycle of custom domains, but start automatically. */
interface OwnHosts {
  /** Starts with a host, in A-labels, once. Resolves with `full` while too many others wait for their first certificate. */
  secure(host: string): Promise<"secured" | "full">;
}

/** The most own hosts without a certificate at a time: CAs limit orders per registered name, and each slug is a host. */
export const MAX_OWN_WAITING = 20;

/** More than the slugs of any installation. */
const MAX_OWN_HOSTS = 1_000_000;
const ACCOUNT = "own";

export function createOwnHosts({
  store,
  clock,
  random,
}: {
  readonly store: DomainStore;
  readonly clock: Clock;
  readonly random: Random;
}): OwnHosts {
  const attached = async (host: string): Promise<Domain | undefined> => {
    const [domain] = await store.domains.ofProject(ownProjectId(host));
    return domain;
  };

  const additionOf = async (host: string): Promise<DomainChange> => {
    const at = clock.now();
    const projectId = ownProjectId(host);
    const label = await store.targets.of(projectId, host);
    const fresh = newDomain(
      {
        id: newDomainId(random),
        name: host,
        unicode: unicodeOf(host),
        projectId,
        accountId: ACCOUNT,
        role: { kind: "primary" },
        targetLabel: label ?? newTargetLabel(random),
        ownershipToken: newOwnershipToken(random),
        attachedBefore: false,
      },
      at,
    );
    const limits = {
      maxOfProject: MAX_OWN_HOSTS,
      maxUnverified: MAX_OWN_WAITING,
      maxRemoved: MAX_OWN_HOSTS,
    };
    return addingDomain(fresh, await store.domains.named(host, 100), limits, at).change;
  };

  return {
    secure: async (host) => {
      if ((await attached(host)) !== undefined) return "secured";
      const written = await store.commit([await additionOf(host)], system);
      return written.ok || written.failure === "exists" ? "secured" : "full";
    },
  };
}

/** Allows own hosts while they are wanted; asks `gatekeeper` about projects. */
export function withOwnHosts(
  gatekeeper: Gatekeeper,
  isWanted: (host: string) => Promise<boolean>,
): Gatekeeper {
  return {
    gates: async (projectId) => {
      const host = ownHostOf(projectId);
      if (host === undefined) return gatekeeper.gates(projectId);
      const project = await isWanted(host);
      return { plan: true, deploy: true, project };
    },
    // Has no project: requests for it are handled before those for custom domains.
    slugOf: async (projectId) =>
      isOwnHost({ projectId }) ? undefined : gatekeeper.slugOf(projectId),
  };
}

/**
 * Checks that an own host has addresses and that its CAA records permit one of the CAs. The operator decides where it
 * points. Throws a `TypeError` for invalid options.
 */
export function ownHostVerifier(
  options: Vantages & {
    readonly issuers: () => Promise<readonly Issuer[]>;
    readonly clock: Clock;
    readonly budgetMs: number;
  },
): Verifier {
  checkOptions("ownHostVerifier", options, {
    resolvers: anything,
    authorities: anything,
    issuers: aFunction,
    clock: aClock,
    budgetMs: aCount(1),
  });
  const { resolvers, authorities, issuers, clock, budgetMs } = options;
  return async ({ name }, signal) => {
    const all = await issuers();
    // The internal CA checks nothing.
    if (all.every((issuer) => issuer.caa === undefined)) return PASSED;
    const within = { deadlineAt: clock.now() + budgetMs, signal };
    const [ipv4, ipv6, caa] = await Promise.all([
      firstKnown(resolvers, name, "A", within),
      firstKnown(resolvers, name, "AAAA", within),
      lookupCaa(name, { resolvers, authorities, clock }, within),
    ]);
    if (ipv4.kind !== "found" && ipv6.kind !== "found") {
      const known = ipv4.kind === "absent" && ipv6.kind === "absent";
      return known ? reportOf("blocked", "no_record") : reportOf("unknown");
    }
    return permits(caa, all);
  };
}

/** One permitted CA suffices; what is unknown about the others blocks nothing then. */
function permits(caa: CaaSurvey, issuers: readonly Issuer[]): VerifierReport {
  const deciding = decidingCaa(caa);
  const judged = issuers.map(({ id, caa: request }) => ({
    id,
    permission:
      request === undefined ? ({ kind: "unbound" } as const) : caaPermission(deciding, request),
  }));
  const permissions = judged.map(({ permission }) => permission);
  if (permissions.some(({ kind }) => kind === "allowed" || kind === "unbound")) {
    return { ...PASSED, forbidden: forbiddenAmong(judged) };
  }
  const unknown = permissions.find((one) => one.kind === "unknown");
  return unknown === undefined
    ? reportOf("blocked", "caa_forbids")
    : reportOf("unknown", unknown.silent === "dns" ? "caa_error" : "ca_unavailable");
}

const NOTHING: ShownReport = { apex: false, findings: [], records: [] };
const PASSED: VerifierReport = reportOf("verified");

function reportOf(state: VerifierReport["state"], ...blocking: readonly string[]): VerifierReport {
  return { state, blocking, leadsHere: state === "verified", details: NOTHING };
}

/** The hosts of projects below a domain of this service. */
export interface SiteHosts {
  /** Returns the host of a project with a live deploy; undefined for others. */
  ofProject(projectId: string): Promise<string | undefined>;
  /** Yields the hosts of all projects with a live deploy. */
  all(): AsyncIterable<string>;
  /** Whether a host is one of them. */
  has(host: string): Promise<boolean>;
}

export interface OwnHostJobsOptions {
  readonly ownHosts: OwnHosts;
  /** Hosts that always need a certificate. */
  readonly always: readonly string[];
  /** Undefined: projects have no hosts below a domain of this service, or other certificates cover them. */
  readonly siteHosts: SiteHosts | undefined;
  readonly store: Pick<Store, "feed">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval between attempts for hosts that were refused as `full`. */
const SECURE_EVERY_MS: number = 5 * SECOND_MS;

/** Starts with every own host once, and with the host of a project when its first deploy goes live. */
export function ownHostJobs({
  ownHosts,
  always,
  siteHosts,
  store,
  clock,
  log,
}: OwnHostJobsOptions): Jobs {
  const wanted = new Set<string>(always);
  const projects = new Set<string>();
  let allSites = false;

  const read = followFeed(store, () => clock.now(), {
    forget: (topic, subject) => {
      if (topic === "project" && siteHosts !== undefined) projects.add(subject);
    },
    forgetAll: () => {
      allSites = siteHosts !== undefined;
    },
    confirm: () => {},
  });

  const findWanted = async (): Promise<void> => {
    if (siteHosts === undefined) return;
    if (allSites) {
      for await (const host of siteHosts.all()) wanted.add(host);
      allSites = false;
    }
    for (const projectId of [...projects]) {
      const host = await siteHosts.ofProject(projectId);
      if (host !== undefined) wanted.add(host);
      projects.delete(projectId);
    }
  };

  const secure = async (): Promise<void> => {
    for (const host of [...wanted]) {
      // The following hosts would be refused too.
      if ((await ownHosts.secure(host)) === "full") return;
      wanted.delete(host);
    }
  };

  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for hosts of projects", run: read },
      { what: "finding hosts without a certificate", run: findWanted },
      { what: "securing our own hosts", everyMs: SECURE_EVERY_MS, atOnce: true, run: secure },
    ],
  });
}
