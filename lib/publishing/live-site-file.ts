import { authoredSiteFile, settingsOf, siteOf } from "./model/site-settings.ts";
import type { SiteFile } from "./model/site-file.ts";
import type { Projects } from "./projects.ts";

type ReadProjects = Pick<Projects, "byId"> & {
  readonly deploys: Pick<Projects["deploys"], "byId" | "manifest">;
};

/** Returns the site file of the live deploy, as its author wrote it; empty without one. */
export async function liveSiteFile(
  { deploys }: Pick<ReadProjects, "deploys">,
  projectId: string,
  liveDeployId: string | undefined,
): Promise<SiteFile> {
  if (liveDeployId === undefined) return {};
  const deploy = await deploys.byId(projectId, liveDeployId);
  const manifest = await deploys.manifest(projectId, liveDeployId);
  return deploy === undefined || manifest === undefined
    ? {}
    : authoredSiteFile(deploy, manifest.site);
}

/** Returns the email address that visitors of a live site see; undefined without one. */
export async function siteEmail(
  projects: ReadProjects,
  projectId: string,
): Promise<string | undefined> {
  const project = await projects.byId(projectId);
  if (project === undefined) return undefined;
  const siteFile = await liveSiteFile(projects, projectId, project.liveDeployId);
  return siteOf(settingsOf(project), siteFile).values.email;
}
