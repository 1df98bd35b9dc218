import { problem, type Problem } from "../../base/problem.ts";
import { done, refused } from "../../base/result.ts";
import { named } from "../../base/schema.ts";
import { SiteFileSchema } from "../../publishing/model/site-file-schema.ts";
import { endpoint } from "../endpoint.ts";
import { noSuchDeploy } from "../refusals.ts";
import { siteFileExample } from "../schemas/deploy.ts";

/** What a site says of itself, to be written back into its directory. */
export const siteFileEndpoints = [
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "getSiteFile",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/site-file",
    role: "viewer",
    summary: "Get the site file of a deploy",
    description: "What its `petstore.site.json` says; empty where it has none.",
    success: {
      status: 200,
      description: "As it was sent, without `$schema`.",
      schema: named("SiteFile", SiteFileSchema),
      example: siteFileExample,
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: async ({ project, params }, { projects }) => {
      const id = params.deploy;
      const manifest = await projects.deploys.manifest(project.id, id);
      if (manifest !== undefined) return done(manifest.site);
      const deploy = await projects.deploys.byId(project.id, id);
      return refused(deploy === undefined ? noSuchDeploy : notComplete);
    },
  }),
];

const notComplete: Problem = problem(
  "deploy_not_ready",
  "The deploy was not completed, so it has no site file.",
);
