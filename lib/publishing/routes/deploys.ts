import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { named } from "../../base/schema.ts";
import { memberNamed } from "../../model/audit-types.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { ManagementServices } from "../../management/management.ts";
import { animalFiles, unusedFiles, type UnusedFile } from "../model/animal-files.ts";
import { isWhole, type Deploy, type Manifest, type ManifestFile } from "../model/deploy.ts";
import { goneBetween } from "../model/gone.ts";
import { comparedWith, differenceBetween } from "../model/difference.ts";
import { SiteFileSchema } from "../model/site-file.ts";
import type { Projects } from "../projects.ts";
import { createDeploy } from "./create-deploy.ts";
import { followDeploy } from "./follow-deploy.ts";
import { endpoint, type EventReply } from "../../http/endpoint.ts";
import { inProject } from "../../management/endpoint.ts";
import { memberParameter } from "../../http/member-parameter.ts";
import {
  booleanParameter,
  limitParameter,
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
/** The most unused files listed, and the most animals looked up to find them. */
const MAX_UNUSED = 200;
const MAX_LOOKED_UP = 500;
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
      add: withFallback(
        booleanParameter(
          "With an archive: adds its files to those that are live. A file at the same path replaces the live one, in upper or lower case, and nothing else disappears.",
        ),
        false,
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
    records: ({ body }, value) => ({
      type: memberNamed(body, "pinned") === true ? "deploy.pinned" : "deploy.unpinned",
      data: { projectId: memberNamed(value, "projectId"), deployId: memberNamed(value, "id") },
    }),
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
      "Switches atomically, so no visitor sees a mix of two deploys. Activating the live deploy changes nothing. With " +
      "`add=true` another deploy becomes live that has the files of this one and those that are live.",
    query: {
      add: withFallback(
        booleanParameter("Adds the files to those that are live. Responds with the new deploy."),
        false,
      ),
    },
    success: one,
    refusals: ["not_found", "deploy_not_ready", "limit_reached"],
    run: ({ project, params, query, principal }, { projects }) =>
      query.add
        ? addToLive(projects, project.id, params.deploy, principal.name)
        : projects.deploys.activate(project.id, params.deploy),
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
    description:
      "Lists added, changed and removed files, at most 200 of each, what visitors would miss, and files for animals that the storefront does not use.",
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
    run: async ({ project, params, query }, { projects, store }) => {
      const after = await manifestOf(projects, project.id, params.deploy);
      if (!after.ok) return after;
      const { files } = after.value;
      const all = await projects.deploys.list(project.id, ALL_DEPLOYS);
      const against = query.against ?? comparedWith(params.deploy, all)?.id;
      const before =
        against === undefined ? done(nothing) : await manifestOf(projects, project.id, against);
      if (!before.ok) return before;
      // Petstore wrote the site file of a starter, so its loss is none.
      const starter = all.some(({ id, source }) => id === against && source === "starter");
      const losable = starter ? [] : before.value.files;
      const unused = await unusedIn(files, store, project.accountId);
      return done({
        against: against ?? null,
        ...differenceBetween(before.value.files, files),
        gone: goneBetween(losable, new Set(files.map(({ path }) => path))),
        unused: unused.slice(0, MAX_UNUSED),
      });
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

const nothing: Manifest = { files: [], site: {} };

/** Publishes the files of a complete deploy together with those that are live. */
async function addToLive(
  { deploys }: Projects,
  projectId: string,
  id: string,
  author: string,
): Promise<Result<Deploy, Problem>> {
  const deploy = await deploys.byId(projectId, id);
  if (deploy === undefined) return refused(noSuchDeploy);
  if (!isWhole(deploy.state)) return refused(notComplete);
  const { message } = deploy;
  const archive = { deploy: id };
  return deploys.create(projectId, {
    archive,
    add: true,
    author,
    ...withoutUndefined({ message }),
  });
}

/** Returns the files below `animals/` that the storefront does not use. Looks up a bounded number of animals. */
async function unusedIn(
  files: readonly ManifestFile[],
  store: ManagementServices["store"],
  accountId: string,
): Promise<readonly UnusedFile[]> {
  const catalogue = await store.catalogues.of(accountId, "production");
  const known = new Map<number, boolean>();
  if (catalogue === undefined) return [];
  for (const id of [...animalFiles(files).keys()].slice(0, MAX_LOOKED_UP)) {
    known.set(id, (await store.pets.byId(catalogue.id, id)) !== undefined);
  }
  return unusedFiles(files, (id) => known.get(id));
}

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
