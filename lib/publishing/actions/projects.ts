import { noSuchAccount } from "../../accounts/default-account.ts";
import { randomBase62 } from "../../base/id.ts";
import { anId, namedArguments, takingArguments } from "../../base/arguments.ts";
import { optional } from "../../base/options.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import {
  defaultFilter,
  faultOfFilter,
  faultOfTheme,
  MAX_PROJECTS,
  normalFilter,
  normalTheme,
  PROJECT_RESTORE_MS,
  SLUG_REDIRECTS_MS,
  type Project,
} from "../model/project.ts";
import { changedSettings, faultOfChange, settingsOf, siteFields } from "../model/site-settings.ts";
import { faultOfSlug, randomSlug } from "../model/slug.ts";
import { projectOf, type ProjectChange, type ProjectRefusal } from "../project-store.ts";
import type { Projects } from "../projects.ts";
import {
  findUndeleted,
  findProject,
  isVisible,
  noSuchProject,
  type PublishingContext,
} from "./context.ts";
import { deployActions, MAX_ROWS } from "./deploys.ts";

/** Attempts to find a free random slug, or to update a project that is being changed by others. */
const MAX_TRIES = 10;

const MAX_NAME = 80;

/** Creates the implementation of `Projects`. */
export function createProjects(context: PublishingContext): Projects {
  const { store, projectStore, commit, clock, random } = context;

  const save = async (change: ProjectChange, id: string): Promise<Result<Project, Problem>> => {
    const committed = await commit([change]);
    if (!committed.ok) return refused(problemOf(committed.failure.refusal));
    context.forget(id);
    return done(projectOf(committed.value[0]));
  };

  const projects: Projects = {
    create: async ({ accountId, name, slug: chosen, filter, theme = {}, language }) => {
      if ((await store.accounts.byId(accountId)) === undefined) return refused(noSuchAccount);
      const wanted = { name, filter: { ...defaultFilter, ...filter }, theme };
      const site = withoutUndefined({ language });
      const unfit = faultOfChange(site);
      if (unfit !== undefined) return refused(problem("invalid_value", unfit));
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
          ...(language === undefined ? {} : { site }),
          version: 1,
          createdAt: now,
          updatedAt: now,
        };
        const committed = await commit([{ kind: "project.create", project, atMost: MAX_PROJECTS }]);
        if (committed.ok) {
          context.forget(id);
          return done(projectOf(committed.value[0]));
        }
        const { refusal } = committed.failure;
        if (refusal !== "taken" || slug.value !== undefined || tries === MAX_TRIES) {
          return refused(refusal === "missing" ? noSuchAccount : problemOf(refusal));
        }
      }
    },

    byId: (id) => findProject(context, id),

    bySlug: async (slug) => {
      const project = (await projectStore.projects.bySlug(slug, clock.now()))?.project;
      return project !== undefined && (await isVisible(context, project)) ? project : undefined;
    },

    list: async ({ accountId, after, limit = 100 } = {}) =>
      projectStore.projects.list({
        accountId,
        after,
        deletedAfter: clock.now() - PROJECT_RESTORE_MS,
        limit: Math.min(limit, MAX_ROWS),
      }),

    update: async (id, change) => {
      const unfit = faultOfChange(change.site ?? {});
      if (unfit !== undefined) return refused(problem("invalid_value", unfit));
      for (let tries = 1; ; tries++) {
        const from = await findUndeleted(context, id);
        if (from === undefined) return refused(noSuchProject);
        const { name = from.name, theme = from.theme } = change;
        const settings =
          change.site === undefined
            ? { theme, site: from.site }
            : changedSettings({ theme, ...withoutUndefined({ site: from.site }) }, change.site);
        const wanted = {
          name,
          theme: settings.theme,
          filter: { ...from.filter, ...change.filter },
        };
        const fields = await checkFields(context, from.accountId, wanted);
        if (!fields.ok) return fields;
        // A project may keep a slug that became reserved later.
        const slug =
          change.slug === undefined || change.slug === from.slug
            ? done(from.slug)
            : checkSlug(context, change.slug);
        if (!slug.ok) return slug;
        const to = {
          ...fields.value,
          slug: slug.value,
          ...withoutUndefined({ site: settings.site }),
        };
        if (isSame(from, to)) return done(from);
        const at = clock.now();
        const committed = await commit([
          { kind: "project.update", from, to, oldSlugUntil: at + SLUG_REDIRECTS_MS, at },
        ]);
        if (committed.ok) {
          context.forget(id);
          return done(projectOf(committed.value[0]));
        }
        const { refusal } = committed.failure;
        // Stale: another field changed in the meantime, such as the live deploy.
        if (refusal !== "stale" || tries === MAX_TRIES) return refused(problemOf(refusal));
      }
    },

    delete: (projectId) => save({ kind: "project.delete", projectId, at: clock.now() }, projectId),

    restore: async (projectId) => {
      const found = await findProject(context, projectId);
      if (found === undefined) return refused(noSuchProject);
      if (found.deletedAt === undefined) return done(found);
      const at = clock.now();
      const deletedAfter = at - PROJECT_RESTORE_MS;
      const atMost = MAX_PROJECTS;
      return save({ kind: "project.restore", projectId, deletedAfter, atMost, at }, projectId);
    },

    deploys: takingArguments("projects.deploys", deployActions(context), {
      create: [anId, namedArguments],
      byId: [anId, anId],
      list: [anId],
      manifest: [anId, anId],
      read: [anId, anId, namedArguments],
      activate: [anId, anId],
      rollback: [anId, optional(anId)],
      pin: [anId, anId],
      delete: [anId, anId],
      watch: [anId],
    }),
  };
  return takingArguments("projects", projects, {
    create: [namedArguments],
    byId: [anId],
    bySlug: [anId],
    list: [optional(namedArguments)],
    update: [anId, namedArguments],
    delete: [anId],
    restore: [anId],
  });
}

