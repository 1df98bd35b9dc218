import type { DomainRoutes } from "../ports/certificates.ts";

/** Whether two custom domains lead to the same project: then one connection may serve both. */
export function sameProject(
  routes: Pick<DomainRoutes, "byHost">,
): (serverName: string, host: string) => boolean {
  return (serverName, host) => {
    const projectId = routes.byHost(serverName)?.projectId;
    return projectId !== undefined && routes.byHost(host)?.projectId === projectId;
  };
}
