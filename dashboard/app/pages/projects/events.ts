/** What changes how projects and their deploys are shown. */
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

/** Which project an event is about; undefined for one that is about none. */
export function projectOf(event: unknown): string | undefined {
  const data = memberOf(event, "data");
  const id = memberOf(data, "projectId");
  return typeof id === "string" ? id : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
