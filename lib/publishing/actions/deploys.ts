import { problem, type Problem } from "../../base/problem.ts";
import { done, refused } from "../../base/result.ts";
import { canBecome, MAX_PINNED, type Deploy } from "../model/deploy.ts";
import { deployOf } from "../project-store.ts";
import type { Projects } from "../projects.ts";
import { findUndeleted, noSuchDeploy, noSuchProject, type PublishingContext } from "./context.ts";
import { makeDeploy } from "./make-deploy.ts";

/** The most rows of one list. */
export const MAX_ROWS = 1_000;

export function deployActions(context: PublishingContext): Projects["deploys"] {
  const { commit, clock, unfinished } = context;
  const { deploys } = context.projectStore;

  /** Makes a deploy live. `back` marks a rollback. */
  const activate = async (
    projectId: string,
    deployId: string,
    back: boolean,
  ): ReturnType<Projects["deploys"]["activate"]> => {
    if ((await findUndeleted(context, projectId)) === undefined) return refused(noSuchProject);
    const deploy = await deploys.byId(projectId, deployId);
    if (deploy === undefined) return refused(noSuchDeploy);
    if (deploy.state === "live") return done(deploy);
    if (!canBecome(deploy.state, "live")) return refused(notReady(deploy));
    const committed = await commit([
      { kind: "deploy.activate", projectId, deployId, back, at: clock.now() },
    ]);
    if (committed.ok) {
      context.forget(projectId);
      return done(deployOf(committed.value[0]));
    }
    // The deploy or its project was deleted between the check and the commit.
    return refused(committed.failure.refusal === "stale" ? noSuchDeploy : noSuchProject);
  };

  return {
    create: (project, input) => makeDeploy(context, project, input),
    byId: async (project, id) => deploys.byId(project, id),
    list: async (project, limit = 50) => deploys.list(project, Math.min(limit, MAX_ROWS)),
    manifest: async (project, id) => deploys.manifest(project, id),
    read: async (project, id, { path, maxBytes }) => {
      const manifest = await deploys.manifest(project, id);
      const file = manifest?.files.find((one) => one.path === path);
      if (file === undefined || file.size > maxBytes) return undefined;
      return context.blobs.read(file.sha256);
    },
    activate: (project, id) => activate(project, id, false),

    rollback: async (project, to) => {
      const target = to ?? (await deploys.before(project))?.id;
      return target === undefined
        ? refused(problem("not_found", "No deploy was live before the current one."))
        : activate(project, target, true);
    },

    pin: async (projectId, deployId, pinned) => {
      const [atMost, at] = [MAX_PINNED, clock.now()];
      const committed = await commit([
        { kind: "deploy.pin", projectId, deployId, pinned, atMost, at },
      ]);
      if (committed.ok) {
        context.forget(projectId);
        return done(deployOf(committed.value[0]));
      }
      if (committed.failure.refusal !== "limit") return refused(noSuchDeploy);
      const message = `At most ${MAX_PINNED} deploys of a project can be pinned.`;
      return refused(problem("limit_reached", message));
    },

    delete: async (projectId, deployId) => {
      const committed = await commit([
        { kind: "deploy.delete", projectId, deployId, at: clock.now() },
      ]);
      if (committed.ok) {
        context.forget(projectId);
        return done(undefined);
      }
      const { refusal } = committed.failure;
      if (refusal === "live") {
        return refused(problem("deploy_is_live", "The deploy is live; publish another one first."));
      }
      return refused(refusal === "stale" ? notFinished : noSuchDeploy);
    },

    watch: (id, listener) => unfinished.watch(id, listener),
  };
}

const notFinished: Problem = problem("deploy_not_ready", "The deploy is not finished yet.");

function notReady({ state }: Deploy): Problem {
  return state === "failed" ? problem("deploy_not_ready", "The deploy has failed.") : notFinished;
}
