import type { Clock } from "../../base/clock.ts";
import type { Closing } from "../../base/closing.ts";
import type { Random } from "../../base/id.ts";
import type { Log } from "../../base/log.ts";
import { problem, type Problem } from "../../base/problem.ts";
import type { StoreReads } from "../../storage/store.ts";
import type { Blobs } from "../blobs.ts";
import type { Compress, Ingest } from "../ingest/ingest.ts";
import type { UnfinishedDeploys } from "../unfinished-deploys.ts";
import { PROJECT_RESTORE_MS, type Project } from "../model/project.ts";
import type { CommitProjects, ProjectStore } from "../project-store.ts";

/** The dependencies of the publishing actions. */
export interface PublishingContext {
  readonly store: StoreReads;
  readonly projectStore: Omit<ProjectStore, "commit">;
  /** Commits as the actor of the call. */
  readonly commit: CommitProjects;
  readonly blobs: Blobs;
  readonly compress: Compress | undefined;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Slugs that no project may have, in addition to the built-in ones. */
  readonly reserved: readonly string[];
  readonly unfinished: UnfinishedDeploys;
  /** Uploads are interrupted when the service stops. */
  readonly stopping: Closing;
  /** Drops this process's cached copy of a project, so that the next visitor gets its current state. */
  readonly forget: (projectId: string) => void;
}

export const noSuchProject: Problem = problem("not_found", "There is no such project.");
export const noSuchDeploy: Problem = problem("not_found", "There is no such deploy.");

/** Finds a project whose account exists. Includes a deleted project that can still be restored. */
export async function findProject(
  context: PublishingContext,
  id: string,
): Promise<Project | undefined> {
  const project = await context.projectStore.projects.byId(id);
  return project !== undefined && (await isVisible(context, project)) ? project : undefined;
}

/** Returns whether a project's account exists and the project, if deleted, can still be restored. */
export async function isVisible(
  { store, clock }: PublishingContext,
  { accountId, deletedAt = Infinity }: Project,
): Promise<boolean> {
  if (deletedAt <= clock.now() - PROJECT_RESTORE_MS) return false;
  return (await store.accounts.byId(accountId)) !== undefined;
}

/** Finds a project that exists and is not deleted. */
export async function findUndeleted(
  context: PublishingContext,
  id: string,
): Promise<Project | undefined> {
  const project = await findProject(context, id);
  return project?.deletedAt === undefined ? project : undefined;
}
