import { type Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import type { Project } from "../../publishing/model/project.ts";
import {
  withBody,
  type ManagementAnswer,
  type ManagementCall,
  type ManagementEndpoint,
  type ManagementParameter,
} from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import { nextLink } from "../next-link.ts";
import { limitParameter, numberIn, textIn, textParameter } from "../parameters.ts";
import { present } from "../present.ts";
import { viewOfProject } from "../project-view.ts";
import {
  NewProjectSchema,
  ProjectPatchSchema,
  projectShape,
  projectsShape,
} from "../schemas/project.ts";

const DEFAULT_PAGE = 100;

const page: readonly ManagementParameter[] = [
  textParameter("after", "Only projects older than the one with this id.", {
    maxLength: 20,
    rule: "must be the id of a project",
    pattern: /^prj_[0-9A-Za-z]{1,16}$/,
  }),
  limitParameter({ maximum: 500, fallback: DEFAULT_PAGE }),
];

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
const listed: ManagementEndpoint["success"] = {
  status: 200,
  description: "One page, newest first; where there is more, `Link` leads to it.",
  schema: projectsShape,
  example: [example],
  headers: ["Link"],
};

export const projectEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listProjects",
    method: "GET",
    path: "/projects",
    tag: "projects",
    access: "platform",
    role: "viewer",
    summary: "List projects",
    description:
      "All of them for an operator, those of their account for everybody else; deleted ones that can be restored included.",
    parameters: page,
    success: listed,
    refusals: [],
    handle: (call, services) =>
      listProjects(call, services, { path: "/projects", accountId: call.principal.accountId }),
  },
  {
    operationId: "listAccountProjects",
    method: "GET",
    path: "/accounts/:account/projects",
    tag: "projects",
    access: "account",
    role: "viewer",
    summary: "List the projects of an account",
    description: "Deleted ones that can be restored included.",
    parameters: page,
    success: listed,
    refusals: [],
    handle: (call, services) => {
      const accountId = call.account.id;
      return listProjects(call, services, { path: `/accounts/${accountId}/projects`, accountId });
    },
  },
  withBody({
    operationId: "createProject",
    method: "POST",
    path: "/accounts/:account/projects",
    tag: "projects",
    access: "account",
    role: "staff",
    summary: "Create a project",
    description:
      "Nothing is published until its first deploy. Without a slug one is made up. An account may have 100 projects.",
    parameters: [],
    body: NewProjectSchema,
    success: { ...one, status: 201, headers: ["Location"] },
    refusals: ["unknown_category", "slug_taken", "limit_reached"],
    handle: async (call, services) => {
      const { name, slug, filter = {}, theme = {} } = call.body;
      const created = await services.projects.create({
        accountId: call.account.id,
        name,
        ...(slug === undefined ? {} : { slug }),
        filter: present(filter),
        theme: present(theme),
      });
      if (!created.ok) return created;
      const value = await viewOfProject(services, created.value);
      const headers = { location: `${call.base}/projects/${value.id}` };
      return done({ status: 201, value, headers });
    },
  }),
  {
    operationId: "getProject",
    method: "GET",
    path: "/projects/:project",
    tag: "projects",
    access: "project",
    role: "viewer",
    summary: "Get a project",
    description: "By its id, its slug, or one that it had in the last 30 days.",
    parameters: [],
    success: one,
    refusals: [],
    handle: async ({ project }, services) =>
      done({ status: 200, value: await viewOfProject(services, project) }),
  },
  withBody({
    operationId: "updateProject",
    method: "PATCH",
    path: "/projects/:project",
    tag: "projects",
    access: "project",
    role: "staff",
    summary: "Update a project",
    description:
      "What is absent stays as it is. With another slug the old address leads to the new one for 30 days.",
    parameters: [],
    body: ProjectPatchSchema,
    success: one,
    refusals: ["not_found", "unknown_category", "slug_taken"],
    handle: async ({ project, body }, services) => {
      const { filter, theme, ...rest } = body;
      return answered(
        services,
        await services.projects.update(project.id, {
          ...present(rest),
          ...(filter === undefined ? {} : { filter: present(filter) }),
          ...(theme === undefined ? {} : { theme: present(theme) }),
        }),
      );
    },
  }),
  {
    operationId: "deleteProject",
    method: "DELETE",
    path: "/projects/:project",
    tag: "projects",
    access: "project",
    role: "owner",
    summary: "Delete a project",
    description:
      "Its site is gone at once. It can be restored until `restorableUntil`, 24 hours later; then it is purged with its deploys.",
    parameters: [],
    success: {
      ...one,
      description: "The project, deleted.",
      example: {
        ...example,
        version: 2,
        deletedAt: "2026-11-21T09:30:00.000Z",
        restorableUntil: "2026-11-22T09:30:00.000Z",
      },
    },
    refusals: ["not_found"],
    handle: async ({ project }, services) =>
      answered(services, await services.projects.delete(project.id)),
  },
  {
    operationId: "restoreProject",
    method: "POST",
    path: "/projects/:project/restore",
    tag: "projects",
    access: "project",
    role: "owner",
    summary: "Restore a project",
    description: "Undoes that it was deleted, within 24 hours; what was live is live again.",
    parameters: [],
    success: one,
    refusals: ["not_found", "limit_reached"],
    handle: async ({ project }, services) =>
      answered(services, await services.projects.restore(project.id)),
  },
];

type Answer = Promise<Result<ManagementAnswer, Problem>>;

async function answered(services: ManagementServices, outcome: Result<Project, Problem>): Answer {
  if (!outcome.ok) return outcome;
  return done({ status: 200, value: await viewOfProject(services, outcome.value) });
}

async function listProjects(
  call: ManagementCall,
  services: ManagementServices,
  { path, accountId }: { readonly path: string; readonly accountId: string | undefined },
): Answer {
  const after = textIn(call.query, "after");
  const limit = numberIn(call.query, "limit") ?? DEFAULT_PAGE;
  const found = await services.projects.list({
    ...present({ accountId, after }),
    // One more than is shown tells whether there is more.
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  const value = await Promise.all(shown.map((project) => viewOfProject(services, project)));
  return done({
    status: 200,
    value,
    headers: found.length > limit ? nextLink(call, path, { after: shown.at(-1)?.id, limit }) : {},
  });
}