type Fields = Pick<Project, "name" | "filter" | "theme">;

/** Validates and normalizes the owner's settings. The categories must exist in the account's production catalogue. */
async function checkFields(
  { store }: PublishingContext,
  accountId: string,
  { name, filter, theme }: Fields,
): Promise<Result<Fields, Problem>> {
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

function faultOf({ name, filter, theme }: Fields): string | undefined {
  const fault = typeof name === "string" ? faultOfName(name, MAX_NAME) : "must be a string";
  if (fault !== undefined) return `The name ${fault}.`;
  return faultOfFilter(filter) ?? faultOfTheme(theme);
}

/** Checks a chosen slug, but not whether it is free. */
function checkSlug({ reserved }: PublishingContext, slug: string): Result<string, Problem> {
  const fault = typeof slug === "string" ? faultOfSlug(slug, reserved) : "must be a string";
  return fault === undefined ? done(slug) : refused(problem("invalid_value", `The slug ${fault}.`));
}

type Settings = Fields & Pick<Project, "slug" | "site">;

function isSame(from: Settings, to: Settings): boolean {
  const text = ({ name, slug, filter, theme, site = {} }: Settings): string =>
    JSON.stringify([
      name,
      slug,
      filter.categoryIds,
      filter.statuses,
      siteFields.map((field) => settingsOf({ theme, site })[field] ?? ""),
    ]);
  return text(from) === text(to);
}

function problemOf(refusal: ProjectRefusal): Problem {
  switch (refusal) {
    case "missing":
      return noSuchProject;
    case "taken":
      return problem(
        "slug_taken",
        "The slug belongs to another project, or still redirects to it.",
      );
    case "limit":
      return problem("limit_reached", `An account may have at most ${MAX_PROJECTS} projects.`);
    case "stale":
      return problem("unavailable", "Others are changing the project. Try again.", {
        retryAfterSeconds: 1,
      });
    case "live":
      throw new TypeError("no change of a project is refused with `live`");
  }
}
