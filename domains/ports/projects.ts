import type { DomainsConfig } from "../model/redirects.ts";

/** What a project may currently do with domains. Instants are in milliseconds since the Unix epoch. */
export interface GateFacts {
  /** The plan is Pro or above, and the account is not suspended. */
  readonly plan: boolean;
  /** A deploy is live. */
  readonly deploy: boolean;
  /** False: the project or its account has been deleted. */
  readonly project: boolean;
  /** The account is suspended, so `plan` is false. Absent: it is not, or the host does not say. */
  readonly suspended?: true | undefined;
  /** When the project was deleted, if it can still be restored; `deploy` is false. Absent: it was not, or the host does not say. */
  readonly deletedAt?: number | undefined;
}

/** Reports the current state of projects. */
export interface Gatekeeper {
  gates(projectId: string): Promise<GateFacts>;
  /** The project's slug; undefined if it has none any more. */
  slugOf(projectId: string): Promise<string | undefined>;
}

/** Reports the current site maps of projects. Instants are in milliseconds since the Unix epoch. */
export interface SiteMaps {
  /** The live deploy and when it went live; undefined if none is live. */
  live(
    projectId: string,
  ): Promise<{ readonly deployId: string; readonly activatedAt: number } | undefined>;
  /** The map in a deploy, with names as written; undefined if it has none. */
  map(projectId: string, deployId: string): Promise<DomainsConfig | undefined>;
}
