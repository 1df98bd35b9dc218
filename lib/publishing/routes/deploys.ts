import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { named } from "../../base/schema.ts";
import type { Deploy, Manifest } from "../model/deploy.ts";
import { comparedWith, differenceBetween } from "../model/difference.ts";
import { SiteFileSchema } from "../model/site-file.ts";
import type { Projects } from "../projects.ts";
import { createDeploy } from "./create-deploy.ts";
import { followDeploy } from "./follow-deploy.ts";
import { endpoint, type EventReply } from "../../http/endpoint.ts";
import { inProject } from "../../management/endpoint.ts";
import {
  booleanParameter,
  limitParameter,
  memberParameter,
  textParameter,
  withFallback,
} from "../../http/parameters.ts";
import { noSuchDeploy } from "../../management/refusals.ts";
import {
  deployDiffExample,
  deployDiffShape,
  deployEvents,
  deployExample,
  deployFileExample,
  DeployPatchSchema,
  deployFilesShape,
  deployShape,
  deploysShape,
  MessageSchema,
  MAX_MESSAGE,
  RollbackSchema,
  siteFileExample,
  StarterSchema,
} from "../shapes/deploys.ts";
import { wantsEvents } from "../../management/sse.ts";

const MAX_LISTED = 200;
/** More deploys than a project can have. */
const ALL_DEPLOYS = 1_000;

const one = {
  status: 200,
  description: "The deploy.",
  schema: deployShape,
  example: deployExample,
} as const;

