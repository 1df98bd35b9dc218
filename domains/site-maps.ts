import type { ProjectStore } from "../lib/publishing/project-store.ts";
import { DEFAULT_REDIRECT } from "./model/redirects.ts";
import type { SiteMaps } from "./ports/site-maps.ts";

/** Reads `petstore.site.json` of the projects of a service. */
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

/** Of a service whose sites ask for nothing. */
export const noSiteMaps: SiteMaps = {
  live: async () => undefined,
  map: async () => undefined,
};
