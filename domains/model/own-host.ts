import type { Domain } from "./domain.ts";

const PREFIX = "own:";

/** Returns the ID that an own host has in place of a project's. Each host is the primary domain of its own ID. */
export function ownProjectId(host: string): string {
  return PREFIX + host;
}

/** Returns the host of such an ID; undefined for the ID of a project. */
export function ownHostOf(projectId: string): string | undefined {
  return projectId.startsWith(PREFIX) ? projectId.slice(PREFIX.length) : undefined;
}

/** Whether a domain is a host of the service itself instead of a project's. */
export function isOwnHost({ projectId }: Pick<Domain, "projectId">): boolean {
  return ownHostOf(projectId) !== undefined;
}
