import type { DomainsConfig } from "../model/redirects.ts";

/** What a project may do with domains, as its account and its deploys are now. */
export interface GateFacts {
  /** The plan is Pro or above, and the account is not suspended. */
  readonly plan: boolean;
  /** A deploy is live. */
  readonly deploy: boolean;
  /** False: project or account are gone for good. */
  readonly project: boolean;
}

/** Tells how things stand at the moment it is asked. */
export interface Gatekeeper {
  gates(projectId: string): Promise<GateFacts>;
  /** The slug that the project has; undefined when it has none any more. */
  slugOf(projectId: string): Promise<string | undefined>;
}

/** What the sites of projects ask of their domains. Tells how things stand at the moment it is asked. */
export interface SiteMaps {
  /** The live deploy and since when it is; undefined: nothing is live. */
  live(
    projectId: string,
  ): Promise<{ readonly deployId: string; readonly activatedAt: number } | undefined>;
  /** The map in a deploy, names as they were written; undefined: it has none. */
  map(projectId: string, deployId: string): Promise<DomainsConfig | undefined>;
}
