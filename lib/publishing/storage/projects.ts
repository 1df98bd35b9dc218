import { addEvent, addNotice } from "../../storage/changes/notes.ts";
import { rowOf } from "../../sql/script.ts";
import type { EventType } from "../../model/event.ts";
import { projectEvent } from "../model/event-data.ts";
import { MAX_OLD_SLUGS } from "../model/project.ts";
import type { ProjectChange } from "../project-store.ts";
import { projectColumns, projectOf } from "./rows.ts";
import type { Leaves, ProjectScript } from "./script.ts";
import { nothing } from "../../sql/script.ts";

type Of<Kind extends ProjectChange["kind"]> = Extract<ProjectChange, { kind: Kind }>;

// It changes nothing: the lock on its row makes changes that count what an account has wait for each other.
const HOLD_ACCOUNT = "UPDATE accounts SET id = id WHERE id = ? RETURNING id";

const FEWER_PROJECTS = `SELECT COUNT(*) AS count FROM projects
  WHERE account_id = ? AND deleted_at IS NULL HAVING COUNT(*) < ?`;

const TAKE_SLUG = `INSERT INTO project_slugs (slug, project_id, redirects_until) VALUES (?, ?, NULL)
  ON CONFLICT (slug) DO UPDATE SET project_id = excluded.project_id, redirects_until = NULL
  WHERE project_slugs.redirects_until <= ? OR project_slugs.project_id = excluded.project_id
  RETURNING slug`;

const INSERT_PROJECT = `INSERT INTO projects (id, account_id, slug, name, category_ids, statuses, accent, scheme,
    live_deploy_id, version, created_at, updated_at, deleted_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, NULL) RETURNING ${projectColumns}`;

export function createProject(
  script: ProjectScript,
  { project, atMost }: Of<"project.create">,
): Leaves {
  const { id, accountId, slug, name, filter, theme, version, createdAt, updatedAt } = project;
  script.demand(HOLD_ACCOUNT, [accountId], "missing");
  script.demand(FEWER_PROJECTS, [accountId, atMost], "limit");
  script.demand(TAKE_SLUG, [slug, id, createdAt], "taken");
  const made = script.add(INSERT_PROJECT, [
    id,
    accountId,
    slug,
    name,
    JSON.stringify(filter.categoryIds),
    filter.statuses.join(" "),
    theme.accent ?? null,
    theme.scheme ?? null,
    version,
    createdAt,
    updatedAt,
  ]);
  return told(script, made, id, "project.created", createdAt);
}

const UPDATE_PROJECT = `UPDATE projects SET slug = ?, name = ?, category_ids = ?, statuses = ?, accent = ?, scheme = ?,
    version = version + 1, updated_at = ?
  WHERE id = ? AND version = ? AND deleted_at IS NULL RETURNING ${projectColumns}`;

const LEAVE_SLUG = "UPDATE project_slugs SET redirects_until = ? WHERE slug = ? AND project_id = ?";

const FORGET_OLDEST_SLUGS = `DELETE FROM project_slugs WHERE project_id = ? AND redirects_until IS NOT NULL
  AND slug NOT IN (
    SELECT slug FROM project_slugs WHERE project_id = ? AND redirects_until IS NOT NULL
    ORDER BY redirects_until DESC, slug LIMIT ?
  )`;

export function updateProject(
  script: ProjectScript,
  { from, to, oldSlugUntil, at }: Of<"project.update">,
): Leaves {
  const { id, version } = from;
  const { slug, name, filter, theme } = to;
  const updated = script.demand(
    UPDATE_PROJECT,
    [
      slug,
      name,
      JSON.stringify(filter.categoryIds),
      filter.statuses.join(" "),
      theme.accent ?? null,
      theme.scheme ?? null,
      at,
      id,
      version,
    ],
    "stale",
  );
  if (slug !== from.slug) {
    script.add(LEAVE_SLUG, [oldSlugUntil, from.slug, id]);
    script.demand(TAKE_SLUG, [slug, id, at], "taken");
    script.add(FORGET_OLDEST_SLUGS, [id, id, MAX_OLD_SLUGS]);
  }
  return told(script, updated, id, "project.updated", at);
}

const DELETE_PROJECT = `UPDATE projects SET deleted_at = ?, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at IS NULL RETURNING ${projectColumns}`;

export function deleteProject(
  script: ProjectScript,
  { projectId, at }: Of<"project.delete">,
): Leaves {
  const deleted = script.demand(DELETE_PROJECT, [at, at, projectId], "missing");
  return told(script, deleted, projectId, "project.deleted", at);
}

const HOLD_ACCOUNT_OF = `UPDATE accounts SET id = id
  WHERE id = (SELECT account_id FROM projects WHERE id = ?) RETURNING id`;

const FEWER_BESIDE = `SELECT COUNT(*) AS count FROM projects
  WHERE account_id = (SELECT account_id FROM projects WHERE id = ?) AND id <> ? AND deleted_at IS NULL
  HAVING COUNT(*) < ?`;

const RESTORE_PROJECT = `UPDATE projects SET deleted_at = NULL, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at > ? RETURNING ${projectColumns}`;

export function restoreProject(
  script: ProjectScript,
  { projectId, deletedAfter, atMost, at }: Of<"project.restore">,
): Leaves {
  script.demand(HOLD_ACCOUNT_OF, [projectId], "missing");
  const restored = script.demand(RESTORE_PROJECT, [at, projectId, deletedAfter], "missing");
  script.demand(FEWER_BESIDE, [projectId, projectId, atMost], "limit");
  return told(script, restored, projectId, "project.restored", at);
}

const PURGE_PROJECT = `DELETE FROM projects WHERE id = ?
  AND (deleted_at < ? OR NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = projects.account_id))
  AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.project_id = projects.id)
  RETURNING id`;

const PURGE_SLUGS_OF = "DELETE FROM project_slugs WHERE project_id = ?";

export function purgeProject(
  script: ProjectScript,
  { projectId, deletedBefore }: Of<"project.purge">,
): Leaves {
  script.demand(PURGE_PROJECT, [projectId, deletedBefore], "missing");
  script.add(PURGE_SLUGS_OF, [projectId]);
  return nothing;
}

const PURGE_SLUGS = `DELETE FROM project_slugs WHERE slug IN (
  SELECT slug FROM project_slugs WHERE redirects_until <= ? ORDER BY redirects_until LIMIT ?
)`;

export function purgeSlugs(script: ProjectScript, { now, limit }: Of<"slugs.purge">): Leaves {
  script.add(PURGE_SLUGS, [now, limit]);
  return nothing;
}

/** Tells of the project that the step `cause` left, which is the outcome. */
function told(
  script: ProjectScript,
  cause: number,
  projectId: string,
  type: EventType,
  at: number,
): Leaves {
  addEvent(script, (rows) => {
    const project = projectOf(rowOf(rows, cause));
    return { type, accountId: project.accountId, at, data: projectEvent(project) };
  });
  addNotice(script, { topic: "project", subject: projectId, at });
  return (rows) => projectOf(rowOf(rows, cause));
}
