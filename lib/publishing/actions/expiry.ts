import { surplusDeploys } from "../model/deploy.ts";
import type { ProjectChange, ProjectStore } from "../project-store.ts";

/** More deploys than a project can have: every one that ends makes room. */
const ALL = 200;

/** What goes with the end of the deploy `endingId`, well or badly, so that no project's deploys grow without bound. */
export async function makeRoom(
  { deploys }: Pick<ProjectStore, "deploys">,
  {
    projectId,
    endingId,
    at,
  }: { readonly projectId: string; readonly endingId: string; readonly at: number },
): Promise<readonly ProjectChange[]> {
  const listed = await deploys.list(projectId, ALL);
  const surplus = surplusDeploys(
    listed.map((deploy) => (deploy.id === endingId ? { ...deploy, state: "ready" } : deploy)),
  );
  return surplus.map(({ id }) => ({ kind: "deploy.expire", projectId, deployId: id, at }));
}
