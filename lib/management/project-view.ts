import { previewLabel } from "../publishing/hosts.ts";
import { PROJECT_RESTORE_MS, type Project } from "../publishing/model/project.ts";
import type { ProjectView } from "./client.ts";
import type { ManagementServices } from "./management.ts";

/** What is told of a project. */
export async function viewOfProject(
  {
    projects,
    addressOf,
    previews,
  }: Pick<ManagementServices, "projects" | "addressOf" | "previews">,
  project: Project,
): Promise<ProjectView> {
  const { id, slug, liveDeployId, deletedAt } = project;
  const liveDeploy =
    liveDeployId === undefined ? undefined : await projects.deploys.byId(id, liveDeployId);
  return {
    ...project,
    url: addressOf(slug),
    ...(previews ? { previewUrl: addressOf(previewLabel(slug, "{deploy}")) } : {}),
    ...(liveDeploy === undefined ? {} : { liveDeploy }),
    ...(deletedAt === undefined ? {} : { restorableUntil: deletedAt + PROJECT_RESTORE_MS }),
  };
}
