import type { Clock } from "../../base/clock.ts";
import type { Random } from "../../base/id.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../storage/store.ts";
import type { Blobs } from "../blobs.ts";
import type { Compress, Ingest } from "../ingest/ingest.ts";
import type { Making } from "../making.ts";
import type { ProjectStore } from "../project-store.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { PROJECT_RESTORE_MS, type Project } from "../model/project.ts";

/** What every action of publishing needs of the world. */
export interface PublishingContext {
  readonly store: Store;
  readonly projectStore: ProjectStore;
  readonly blobs: Blobs;
  readonly compress: Compress | undefined;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Slugs that no project may have, besides those that none ever may. */
  readonly reserved: readonly string[];
  readonly making: Making;
  /** Aborted when the service stops: what is being made is interrupted. */
  readonly stopping: AbortSignal;
  /** Drops what this process remembers of a project, so that the next visitor meets what it is now. */
  readonly forget: (projectId: string) => void;
}

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
