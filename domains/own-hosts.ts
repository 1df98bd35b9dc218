import { type Clock, SECOND_MS } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import { lookupCaa } from "./dns/caa.ts";
import { firstKnown } from "./dns/resolver.ts";
import type { Vantages } from "./dns/vantages.ts";
import { decidingCaa, type CaaSurvey } from "./model/caa-lookup.ts";
import { caaPermission } from "./model/caa.ts";
import type { Domain } from "./model/domain.ts";
import { newDomain } from "./model/apply-outcome.ts";
import { unicodeOf } from "./model/idna.ts";
import { newDomainId, newOwnershipToken, newTargetLabel } from "./model/target.ts";
import type { Issuer } from "./model/verification.ts";
import { addingDomain, type DomainChange } from "./ports/domain-change.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { Gatekeeper } from "./ports/projects.ts";
import type { Verifier, VerifierReport } from "./ports/verifier.ts";
import type { ShownReport } from "./view/report.ts";
import type { Log } from "../lib/base/log.ts";
import { followFeed } from "../lib/storage/feed.ts";
import { createRounds, type Jobs } from "../lib/base/rounds.ts";
import type { Store } from "../lib/storage/store.ts";

/** Certificates for hosts that are the operator's own: through the same life as custom domains, without a click. */
interface OwnHosts {
  /** Begins for a host, in A-labels, unless it was begun. Resolves with `full` while too many others wait for their first certificate. */
  secure(host: string): Promise<"secured" | "full">;
}

/** Own hosts that have no certificate yet: at one a slug, a CA's limits for one registered name are soon used up. */
export const MAX_OWN_WAITING = 20;

/** More than one installation has slugs. */
const MAX_OWN_HOSTS = 1_000_000;
const ACCOUNT = "own";
const PREFIX = "own:";

/** The stand-in for a project: each host is the primary domain of its own. */
export function ownProjectId(host: string): string {
  return PREFIX + host;
}

/** It is the operator's, and no project's. */
export function isOwnHost({ projectId }: Pick<Domain, "projectId">): boolean {
  return projectId.startsWith(PREFIX);
}

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
      const written = await store.commit([await additionOf(host)]);
      return written.ok || written.failure === "exists" ? "secured" : "full";
    },
  };
}

/** An own host has its certificate for as long as it is wanted; all others ask `gatekeeper`. */
export function withOwnHosts(
  gatekeeper: Gatekeeper,
  isWanted: (host: string) => Promise<boolean>,
): Gatekeeper {
  return {
    gates: async (projectId) => {
      if (!projectId.startsWith(PREFIX)) return gatekeeper.gates(projectId);
      const project = await isWanted(projectId.slice(PREFIX.length));
      return { plan: true, deploy: true, project };
    },
    // It is no project's: requests for it are answered before custom domains are looked at.
    slugOf: async (projectId) =>
      projectId.startsWith(PREFIX) ? undefined : gatekeeper.slugOf(projectId),
  };
}

/** Own hosts need to be found, and the CA to be permitted; whom they lead to is the operator's business. */
export function ownHostVerifier({
  resolvers,
  authorities,
  issuers,
  clock,
  budgetMs,
}: Vantages & {
  readonly issuers: () => Promise<readonly Issuer[]>;
  readonly clock: Clock;
  readonly budgetMs: number;
}): Verifier {
  return async ({ name }, signal) => {
    const [issuer] = await issuers();
    // It looks at nothing.
    if (issuer?.caa === undefined) return PASSED;
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
    return permits(caa, issuer.caa);
  };
}

function permits(caa: CaaSurvey, request: NonNullable<Issuer["caa"]>): VerifierReport {
  const permission = caaPermission(decidingCaa(caa), request);
  switch (permission.kind) {
    case "allowed":
      return PASSED;
    case "unknown":
      return reportOf("unknown", permission.silent === "dns" ? "caa_error" : "ca_unavailable");
    case "forbidden":
      return reportOf("blocked", "caa_forbids");
  }
}

const NOTHING: ShownReport = { apex: false, findings: [], records: [] };
const PASSED: VerifierReport = reportOf("verified");

function reportOf(state: VerifierReport["state"], ...blocking: readonly string[]): VerifierReport {
  return { state, blocking, leadsHere: state === "verified", details: NOTHING };
}

/** Hosts of the projects' sites below a domain of ours. */
export interface SiteHosts {
  /** The host of a project that shows something; undefined for all others. */
  ofProject(projectId: string): Promise<string | undefined>;
  /** The hosts of all projects that show something. */
  all(): AsyncIterable<string>;
  /** Whether a host is one of them. */
  has(host: string): Promise<boolean>;
}

export interface OwnHostJobsOptions {
  readonly ownHosts: OwnHosts;
  /** To be secured whatever there is. */
  readonly always: readonly string[];
  /** Absent: projects have no hosts below a domain of ours, or those have certificates by other means. */
  readonly siteHosts: SiteHosts | undefined;
  readonly store: Pick<Store, "feed">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Those that were refused for want of room try again so often. */
const SECURE_EVERY_MS: number = 5 * SECOND_MS;

/** Begins with every own host once, and with the host of a project as soon as it shows something. */
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

  const look = async (): Promise<void> => {
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
      // Own hosts come in order: those behind it find no room either.
      if ((await ownHosts.secure(host)) === "full") return;
      wanted.delete(host);
    }
  };

  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for hosts of projects", run: read },
      { what: "looking for hosts without a certificate", run: look },
      { what: "securing our own hosts", everyMs: SECURE_EVERY_MS, atOnce: true, run: secure },
    ],
  });
}
