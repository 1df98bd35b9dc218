import type { Clock } from "../../base/clock.ts";
import { andThen } from "../../base/eventual.ts";
import { done } from "../../base/result.ts";
import { openTables } from "../../sql/migrate.ts";
import { IN_SLICE, none, rotationOf } from "../../sql/rotation.ts";
import { text, readsOf } from "../../sql/rows.ts";
import type { Sql, SqlRow } from "../../sql/sql.ts";
import { EventScript } from "../../storage/changes/store-script.ts";
import type { ProjectChange, ProjectStore } from "../project-store.ts";
import { deployChanges } from "./deploys.ts";
import { projectSchema } from "./migrations.ts";
import { projectChanges } from "./projects.ts";
import * as rows from "./rows.ts";
import {
  HAS_ACCOUNT,
  type ChangeOf,
  type Compilers,
  type Kind,
  type ProjectScript,
} from "./script.ts";

/** Options of a project store in a SQL database. */
export interface SqlProjectStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the project store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlProjectStore(options: SqlProjectStoreOptions): Promise<ProjectStore> {
  const sql = await openTables("sqlProjectStore", options, projectSchema);
  const { all, first } = readsOf(sql);
  const rotation = rotationOf(sql);

  return {
    projects: {
      byId: (id) => first(PROJECT, [id], rows.projectOf),
      bySlug: (slug, now) => first(PROJECT_BY_SLUG, [slug, now], rows.addressedOf),
      list: ({ accountId, after, deletedAfter, limit }) => {
        const owner = accountId === undefined ? [] : [accountId];
        const place = after === undefined ? [] : [after, ...owner];
        const owned = owner.map(() => "account_id = ?");
        // Another account's project is not a valid cursor; the caller cannot tell it from an unknown one.
        const found = ["id = ?", ...owned].join(" AND ");
        const statement = projectsWhere([
          ...owned,
          ...(after === undefined ? [] : [`seq < (SELECT seq FROM projects WHERE ${found})`]),
        ]);
        return all(statement, [deletedAfter, ...owner, ...place, limit], rows.projectOf);
      },
      purgeable: async (deletedBefore, limit) => {
        const deleted = await all(DELETED, [deletedBefore, limit], idOf);
        const rest = limit - deleted.length;
        if (rest === 0) return deleted;
        const slice = await rotation.next("projects");
        const left = await all(LEFT, [slice.after, slice.through, rest], idOf);
        if (left.length === rest) rotation.again(new Map([["projects", slice]]));
        return [...new Set([...deleted, ...left])];
      },
    },
    deploys: {
      byId: (projectId, id) => first(DEPLOY, [id, projectId], rows.deployOf),
      list: (projectId, limit) => all(DEPLOYS, [projectId, limit], rows.deployOf),
      manifest: (projectId, id) => first(MANIFEST, [id, projectId], rows.manifestOf),
      before: (projectId) => first(BEFORE, [projectId, projectId], rows.deployOf),
      superseded: (projectId, since, limit) =>
        all(SUPERSEDED, [projectId, since, limit], rows.deployOf),
      stalled: (touchedBefore, limit) => all(STALLED, [touchedBefore, limit], rows.deployOf),
    },
    blobs: {
      needed: (names) =>
        andThen(
          sql.query({ text: NEEDED, values: [...padded(names), ...padded(names)] }),
          (found) => new Set(found.map((row) => text(row, "sha256"))),
        ),
      unreleased: () => first(UNRELEASED, [], (row) => text(row, "deploy_id")),
    },

    commit: async (changes, actor) => {
      const [leading] = changes;
      if (leading === undefined) return done([]);
      const script: ProjectScript = new EventScript(actor);
      for (const change of changes) compile(script, change);
      return script.commit(sql, laneOf(leading));
    },
  };
}

const compilers: Compilers<Kind> = { ...projectChanges, ...deployChanges };

function compile<K extends Kind>(script: ProjectScript, change: ChangeOf<K>): void {
  script.end(compilers[change.kind](script, change));
}

function laneOf(change: ProjectChange): string {
  if ("projectId" in change) return `project ${change.projectId}`;
  return "deployId" in change ? `deploy ${change.deployId}` : "projects";
}

const PROJECT = `SELECT ${rows.projectColumns} FROM projects WHERE id = ?`;
const PROJECT_BY_SLUG = `SELECT ${rows.projectColumns}, project_slugs.redirects_until
  FROM project_slugs JOIN projects ON projects.id = project_slugs.project_id
  WHERE project_slugs.slug = ?
    AND (project_slugs.redirects_until IS NULL OR project_slugs.redirects_until > ?)`;
const projectsWhere = (conditions: readonly string[]): string => `SELECT ${rows.projectColumns}
  FROM projects WHERE ${[RESTORABLE, HAS_ACCOUNT, ...conditions].join(" AND ")}
  ORDER BY seq DESC LIMIT ?`;
const RESTORABLE = "(deleted_at IS NULL OR deleted_at > ?)";
const DELETED = "SELECT id FROM projects WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?";
/** Projects of deleted accounts. */
const LEFT = `SELECT id FROM projects
  WHERE ${IN_SLICE} AND ${none("accounts WHERE accounts.id = projects.account_id")} LIMIT ?`;
const idOf = (row: SqlRow): string => text(row, "id");
const DEPLOY = `SELECT ${rows.deployColumns} FROM deploys WHERE id = ? AND project_id = ?`;
const DEPLOYS = `SELECT ${rows.deployColumns} FROM deploys
  WHERE project_id = ? ORDER BY seq DESC LIMIT ?`;
const MANIFEST = `SELECT deploy_manifests.manifest FROM deploy_manifests
  JOIN deploys ON deploys.id = deploy_manifests.deploy_id WHERE deploys.id = ? AND deploys.project_id = ?`;
const BEFORE = `SELECT ${rows.deployColumns} FROM deploys
  WHERE project_id = ? AND state = 'superseded'
    AND place < (SELECT live.place FROM deploys AS live WHERE live.project_id = ? AND live.state = 'live')
  ORDER BY place DESC LIMIT 1`;
const SUPERSEDED = `SELECT ${rows.deployColumns} FROM deploys
  WHERE project_id = ? AND state = 'superseded' AND superseded_at >= ?
  ORDER BY superseded_at DESC, seq DESC LIMIT ?`;
const STALLED = `SELECT ${rows.deployColumns} FROM deploys
  WHERE state IN ('uploading', 'processing') AND touched_at < ? ORDER BY touched_at LIMIT ?`;

const UNRELEASED = "SELECT deploy_id FROM departed_deploys LIMIT 1";

const MOST_NAMES = 100;
const AMONG = `IN (${Array.from({ length: MOST_NAMES }, () => "?").join(", ")})`;
const NEEDED = `SELECT sha256 FROM deploy_blobs WHERE sha256 ${AMONG}
  UNION SELECT hash FROM photos WHERE hash ${AMONG}`;

/** Pads the names with empty ones, so that one statement serves any number of names. */
function padded(names: readonly string[]): readonly string[] {
  if (names.length > MOST_NAMES) throw new RangeError(`at most ${MOST_NAMES} names`);
  return Array.from({ length: MOST_NAMES }, (_, index) => names[index] ?? "");
}
