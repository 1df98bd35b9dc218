import type { EventType } from "../../model/event.ts";
import { nothing, rowOf, type OutcomeOf } from "../../sql/script.ts";
import type { SqlValue } from "../../sql/sql.ts";
import { addEvent, addNotice } from "../../storage/changes/store-script.ts";
import { MAX_OLD_SLUGS, type Project } from "../model/project.ts";
import type { ProjectOutcome } from "../project-store.ts";
import { projectColumns, projectOf } from "./rows.ts";
import { HAS_ACCOUNT, type Compilers, type Kind, type ProjectScript } from "./script.ts";

// Changes nothing. The row lock serializes changes that count the account's projects.
const HOLD_ACCOUNT = "UPDATE accounts SET id = id WHERE id = ? RETURNING id";

const FEWER_PROJECTS = `SELECT COUNT(*) AS count FROM projects
  WHERE account_id = ? AND deleted_at IS NULL HAVING COUNT(*) < ?`;

const TAKE_SLUG = `INSERT INTO project_slugs (slug, project_id, redirects_until) VALUES (?, ?, NULL)
  ON CONFLICT (slug) DO UPDATE SET project_id = excluded.project_id, redirects_until = NULL
  WHERE project_slugs.redirects_until <= ? OR project_slugs.project_id = excluded.project_id
  RETURNING slug`;

const INSERT_PROJECT = `INSERT INTO projects (id, account_id, slug, name, category_ids, statuses, accent, scheme,
    site, live_deploy_id, version, created_at, updated_at, deleted_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, NULL) RETURNING ${projectColumns}`;

const UPDATE_PROJECT = `UPDATE projects SET slug = ?, name = ?, category_ids = ?, statuses = ?, accent = ?, scheme = ?,
    site = ?, version = version + 1, updated_at = ?
  WHERE id = ? AND version = ? AND deleted_at IS NULL RETURNING ${projectColumns}`;

const LEAVE_SLUG = "UPDATE project_slugs SET redirects_until = ? WHERE slug = ? AND project_id = ?";

const FORGET_OLDEST_SLUGS = `DELETE FROM project_slugs WHERE project_id = ? AND redirects_until IS NOT NULL
  AND slug NOT IN (
    SELECT slug FROM project_slugs WHERE project_id = ? AND redirects_until IS NOT NULL
    ORDER BY redirects_until DESC, slug LIMIT ?
  )`;

const DELETE_PROJECT = `UPDATE projects SET deleted_at = ?, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at IS NULL RETURNING ${projectColumns}`;

const HOLD_ACCOUNT_OF = `UPDATE accounts SET id = id
  WHERE id = (SELECT account_id FROM projects WHERE id = ?) RETURNING id`;

const FEWER_OTHERS = `SELECT COUNT(*) AS count FROM projects
  WHERE account_id = (SELECT account_id FROM projects WHERE id = ?) AND id <> ? AND deleted_at IS NULL
  HAVING COUNT(*) < ?`;

const RESTORE_PROJECT = `UPDATE projects SET deleted_at = NULL, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at > ? RETURNING ${projectColumns}`;

const PURGE_PROJECT = `DELETE FROM projects WHERE id = ? AND (deleted_at < ? OR NOT ${HAS_ACCOUNT})
  AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.project_id = projects.id)
  RETURNING id`;

const PURGE_SLUGS_OF = "DELETE FROM project_slugs WHERE project_id = ?";

const PURGE_SLUGS = `DELETE FROM project_slugs WHERE slug IN (
  SELECT slug FROM project_slugs WHERE redirects_until <= ? ORDER BY redirects_until LIMIT ?
)`;

export const projectChanges: Compilers<Exclude<Kind, `deploy.${string}`>> = {
  "project.create": (script, { project, atMost }) => {
    const { id, accountId, version, createdAt, updatedAt } = project;
    script.demand(HOLD_ACCOUNT, [accountId], "missing");
    script.demand(FEWER_PROJECTS, [accountId, atMost], "limit");
    script.demand(TAKE_SLUG, [project.slug, id, createdAt], "taken");
    const values = [id, accountId, ...valuesOf(project), version, createdAt, updatedAt];
    const created = script.add(INSERT_PROJECT, values);
    return report(script, created, id, "project.created", createdAt);
  },

  "project.update": (script, { from, to, oldSlugUntil, at }) => {
    const { id, version } = from;
    const values = [...valuesOf(to), at, id, version];
    const updated = script.demand(UPDATE_PROJECT, values, "stale");
    if (to.slug !== from.slug) {
      script.add(LEAVE_SLUG, [oldSlugUntil, from.slug, id]);
      script.demand(TAKE_SLUG, [to.slug, id, at], "taken");
      script.add(FORGET_OLDEST_SLUGS, [id, id, MAX_OLD_SLUGS]);
    }
    return report(script, updated, id, "project.updated", at);
  },

  "project.delete": (script, { projectId, at }) => {
    const deleted = script.demand(DELETE_PROJECT, [at, at, projectId], "missing");
    return report(script, deleted, projectId, "project.deleted", at);
  },

  "project.restore": (script, { projectId, deletedAfter, atMost, at }) => {
    script.demand(HOLD_ACCOUNT_OF, [projectId], "missing");
    const restored = script.demand(RESTORE_PROJECT, [at, projectId, deletedAfter], "missing");
    script.demand(FEWER_OTHERS, [projectId, projectId, atMost], "limit");
    return report(script, restored, projectId, "project.restored", at);
  },

  "project.purge": (script, { projectId, deletedBefore }) => {
    script.demand(PURGE_PROJECT, [projectId, deletedBefore], "missing");
    script.add(PURGE_SLUGS_OF, [projectId]);
    return nothing;
  },

  "slugs.purge": (script, { now, limit }) => {
    script.add(PURGE_SLUGS, [now, limit]);
    return nothing;
  },
};

/** Returns the values of the columns that an owner can change, in the statements' order. */
function valuesOf({
  slug,
  name,
  filter,
  theme,
  site = {},
}: Pick<Project, "slug" | "name" | "filter" | "theme" | "site">): readonly SqlValue[] {
  const { accent = null, scheme = null } = theme;
  return [
    slug,
    name,
    JSON.stringify(filter.categoryIds),
    filter.statuses.join(" "),
    accent,
    scheme,
    Object.keys(site).length === 0 ? null : JSON.stringify(site),
  ];
}

/** Adds the event and the notice of the project that the step `cause` changed, and returns the project as the outcome. */
function report(
  script: ProjectScript,
  cause: number,
  projectId: string,
  type: EventType,
  at: number,
): OutcomeOf<ProjectOutcome> {
  addEvent(script, (rows) => {
    const { id, accountId, slug, name } = projectOf(rowOf(rows, cause));
    return { type, accountId, at, data: { projectId: id, slug, name } };
  });
  addNotice(script, { topic: "project", subject: projectId, at });
  return (rows) => projectOf(rowOf(rows, cause));
}
