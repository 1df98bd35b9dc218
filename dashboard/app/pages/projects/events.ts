/** The types of events that change projects and deploys. */
export const PROJECT_EVENTS = [
  "project.created",
  "project.updated",
  "project.deleted",
  "project.restored",
  "deploy.created",
  "deploy.ready",
  "deploy.activated",
  "deploy.failed",
  "deploy.deleted",
] as const;

/** Returns the id of an event's project; undefined if it has none. */
export function projectOf(event: unknown): string | undefined {
  const data = memberOf(event, "data");
  const id = memberOf(data, "projectId");
  return typeof id === "string" ? id : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
