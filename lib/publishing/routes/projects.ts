import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { type Project, PROJECT_RESTORE_MS } from "../model/project.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { inAccount, inProject, onPlatform } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { pageOf } from "../../management/next-link.ts";
import { limitParameter, textParameter } from "../../http/parameters.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { ProjectView } from "../shapes/projects.ts";
import {
  NewProjectSchema,
  ProjectPatchSchema,
  projectShape,
  projectsShape,
} from "../shapes/projects.ts";
import { previewLabel } from "../hosts.ts";

const page = {
  after: textParameter("Only projects older than the one with this ID.", {
    maxLength: 20,
    rule: "must be the ID of a project",
    pattern: /^prj_[0-9A-Za-z]{1,16}$/,
  }),
  limit: limitParameter({ maximum: 500, fallback: 100 }),
};

const example = {
  id: "prj_8fJ2kQ0aZx1B",
  accountId: "acc_8fJ2kQ0aZx1B",
  slug: "brave-otter-1f2e",
  name: "Happy Tails",
  filter: { categoryIds: [], statuses: ["available", "pending"] },
  theme: { accent: "#1f6feb" },
  version: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
  url: "https://brave-otter-1f2e.example.org",
  previewUrl: "https://{deploy}--brave-otter-1f2e.example.org",
};

const one = { status: 200, description: "The project.", schema: projectShape, example } as const;
const listed = {
  status: 200,
  description: "One page, newest first. `Link` leads to the next one, if any.",
  schema: projectsShape,
  example: [example],
  headers: ["Link"],
} as const;

export const projectEndpoints = [
  endpoint({
    operationId: "listProjects",
    method: "GET",
    path: "/projects",
    tag: "projects",
    access: onPlatform("viewer"),
    summary: "List projects",
    description:
      "All projects for operators, those of their account for members. Includes restorable deleted projects.",
    query: page,
    success: listed,
    refusals: [],
    run: (call, services) =>
      listProjects(call, services, { path: "/projects", accountId: call.principal.accountId }),
  }),
  endpoint({
    operationId: "listAccountProjects",
    method: "GET",
    path: "/accounts/:account/projects",
    tag: "projects",
    access: inAccount("viewer"),
    summary: "List the projects of an account",
    description: "Includes restorable deleted projects.",
    query: page,
    success: listed,
    refusals: [],
    run: (call, services) => {
      const accountId = call.account.id;
      return listProjects(call, services, { path: `/accounts/${accountId}/projects`, accountId });
    },
  }),
  endpoint({
    operationId: "createProject",
    method: "POST",
    path: "/accounts/:account/projects",
    tag: "projects",
    access: inAccount("staff"),
    summary: "Create a project",
    description:
      "Nothing is published until the first deploy. Default slug: a random one. An account can have 100 projects.",
    body: NewProjectSchema,
    success: { ...one, status: 201, headers: ["Location"] },
    refusals: ["unknown_category", "slug_taken", "limit_reached"],
    run: async (call, services) => {
      const { name, slug, filter = {}, theme = {}, language } = call.body;
      const created = await services.projects.create({
        accountId: call.account.id,
        name,
        ...withoutUndefined({ slug, language }),
        filter: withoutUndefined(filter),
        theme: withoutUndefined(theme),
      });
      if (!created.ok) return created;
      const value = await viewOfProject(services, created.value);
      const headers = { location: `${call.base}/projects/${value.id}` };
      return done(new Reply(value, { headers }));
    },
  }),
  endpoint({
    operationId: "getProject",
    method: "GET",
    path: "/projects/:project",
    tag: "projects",
    access: inProject("viewer"),
    summary: "Get a project",
    description: "By its ID, its slug, or a slug that it had in the last 30 days.",
    success: one,
    refusals: [],
    run: async ({ project }, services) => done(await viewOfProject(services, project)),
  }),
  endpoint({
    operationId: "updateProject",
    method: "PATCH",
    path: "/projects/:project",
    tag: "projects",
    access: inProject("staff"),
    summary: "Update a project",
    description:
      "Omitted fields stay unchanged. After a change of slug the old address redirects for 30 days.",
    body: ProjectPatchSchema,
    success: one,
    refusals: ["not_found", "unknown_category", "slug_taken"],
    run: async ({ project, body }, services) => {
      const { filter, theme, ...rest } = body;
      return answered(
        services,
        await services.projects.update(project.id, {
          ...withoutUndefined({
            ...rest,
            filter: filter && withoutUndefined(filter),
            theme: theme && withoutUndefined(theme),
          }),
        }),
      );
    },
  }),
  endpoint({
    operationId: "deleteProject",
    method: "DELETE",
    path: "/projects/:project",
    tag: "projects",
    access: inProject("owner"),
    summary: "Delete a project",
    description:
      "Takes the site offline at once. The project can be restored until `restorableUntil`, 24 hours later, and is then purged with its deploys.",
    success: {
      ...one,
      description: "The deleted project.",
      example: {
        ...example,
        version: 2,
        deletedAt: "2026-11-21T09:30:00.000Z",
        restorableUntil: "2026-11-22T09:30:00.000Z",
      },
    },
    refusals: ["not_found"],
    run: async ({ project }, services) =>
      answered(services, await services.projects.delete(project.id)),
  }),
  endpoint({
    operationId: "restoreProject",
    method: "POST",
    path: "/projects/:project/restore",
    tag: "projects",
    access: inProject("owner"),
    summary: "Restore a project",
    description: "Undoes a deletion within 24 hours. The live deploy is live again.",
    success: one,
    refusals: ["not_found", "limit_reached"],
    run: async ({ project }, services) =>
      answered(services, await services.projects.restore(project.id)),
  }),
];

async function answered(
  services: ManagementServices,
  outcome: Result<Project, Problem>,
): Promise<Result<ProjectView, Problem>> {
  return outcome.ok ? done(await viewOfProject(services, outcome.value)) : outcome;
}

async function listProjects(
  call: {
    readonly base: string;
    readonly query: { readonly after?: string; readonly limit: number };
  },
  services: ManagementServices,
  { path, accountId }: { readonly path: string; readonly accountId: string | undefined },
): Promise<Result<Reply<readonly ProjectView[]>, Problem>> {
  const { after, limit } = call.query;
  const found = await services.projects.list({
    ...withoutUndefined({ accountId, after }),
    // One more than shown, to know whether another page exists.
    limit: limit + 1,
  });
  const { rows, headers } = pageOf(call, path, found, { limit });
  const value = await Promise.all(rows.map((project) => viewOfProject(services, project)));
  return done(new Reply(value, { headers }));
}

/** Adds the addresses and the live deploy to a project. */
async function viewOfProject(
  {
    projects,
    addressOf,
    previews,
  }: Pick<ManagementServices, "projects" | "addressOf" | "previews">,
  { site: _site, ...project }: Project,
): Promise<ProjectView> {
  const { id, slug, liveDeployId, deletedAt } = project;
  const liveDeploy =
    liveDeployId === undefined ? undefined : await projects.deploys.byId(id, liveDeployId);
  return {
    ...project,
    url: addressOf(slug),
    ...withoutUndefined({
      previewUrl: previews ? addressOf(previewLabel(slug, "{deploy}")) : undefined,
      liveDeploy,
      restorableUntil: deletedAt === undefined ? undefined : deletedAt + PROJECT_RESTORE_MS,
    }),
  };
}
