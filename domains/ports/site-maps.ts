import type { DomainsConfig } from "../model/redirects.ts";

/** What the sites of projects ask of their domains. Tells how things stand at the moment it is asked. */
export interface SiteMaps {
  /** The live deploy and since when it is; undefined: nothing is live. */
  live(
    projectId: string,
  ): Promise<{ readonly deployId: string; readonly activatedAt: number } | undefined>;
  /** The map in a deploy, names as they were written; undefined: it has none. */
  map(projectId: string, deployId: string): Promise<DomainsConfig | undefined>;
}
