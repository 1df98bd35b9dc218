import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { StoreUnavailable } from "../../storage/store.ts";
import type { Deploy, Manifest } from "../model/deploy.ts";
import { surplusDeploys } from "../model/retention.ts";
import type { MakingDeploy } from "../making.ts";
import { deployOf, type ProjectChange } from "../project-change.ts";
import type { PublishingContext } from "./context.ts";
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
  const committed = await context.projectStore.commit(await finish(context, job, manifest.value));
  if (committed.ok) {
    context.forget(deploy.projectId);
    return done(deployOf(committed.value[job.activate ? 1 : 0]));
  }
  // It was taken for interrupted, or its project was deleted meanwhile.
  return committed.failure.refusal === "stale"
    ? refused(interrupted)
    : fail(context, deploy, noSuchProject);
}

/** The last changes of a deploy, with those that make room for it. */
async function finish(
  { projectStore, clock }: PublishingContext,
  { deploy: { id: deployId, projectId }, activate }: Job,
  manifest: Manifest,
): Promise<readonly ProjectChange[]> {
  const at = clock.now();
  const deploys = await projectStore.deploys.list(projectId, ALL);
  const surplus = surplusDeploys(
    deploys.map((deploy) => (deploy.id === deployId ? { ...deploy, state: "ready" } : deploy)),
  );
  return [
    { kind: "deploy.ready", deployId, manifest, at },
    ...(activate
      ? ([{ kind: "deploy.activate", projectId, deployId, back: false, at }] as const)
      : []),
    ...surplus.map(({ id }) => ({ kind: "deploy.expire", projectId, deployId: id, at }) as const),
  ];
}

/** More deploys than a project can have. */
const ALL = 200;

/** Marks it failed, and refuses with what it failed of. */
async function fail(
  { projectStore, clock }: PublishingContext,
  { id: deployId }: Deploy,
  failure: Problem,
): Promise<Result<never, Problem>> {
  await projectStore.commit([{ kind: "deploy.fail", deployId, failure, at: clock.now() }]);
  return refused(failure);
}
