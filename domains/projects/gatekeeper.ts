import { withoutUndefined } from "../../lib/base/without-undefined.ts";
import { checkOptions, having } from "../../lib/base/options.ts";
import type { ProjectStore } from "../../lib/publishing/project-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { Gatekeeper } from "../ports/projects.ts";

/**
 * Reads from the accounts and projects of a service whether they may have domains. Throws a `TypeError` for invalid
 * options.
 */
export function projectGatekeeper(options: {
  readonly store: Pick<Store, "accounts">;
  readonly projectStore: Pick<ProjectStore, "projects">;
}): Gatekeeper {
  checkOptions("projectGatekeeper", options, {
    store: having("a store, such as sqlStore() makes", "accounts"),
    projectStore: having("a project store, such as sqlProjectStore() makes", "projects"),
  });
  const { store, projectStore } = options;
  return {
    gates: async (projectId) => {
      const project = await projectStore.projects.byId(projectId);
      const account =
        project === undefined ? undefined : await store.accounts.byId(project.accountId);
      if (project === undefined || account === undefined) {
        return { plan: false, deploy: false, project: false };
      }
      const { deletedAt, liveDeployId } = project;
      const suspended = account.suspendedAt === undefined ? undefined : true;
      return {
        plan: account.plan !== "free" && suspended === undefined,
        // A deleted project shows nothing, but can be restored.
        deploy: deletedAt === undefined && liveDeployId !== undefined,
        project: true,
        ...withoutUndefined({ suspended, deletedAt }),
      };
    },
    slugOf: async (projectId) => {
      const project = await projectStore.projects.byId(projectId);
      return project === undefined || project.deletedAt !== undefined ? undefined : project.slug;
    },
  };
}
