import { noSuchAccount } from "../../actions/accounts.ts";
import { randomBase62 } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import {
  MAX_PROJECTS,
  PROJECT_RESTORE_MS,
  SLUG_REDIRECTS_MS,
  type Project,
  defaultFilter,
  type ProjectFilter,
  type Theme,
  faultOfFilter,
  faultOfTheme,
  normalFilter,
  normalTheme,
} from "../model/project.ts";
import { randomSlug, faultOfSlug } from "../model/slug.ts";
import { projectOf, type ProjectRefusal } from "../project-store.ts";
import type { Projects } from "../projects.ts";
import { type PublishingContext, findLiving, findProject, noSuchProject } from "./context.ts";
import { faultOfName, normalText } from "../../model/text.ts";

type Input = Parameters<Projects["create"]>[0];
type Change = Parameters<Projects["update"]>[1];

/** So many slugs are made up, or changes decided anew, before it is given up. */
const MAX_TRIES = 10;

export async function createProject(
  context: PublishingContext,
  { accountId, name, slug: chosen, filter, theme = {} }: Input,
): Promise<Result<Project, Problem>> {
  const { store, projectStore, clock, random } = context;
  if ((await store.accounts.byId(accountId)) === undefined) return refused(noSuchAccount);
  const wanted = { name, filter: { ...defaultFilter, ...filter }, theme };
  const fields = await checkFields(context, accountId, wanted);
  if (!fields.ok) return fields;
  const slug = chosen === undefined ? done(undefined) : checkSlug(context, chosen);
  if (!slug.ok) return slug;
  const now = clock.now();
  const id = `prj_${randomBase62(random, 12)}`;
  for (let tries = 1; ; tries++) {
    const project: Project = {
      id,
      accountId,
      slug: slug.value ?? randomSlug(random),
      ...fields.value,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const committed = await projectStore.commit([
      { kind: "project.create", project, atMost: MAX_PROJECTS },
    ]);
    if (committed.ok) {
      context.forget(id);
      return done(projectOf(committed.value[0]));
    }
    const { refusal } = committed.failure;
    if (refusal !== "taken" || slug.value !== undefined || tries === MAX_TRIES) {
      return refused(refusal === "missing" ? noSuchAccount : refusalOf(refusal));
    }
  }
}

export async function updateProject(
  context: PublishingContext,
  id: string,
  change: Change,
): Promise<Result<Project, Problem>> {
  const { projectStore, clock } = context;
  for (let tries = 1; ; tries++) {
    const from = await findLiving(context, id);
    if (from === undefined) return refused(noSuchProject);
    const { name = from.name, theme = from.theme } = change;
    const wanted = { name, theme, filter: { ...from.filter, ...change.filter } };
    const fields = await checkFields(context, from.accountId, wanted);
    if (!fields.ok) return fields;
    // The one that it has stays allowed, even if it has become a reserved one since.
    const slug =
      change.slug === undefined || change.slug === from.slug
        ? done(from.slug)
        : checkSlug(context, change.slug);
    if (!slug.ok) return slug;
    const to = { ...fields.value, slug: slug.value };
    if (isSame(from, to)) return done(from);
    const at = clock.now();
    const committed = await projectStore.commit([
      { kind: "project.update", from, to, oldSlugUntil: at + SLUG_REDIRECTS_MS, at },
    ]);
    if (committed.ok) {
      context.forget(id);
      return done(projectOf(committed.value[0]));
    }
    const { refusal } = committed.failure;
    // Something else about it has changed meanwhile, such as which deploy is live.
    if (refusal !== "stale" || tries === MAX_TRIES) return refused(refusalOf(refusal));
  }
}

/** It serves nothing from now on. */
export async function deleteProject(
  context: PublishingContext,
  projectId: string,
): Promise<Result<Project, Problem>> {
  const change = { kind: "project.delete", projectId, at: context.clock.now() } as const;
  const committed = await context.projectStore.commit([change]);
  if (!committed.ok) return refused(refusalOf(committed.failure.refusal));
  context.forget(projectId);
  return done(projectOf(committed.value[0]));
}

export async function restoreProject(
  context: PublishingContext,
  projectId: string,
): Promise<Result<Project, Problem>> {
  const found = await findProject(context, projectId);
  if (found === undefined) return refused(noSuchProject);
  // Somebody was quicker.
  if (found.deletedAt === undefined) return done(found);
  const at = context.clock.now();
  const committed = await context.projectStore.commit([
    {
      kind: "project.restore",
      projectId,
      deletedAfter: at - PROJECT_RESTORE_MS,
      atMost: MAX_PROJECTS,
      at,
    },
  ]);
  if (!committed.ok) return refused(refusalOf(committed.failure.refusal));
  context.forget(projectId);
  return done(projectOf(committed.value[0]));
}

type Fields = Pick<Project, "name" | "slug" | "filter" | "theme">;

function isSame(from: Fields, to: Fields): boolean {
  const told = ({ name, slug, filter, theme }: Fields): string =>
    JSON.stringify([
      name,
      slug,
      filter.categoryIds,
      filter.statuses,
      theme.accent ?? "",
      theme.scheme ?? "",
    ]);
  return told(from) === told(to);
}

function refusalOf(refusal: ProjectRefusal): Problem {
  switch (refusal) {
    case "missing":
      return noSuchProject;
    case "taken":
      return problem("slug_taken", "The slug belongs to another project, or still leads to it.");
    case "limit":
      return problem("limit_reached", `An account may have ${MAX_PROJECTS} projects at most.`);
    case "stale":
      return problem("unavailable", "The project is being changed by others; try again.", {
        retryAfterSeconds: 1,
      });
    case "live":
      throw new TypeError("no change of a project is refused for what is live");
  }
}

const MAX_NAME = 80;

type Wanted = Pick<Project, "name" | "filter" | "theme">;

/** What a person wants a project to be, checked: also that its categories are in the account's production catalogue. */
async function checkFields(
  { store }: Pick<PublishingContext, "store">,
  accountId: string,
  { name, filter, theme }: Wanted,
): Promise<Result<Wanted, Problem>> {
  const fault = faultOf({ name, filter, theme });
  if (fault !== undefined) return refused(problem("invalid_value", fault));
  const catalogue = await store.catalogues.of(accountId, "production");
  for (const id of filter.categoryIds) {
    if (catalogue !== undefined && (await store.categories.byId(catalogue.id, id)) !== undefined) {
      continue;
    }
    const message = `There is no category ${id} in Production.`;
    return refused(problem("unknown_category", message));
  }
  return done({
    name: normalText(name),
    filter: normalFilter(filter),
    theme: normalTheme(theme),
  });
}

/** A slug that a person has chosen, checked: but not whether it is free. */
function checkSlug(
  { reserved }: Pick<PublishingContext, "reserved">,
  slug: string,
): Result<string, Problem> {
  const fault = typeof slug === "string" ? faultOfSlug(slug, reserved) : "must be a string";
  return fault === undefined ? done(slug) : refused(problem("invalid_value", `The slug ${fault}.`));
}

function faultOf({
  name,
  filter,
  theme,
}: {
  readonly name: string;
  readonly filter: ProjectFilter;
  readonly theme: Theme;
}): string | undefined {
  const fault = typeof name === "string" ? faultOfName(name, MAX_NAME) : "must be a string";
  if (fault !== undefined) return `The name ${fault}.`;
  return faultOfFilter(filter) ?? faultOfTheme(theme);
}
