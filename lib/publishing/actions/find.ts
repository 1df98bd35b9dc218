import { problem, type Problem } from "../../base/problem.ts";
import { PROJECT_RESTORE_MS, type Project } from "../model/project.ts";
import type { PublishingContext } from "./context.ts";

export const noSuchProject: Problem = problem("not_found", "There is no such project.");
export const noSuchDeploy: Problem = problem("not_found", "There is no such deploy.");

/** A project that is there for its owner: not purged, its account not gone, restorable if it was deleted. */
export async function findProject(
  { store, projectStore, clock }: PublishingContext,
  id: string,
): Promise<Project | undefined> {
  const project = await projectStore.projects.byId(id);
  return project === undefined || !(await isThere({ store, clock }, project)) ? undefined : project;
}

/** Whether a project that was found is there for its owner. */
export async function isThere(
  { store, clock }: Pick<PublishingContext, "store" | "clock">,
  { accountId, deletedAt = Infinity }: Project,
): Promise<boolean> {
  if (deletedAt <= clock.now() - PROJECT_RESTORE_MS) return false;
  return (await store.accounts.byId(accountId)) !== undefined;
}

/** One that was not deleted. */
export async function findLiving(
  context: PublishingContext,
  id: string,
): Promise<Project | undefined> {
  const project = await findProject(context, id);
  return project?.deletedAt === undefined ? project : undefined;
}
