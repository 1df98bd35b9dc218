import type { ProjectStore } from "../../lib/publishing/project-store.ts";
import { DEFAULT_REDIRECT } from "../model/redirects.ts";
import type { SiteMaps } from "../ports/projects.ts";
import type { Problem } from "../../lib/base/problem.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import type { Result } from "../../lib/base/result.ts";
import { followFeed } from "../../lib/storage/feed.ts";
import { createRounds, type Jobs } from "../../lib/base/rounds.ts";
import type { Store } from "../../lib/storage/store.ts";
import { isOwnHost } from "../model/own-host.ts";
import type { DomainStore } from "../ports/domain-store.ts";

/** Reads the `domains` of `petstore.site.json` from the projects of a service. */
export function projectSiteMaps({
  projects,
  deploys,
}: Pick<ProjectStore, "projects" | "deploys">): SiteMaps {
  return {
    live: async (projectId) => {
      const project = await projects.byId(projectId);
      if (project?.liveDeployId === undefined || project.deletedAt !== undefined) return undefined;
      const deploy = await deploys.byId(projectId, project.liveDeployId);
      return deploy?.activatedAt === undefined
        ? undefined
        : { deployId: deploy.id, activatedAt: deploy.activatedAt };
    },
    map: async (projectId, deployId) => {
      const asked = (await deploys.manifest(projectId, deployId))?.site.domains;
      if (asked === undefined) return undefined;
      const { redirects = [], ...rest } = asked;
      return {
        ...rest,
        redirects: redirects.map(({ from, to, status = DEFAULT_REDIRECT }) => ({
          from,
          to,
          status,
        })),
      };
    },
  };
}

/** The site maps of a service whose sites ask for no domains. */
export const noSiteMaps: SiteMaps = {
  live: async () => undefined,
  map: async () => undefined,
};

export interface SiteMapJobsOptions {
  /** Gives a project's domains the roles that its live deploy asks for. Idempotent. */
  readonly apply: (projectId: string) => Promise<Result<undefined, Problem>>;
  readonly domains: DomainStore;
  readonly store: Pick<Store, "feed">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Domains read in one round after the start. */
const PAGE = 100;

/**
 * Applies the map of a site when a deploy goes live, and when a domain that it names is verified. After the start it
 * reads all projects with domains once, to find changes that it missed.
 */
export function siteMapJobs({ apply, domains, store, clock, log }: SiteMapJobsOptions): Jobs {
  const projects = new Set<string>();
  const changed = new Set<string>();
  /** The last domain that was read after the start; undefined: all were read. */
  let position: { readonly id?: string } | undefined;

  const read = followFeed(store, () => clock.now(), {
    forget: (topic, subject) => {
      if (topic === "project") projects.add(subject);
      if (topic === "domain") changed.add(subject);
    },
    forgetAll: () => {
      position = {};
    },
    confirm: () => {},
  });

  const readAll = async (): Promise<void> => {
    if (position === undefined) return;
    const { id: after } = position;
    const page = await domains.domains.all({
      limit: PAGE,
      after,
    });
    for (const domain of page) if (!isOwnHost(domain)) projects.add(domain.projectId);
    const last = page.at(-1);
    position = page.length < PAGE || last === undefined ? undefined : { id: last.id };
  };

  const readChanged = async (): Promise<void> => {
    for (const id of [...changed]) {
      const domain = await domains.domains.byId(id);
      if (domain?.heldSince !== undefined && !isOwnHost(domain)) projects.add(domain.projectId);
      changed.delete(id);
    }
  };

  const applyAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const projectId of [...projects]) {
      try {
        const applied = await apply(projectId);
        if (applied.ok) projects.delete(projectId);
      } catch (error) {
        // Continues with the others.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };

  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for maps of domains", run: read },
      { what: "looking through projects with domains", run: readAll },
      { what: "looking at domains that were verified", run: readChanged },
      { what: "applying maps of domains", run: applyAll },
    ],
  });
}
