import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { type Deploy, canBecome, MAX_PINNED } from "../model/deploy.ts";
import { deployOf } from "../project-store.ts";
import { type PublishingContext, findLiving, noSuchDeploy, noSuchProject } from "./context.ts";

/** Makes a deploy live: published anew, or with `back` as the one that a rollback goes back to. */
export async function activateDeploy(
  context: PublishingContext,
  projectId: string,
  deployId: string,
  { back = false }: { readonly back?: boolean } = {},
): Promise<Result<Deploy, Problem>> {
  const { projectStore, clock } = context;
  if ((await findLiving(context, projectId)) === undefined) return refused(noSuchProject);
  const deploy = await projectStore.deploys.byId(projectId, deployId);
  if (deploy === undefined) return refused(noSuchDeploy);
  if (deploy.state === "live") return done(deploy);
  if (!canBecome(deploy.state, "live")) return refused(notReady(deploy));
  const committed = await projectStore.commit([
    { kind: "deploy.activate", projectId, deployId, back, at: clock.now() },
  ]);
  if (committed.ok) {
    context.forget(projectId);
    return done(deployOf(committed.value[0]));
  }
  // Between the question and the commit it was deleted, or its project was.
  return refused(committed.failure.refusal === "stale" ? noSuchDeploy : noSuchProject);
}

export async function rollBack(
  context: PublishingContext,
  projectId: string,
  to?: string,
): Promise<Result<Deploy, Problem>> {
  if (to !== undefined) return activateDeploy(context, projectId, to, { back: true });
  const before = await context.projectStore.deploys.before(projectId);
  return before === undefined
    ? refused(problem("not_found", "No deploy was live before the one that is."))
    : activateDeploy(context, projectId, before.id, { back: true });
}

export async function pinDeploy(
  context: PublishingContext,
  projectId: string,
  deployId: string,
  pinned: boolean,
): Promise<Result<Deploy, Problem>> {
  const committed = await context.projectStore.commit([
    {
      kind: "deploy.pin",
      projectId,
      deployId,
      pinned,
      atMost: MAX_PINNED,
      at: context.clock.now(),
    },
  ]);
  if (committed.ok) {
    context.forget(projectId);
    return done(deployOf(committed.value[0]));
  }
  if (committed.failure.refusal !== "limit") return refused(noSuchDeploy);
  const message = `At most ${MAX_PINNED} deploys of a project can be pinned.`;
  return refused(problem("limit_reached", message));
}

export async function deleteDeploy(
  context: PublishingContext,
  projectId: string,
  deployId: string,
): Promise<Result<undefined, Problem>> {
  const committed = await context.projectStore.commit([
    { kind: "deploy.delete", projectId, deployId, at: context.clock.now() },
  ]);
  if (committed.ok) {
    context.forget(projectId);
    return done(undefined);
  }
  const { refusal } = committed.failure;
  if (refusal === "live") {
    return refused(problem("deploy_is_live", "The deploy is live; publish another one first."));
  }
  return refused(refusal === "stale" ? stillMaking : noSuchDeploy);
}

const stillMaking: Problem = problem("deploy_not_ready", "The deploy is being made still.");

function notReady({ state }: Deploy): Problem {
  return state === "failed" ? problem("deploy_not_ready", "The deploy has failed.") : stillMaking;
}
