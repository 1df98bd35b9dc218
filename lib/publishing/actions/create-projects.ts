import type { Projects } from "../projects.ts";
import { type PublishingContext, findProject, isThere } from "./context.ts";
import { activateDeploy, deleteDeploy, pinDeploy, rollBack } from "./deploys.ts";
import { makeDeploy } from "./make-deploy.ts";
import { PROJECT_RESTORE_MS } from "../model/project.ts";
import { createProject, deleteProject, restoreProject, updateProject } from "./projects.ts";

/** The most rows of one list. */
const MAX_ROWS = 1_000;

/** The actions under the names of `Projects`. */
export function createProjects(context: PublishingContext): Projects {
  const { projectStore, clock, making } = context;
  const { projects, deploys } = projectStore;
  return {
    create: (input) => createProject(context, input),
    byId: (id) => findProject(context, id),
    bySlug: async (slug) => {
      const addressed = await projects.bySlug(slug, clock.now());
      if (addressed === undefined) return undefined;
      return (await isThere(context, addressed.project)) ? addressed.project : undefined;
    },
    list: async ({ accountId, after, limit = 100 } = {}) =>
      projects.list({
        accountId,
        after,
        deletedAfter: clock.now() - PROJECT_RESTORE_MS,
        limit: Math.min(limit, MAX_ROWS),
      }),
    update: (project, change) => updateProject(context, project, change),
    delete: (project) => deleteProject(context, project),
    restore: (project) => restoreProject(context, project),
    deploys: {
      create: (project, input) => makeDeploy(context, project, input),
      byId: async (project, id) => deploys.byId(project, id),
      list: async (project, limit = 50) => deploys.list(project, Math.min(limit, MAX_ROWS)),
      manifest: async (project, id) => deploys.manifest(project, id),
      activate: (project, id) => activateDeploy(context, project, id),
      rollback: (project, to) => rollBack(context, project, to),
      pin: (project, id, pinned) => pinDeploy(context, project, id, pinned),
      delete: (project, id) => deleteDeploy(context, project, id),
      watch: (id, listener) => making.watch(id, listener),
    },
  };
}
