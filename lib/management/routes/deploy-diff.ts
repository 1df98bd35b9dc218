import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Manifest } from "../../publishing/model/deploy.ts";
import { comparedWith, differenceBetween } from "../../publishing/model/difference.ts";
import type { Projects } from "../../publishing/projects.ts";
import { endpoint } from "../endpoint.ts";
import { textParameter } from "../../http/parameters.ts";
import { noSuchDeploy } from "../refusals.ts";
import { deployDiffExample, deployDiffShape } from "../schemas/deploy-diff.ts";

const DEPLOY_ID = /^[a-z0-9]{1,40}$/;
/** More than a project ever has: what is old goes. */
const ALL = 1_000;

export const deployDiffEndpoints = [
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "compareDeploys",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/diff",
    role: "viewer",
    summary: "Compare a deploy with another one",
    description: "Which files visitors would find added, changed and gone; at most 200 of each.",
    query: {
      against: textParameter(
        "The deploy that it is compared with. Default: the live one; of that one itself the one that was live before.",
        {
          maxLength: 40,
          rule: "must be the id of a deploy",
          pattern: DEPLOY_ID,
        },
      ),
    },
    success: {
      status: 200,
      description: "What is different. `against` is null where there is nothing to compare with.",
      schema: deployDiffShape,
      example: deployDiffExample,
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: async ({ project, params, query }, { projects }) => {
      const after = await manifestOf(projects, project.id, params.deploy);
      if (!after.ok) return after;
      const against =
        query.against ??
        comparedWith(params.deploy, await projects.deploys.list(project.id, ALL))?.id;
      if (against === undefined) {
        return done({ against: null, ...differenceBetween([], after.value.files) });
      }
      const before = await manifestOf(projects, project.id, against);
      if (!before.ok) return before;
      const difference = differenceBetween(before.value.files, after.value.files);
      return done({ against, ...difference });
    },
  }),
];

async function manifestOf(
  { deploys }: Projects,
  projectId: string,
  id: string,
): Promise<Result<Manifest, Problem>> {
  const manifest = await deploys.manifest(projectId, id);
  if (manifest !== undefined) return done(manifest);
  return refused((await deploys.byId(projectId, id)) === undefined ? noSuchDeploy : withoutFiles);
}

const withoutFiles: Problem = problem(
  "deploy_not_ready",
  "A deploy that was not completed has no files to compare.",
);