export const deployEndpoints = [
  endpoint({
    tag: "deploys",
    access: inProject("viewer"),
    operationId: "listDeploys",
    method: "GET",
    path: "/projects/:project/deploys",
    summary: "List deploys",
    description: "Newest first. The last 20 are kept, in addition to live and pinned ones.",
    query: { limit: limitParameter({ maximum: MAX_LISTED, fallback: 50 }) },
    success: {
      status: 200,
      description: "The deploys.",
      schema: deploysShape,
      example: [deployExample],
    },
    refusals: [],
    run: async ({ project, query }, { projects }) =>
      done(await projects.deploys.list(project.id, query.limit)),
  }),
  endpoint({
    tag: "deploys",
    access: inProject("staff"),
    operationId: "createDeploy",
    method: "POST",
    path: "/projects/:project/deploys",
    summary: "Publish a deploy",
    description:
      "Reads the site from a tar.gz in the body, or publishes the storefront alone, and responds when the deploy is live. " +
      "An invalid archive is rejected: the error names the entry, and the deploy stays listed as `failed`. With " +
      "`Accept: text/event-stream` the response starts at once and reports the progress.",
    query: {
      message: memberParameter(MessageSchema, {
        description: "With an archive: a description of the change.",
        rule: `must be a text of at most ${MAX_MESSAGE} characters that can be shown`,
      }),
      activate: withFallback(
        booleanParameter("With an archive: `false` leaves the deploy `ready`."),
        true,
      ),
    },
    body: StarterSchema,
    streams: {
      types: ["application/gzip", "application/x-gzip", "application/x-tar+gzip"],
      description: "A tar archive, gzipped: at most 5,000 entries and 250 MiB together.",
    },
    success: {
      ...one,
      status: 201,
      description: "The live or ready deploy.",
      headers: ["Location"],
      events: deployEvents,
    },
    refusals: ["not_found", "invalid_archive", "invalid_site_file", "limit_reached"],
    run: createDeploy,
  }),
  endpoint({
    tag: "deploys",
    access: inProject("viewer"),
    operationId: "getDeploy",
    method: "GET",
    path: "/projects/:project/deploys/:deploy",
    summary: "Get or follow a deploy",
    description: "With `Accept: text/event-stream` the response continues until the deploy ends.",
    success: { ...one, events: deployEvents },
    refusals: ["not_found", "limit_reached"],
    run: async (call, services): Promise<Result<Deploy | EventReply, Problem>> => {
      const deploy = await services.projects.deploys.byId(call.project.id, call.params.deploy);
      if (deploy === undefined) return refused(noSuchDeploy);
      return wantsEvents(call.request) ? followDeploy(call, services, deploy) : done(deploy);
    },
  }),
  endpoint({
    tag: "deploys",
    access: inProject("staff"),
    operationId: "updateDeploy",
    method: "PATCH",
    path: "/projects/:project/deploys/:deploy",
    summary: "Pin or unpin a deploy",
    description: "Retention never removes a pinned deploy.",
    body: DeployPatchSchema,
    success: one,
    refusals: ["not_found", "limit_reached"],
    run: ({ project, params, body }, { projects }) =>
      projects.deploys.pin(project.id, params.deploy, body.pinned),
  }),
  endpoint({
    tag: "deploys",
    access: inProject("staff"),
    operationId: "deleteDeploy",
    method: "DELETE",
    path: "/projects/:project/deploys/:deploy",
    summary: "Delete a deploy",
    description:
      "Deletes any deploy except the live one and those in progress. This cannot be undone.",
    success: { status: 204, description: "The deploy was deleted." },
    refusals: ["not_found", "deploy_is_live", "deploy_not_ready"],
    run: ({ project, params }, { projects }) => projects.deploys.delete(project.id, params.deploy),
  }),
  endpoint({
    tag: "deploys",
    access: inProject("viewer"),
    operationId: "listDeployFiles",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/files",
    summary: "List the files of a deploy",
    description: "Sorted by path, including `petstore.site.json`.",
    success: {
      status: 200,
      description: "The files.",
      schema: deployFilesShape,
      example: [deployFileExample],
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: async ({ project, params }, { projects }) => {
      const manifest = await manifestOf(projects, project.id, params.deploy);
      if (!manifest.ok) return manifest;
      return done(
        manifest.value.files.map(({ encodings, ...file }) => ({
          ...file,
          // Omits the names of the blobs.
          encodings: encodings.map(({ encoding, size }) => ({ encoding, size })),
        })),
      );
    },
  }),
  endpoint({
    tag: "deploys",
    access: inProject("staff"),
    operationId: "activateDeploy",
    method: "POST",
    path: "/projects/:project/deploys/:deploy/activate",
    summary: "Make a deploy live",
    description:
      "Switches atomically, so no visitor sees a mix of two deploys. Activating the live deploy changes nothing.",
    success: one,
    refusals: ["not_found", "deploy_not_ready"],
    run: ({ project, params }, { projects }) =>
      projects.deploys.activate(project.id, params.deploy),
  }),
  endpoint({
    tag: "deploys",
    access: inProject("staff"),
    operationId: "rollBack",
    method: "POST",
    path: "/projects/:project/rollback",
    summary: "Roll back",
    description: "Makes the previously live deploy live, or the one in `to`.",
    body: RollbackSchema,
    success: { ...one, description: "The live deploy." },
    refusals: ["not_found", "deploy_not_ready"],
    run: ({ project, body }, { projects }) => projects.deploys.rollback(project.id, body.to),
  }),
  endpoint({
    tag: "deploys",
    access: inProject("viewer"),
    operationId: "compareDeploys",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/diff",
    summary: "Compare a deploy with another one",
    description: "Lists added, changed and removed files, at most 200 of each.",
    query: {
      against: textParameter(
        "The deploy to compare with. Default: the live one, or for the live one the previously live one.",
        {
          maxLength: 40,
          rule: "must be the ID of a deploy",
          pattern: /^[a-z0-9]{1,40}$/,
        },
      ),
    },
    success: {
      status: 200,
      description: "The differences. `against` is null without a deploy to compare with.",
      schema: deployDiffShape,
      example: deployDiffExample,
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: async ({ project, params, query }, { projects }) => {
      const after = await manifestOf(projects, project.id, params.deploy);
      if (!after.ok) return after;
      const against =
        query.against ??
        comparedWith(params.deploy, await projects.deploys.list(project.id, ALL_DEPLOYS))?.id;
      if (against === undefined) {
        return done({ against: null, ...differenceBetween([], after.value.files) });
      }
      const before = await manifestOf(projects, project.id, against);
      if (!before.ok) return before;
      const difference = differenceBetween(before.value.files, after.value.files);
      return done({ against, ...difference });
    },
  }),
  endpoint({
    tag: "deploys",
    access: inProject("viewer"),
    operationId: "getSiteFile",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/site-file",
    summary: "Get the site file of a deploy",
    description: "The contents of its `petstore.site.json`; empty without one.",
    success: {
      status: 200,
      description: "The contents, without `$schema`.",
      schema: named("SiteFile", SiteFileSchema),
      example: siteFileExample,
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: async ({ project, params }, { projects }) => {
      const manifest = await manifestOf(projects, project.id, params.deploy);
      return manifest.ok ? done(manifest.value.site) : manifest;
    },
  }),
];

/** Returns the manifest of a complete deploy. */
async function manifestOf(
  { deploys }: Projects,
  projectId: string,
  id: string,
): Promise<Result<Manifest, Problem>> {
  const manifest = await deploys.manifest(projectId, id);
  if (manifest !== undefined) return done(manifest);
  return refused((await deploys.byId(projectId, id)) === undefined ? noSuchDeploy : notComplete);
}

const notComplete: Problem = problem(
  "deploy_not_ready",
  "The deploy was not completed, so it has no files.",
);
