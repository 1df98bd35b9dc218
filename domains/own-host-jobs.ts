import { SECOND_MS, type Clock } from "../lib/base/clock.ts";
import type { Log } from "../lib/base/log.ts";
import { followFeed } from "../lib/storage/feed.ts";
import { createRounds, type Jobs } from "../lib/base/rounds.ts";
import type { Store } from "../lib/storage/store.ts";
import type { OwnHosts } from "./own-hosts.ts";

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
