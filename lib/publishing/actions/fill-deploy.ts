import { StoreUnavailable } from "../../sql/sql.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { blobNames } from "../model/blob-names.ts";
import type { Deploy, Manifest } from "../model/deploy.ts";
import type { MakingDeploy } from "../making.ts";
import { deployOf, type ProjectConflict, type ProjectOutcome } from "../project-change.ts";
import type { PublishingContext } from "./context.ts";
import { makeRoom } from "./expiry.ts";
import { noSuchProject } from "./find.ts";
import { interrupted, receiveArchive } from "./receive-archive.ts";
import { starterManifest } from "./starter.ts";

interface Job {
  readonly deploy: Deploy;
  readonly making: MakingDeploy;
  readonly archive: ReadableStream<Uint8Array> | "starter";
  readonly activate: boolean;
  /** Of the project. */
  readonly name: string;
}

/** Leads a deploy that was begun to its end: live, ready or failed. Rejects when the world is broken. */
export async function fillDeploy(
  context: PublishingContext,
  job: Job,
): Promise<Result<Deploy, Problem>> {
  const { deploy, making, archive } = job;
  let manifest: Result<Manifest, Problem>;
  try {
    manifest =
      archive === "starter"
        ? done(await starterManifest(context.blobs, job))
        : await receiveArchive(context, { deploy, making, archive });
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return fail(context, deploy, problem("unavailable", "The files cannot be stored just now."));
    }
    await fail(context, deploy, problem("internal_error", "Something broke on our side."));
    throw error;
  }
  if (!manifest.ok) return fail(context, deploy, manifest.failure);
  const committed = await keepThenFinish(context, job, manifest.value);
  if (committed.ok) {
    context.forget(deploy.projectId);
    return done(deployOf(committed.value[job.activate ? 2 : 1]));
  }
  // It was taken for interrupted, or its project was deleted meanwhile.
  return committed.failure.refusal === "stale"
    ? refused(interrupted)
    : fail(context, deploy, noSuchProject);
}

/** So many blobs are named in one commit: nobody else should wait long for it. */
const BLOBS_AT_ONCE = 500;

async function keepThenFinish(
  { projectStore, clock }: PublishingContext,
  { deploy: { id: deployId, projectId }, activate }: Job,
  manifest: Manifest,
): Promise<Result<readonly ProjectOutcome[], ProjectConflict>> {
  const names = blobNames(manifest);
  let start = 0;
  while (names.length - start > BLOBS_AT_ONCE) {
    const blobs = names.slice(start, start + BLOBS_AT_ONCE);
    const kept = await projectStore.commit([{ kind: "deploy.keep", deployId, blobs }]);
    if (!kept.ok) return kept;
    start += BLOBS_AT_ONCE;
  }
  const at = clock.now();
  const keep = { kind: "deploy.keep", deployId, blobs: names.slice(start) } as const;
  const ready = { kind: "deploy.ready", deployId, manifest, at } as const;
  const live = { kind: "deploy.activate", projectId, deployId, back: false, at } as const;
  const room = await makeRoom(projectStore, { projectId, endingId: deployId, at });
  return projectStore.commit([keep, ready, ...(activate ? [live] : []), ...room]);
}

/** Marks it failed, and refuses with what it failed of. */
async function fail(
  { projectStore, clock, forget }: PublishingContext,
  { id: deployId, projectId }: Deploy,
  failure: Problem,
): Promise<Result<never, Problem>> {
  const at = clock.now();
  const room = await makeRoom(projectStore, { projectId, endingId: deployId, at });
  await projectStore.commit([{ kind: "deploy.fail", deployId, failure, at }, ...room]);
  forget(projectId);
  return refused(failure);
}
