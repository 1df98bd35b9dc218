import type { Eventual } from "../../base/eventual.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import type { Deploy } from "../../publishing/model/deploy.ts";
import { createDeploy } from "../actions/create-deploy.ts";
import { followDeploy } from "../actions/follow-deploy.ts";
import { endpoint, type EventReply, type ProjectCall } from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import { booleanParameter, limitParameter, memberParameter } from "../../http/parameters.ts";
import { noSuchDeploy } from "../refusals.ts";
import {
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
  StarterSchema,
} from "../schemas/deploy.ts";
import { wantsEvents } from "../wants-events.ts";

const MAX_LISTED = 200;

const one = {
  status: 200,
  description: "The deploy.",
  schema: deployShape,
  example: deployExample,
} as const;

export const deployEndpoints = [
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "listDeploys",
    method: "GET",
    path: "/projects/:project/deploys",
    role: "viewer",
    summary: "List deploys",
    description: "Newest first. The last 20 are kept, and those that are live or pinned.",
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
    access: "project",
    operationId: "createDeploy",
    method: "POST",
    path: "/projects/:project/deploys",
    role: "staff",
    summary: "Publish a deploy",
    description:
      "Takes in a tar.gz of the site as the body, or makes the starter; answers when it is live. An archive that holds " +
      "what a site may not is refused by the name of the entry, and leaves a deploy in state `failed`. With " +
      "`Accept: text/event-stream` the answer begins at once and tells how far it is.",
    query: {
      message: memberParameter(MessageSchema, {
        description: "With an archive: what changed.",
        rule: `must be a text of at most ${MAX_MESSAGE} characters that can be shown`,
      }),
      activate: booleanParameter("With an archive: `false` leaves it `ready`.", true),
    },
    body: StarterSchema,
    streams: {
      types: ["application/gzip", "application/x-gzip", "application/x-tar+gzip"],
      description: "A tar archive, gzipped: at most 5,000 entries and 250 MiB together.",
    },
    success: {
      ...one,
      status: 201,
      description: "The deploy, live or ready.",
      headers: ["Location"],
      events: deployEvents,
    },
    refusals: ["not_found", "invalid_archive", "invalid_site_file", "limit_reached"],
    run: createDeploy,
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "getDeploy",
    method: "GET",
    path: "/projects/:project/deploys/:deploy",
    role: "viewer",
    summary: "Get or follow a deploy",
    description: "With `Accept: text/event-stream` the answer goes on until the deploy is over.",
    success: { ...one, events: deployEvents },
    refusals: ["not_found", "limit_reached"],
    run: (call, services) =>
      withDeploy<Deploy | EventReply>(call, services, (deploy) =>
        wantsEvents(call.request) ? followDeploy(call, services, deploy) : done(deploy),
      ),
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "updateDeploy",
    method: "PATCH",
    path: "/projects/:project/deploys/:deploy",
    role: "staff",
    summary: "Pin or unpin a deploy",
    description: "A pinned deploy is never removed for its age.",
    body: DeployPatchSchema,
    success: one,
    refusals: ["not_found", "limit_reached"],
    run: ({ project, params, body }, { projects }) =>
      projects.deploys.pin(project.id, params.deploy, body.pinned),
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "deleteDeploy",
    method: "DELETE",
    path: "/projects/:project/deploys/:deploy",
    role: "staff",
    summary: "Delete a deploy",
    description: "Any but the live one and those that are being made. It cannot be undone.",
    success: { status: 204, description: "It is gone." },
    refusals: ["not_found", "deploy_is_live", "deploy_not_ready"],
    run: ({ project, params }, { projects }) => projects.deploys.delete(project.id, params.deploy),
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "listDeployFiles",
    method: "GET",
    path: "/projects/:project/deploys/:deploy/files",
    role: "viewer",
    summary: "List the files of a deploy",
    description: "By path; `petstore.site.json` included.",
    success: {
      status: 200,
      description: "The files.",
      schema: deployFilesShape,
      example: [deployFileExample],
    },
    refusals: ["not_found", "deploy_not_ready"],
    run: (call, services) => withDeploy(call, services, (deploy) => files(services, deploy)),
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "activateDeploy",
    method: "POST",
    path: "/projects/:project/deploys/:deploy/activate",
    role: "staff",
    summary: "Make a deploy live",
    description: "One swap: no visitor ever sees a mix of two. The one that is live stays so.",
    success: one,
    refusals: ["not_found", "deploy_not_ready"],
    run: ({ project, params }, { projects }) =>
      projects.deploys.activate(project.id, params.deploy),
  }),
  endpoint({
    tag: "deploys",
    access: "project",
    operationId: "rollBack",
    method: "POST",
    path: "/projects/:project/rollback",
    role: "staff",
    summary: "Roll back",
    description: "Makes the deploy live that was live before, or the one that is named.",
    body: RollbackSchema,
    success: { ...one, description: "The deploy that is live now." },
    refusals: ["not_found", "deploy_not_ready"],
    run: ({ project, body }, { projects }) => projects.deploys.rollback(project.id, body.to),
  }),
];

/** Runs `run` with the deploy that the path names. */
async function withDeploy<Value>(
  { project, params }: ProjectCall<unknown, unknown, "deploy">,
  { projects }: ManagementServices,
  run: (deploy: Deploy) => Eventual<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  const deploy = await projects.deploys.byId(project.id, params.deploy);
  return deploy === undefined ? refused(noSuchDeploy) : run(deploy);
}

async function files(
  { projects }: ManagementServices,
  { projectId, id }: Deploy,
): Promise<Result<ValueOf<typeof deployFilesShape>, Problem>> {
  const manifest = await projects.deploys.manifest(projectId, id);
  if (manifest === undefined) return refused(withoutFiles);
  return done(
    manifest.files.map(({ encodings, ...file }) => ({
      ...file,
      // The names of their blobs stay inside.
      encodings: encodings.map(({ encoding, size }) => ({ encoding, size })),
    })),
  );
}

const withoutFiles: Problem = problem(
  "deploy_not_ready",
  "The deploy was not completed, so it has no files.",
);
