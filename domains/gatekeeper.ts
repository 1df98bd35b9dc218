import type { ProjectStore } from "../lib/publishing/project-store.ts";
import type { Store } from "../lib/storage/store.ts";
import type { Gatekeeper } from "./ports/projects.ts";

/** Asks the accounts and the projects of a service. */
export function projectGatekeeper({
  store,
  projectStore,
}: {
  readonly store: Pick<Store, "accounts">;
  readonly projectStore: Pick<ProjectStore, "projects">;
}): Gatekeeper {
  return {
    gates: async (projectId) => {
      const project = await projectStore.projects.byId(projectId);
      const account =
        project === undefined ? undefined : await store.accounts.byId(project.accountId);
      if (project === undefined || account === undefined) {
        return { plan: false, deploy: false, project: false };
      }
      const { deletedAt, liveDeployId } = project;
      return {
        plan: account.plan !== "free" && account.suspendedAt === undefined,
        // A deleted one shows nothing, and may be restored.
        deploy: deletedAt === undefined && liveDeployId !== undefined,
        project: true,
      };
    },
    slugOf: async (projectId) => {
      const project = await projectStore.projects.byId(projectId);
      return project === undefined || project.deletedAt !== undefined ? undefined : project.slug;
    },
  };
}
