import { system, type Actor } from "../../model/actor.ts";
import type { EventType } from "../../model/event.ts";
import { text } from "../../sql/rows.ts";
import { nothing, rowOf, type OutcomeOf } from "../../sql/script.ts";
import type { BatchRows, SqlValue, Step } from "../../sql/sql.ts";
import { addEvent, addNotice } from "../../storage/changes/store-script.ts";
import type { Deploy } from "../model/deploy.ts";
import type { ProjectOutcome } from "../project-store.ts";
import { deployColumns, deployOf } from "./rows.ts";
import { HAS_ACCOUNT, type Compilers, type Kind, type ProjectScript } from "./script.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";

// Changes nothing. The row lock serializes changes that count the project's deploys.
const HOLD_PROJECT = `UPDATE projects SET id = id
  WHERE id = ? AND deleted_at IS NULL AND ${HAS_ACCOUNT} RETURNING account_id`;

const FEWER_MAKING = `SELECT COUNT(*) AS count FROM deploys
  WHERE project_id = ? AND state IN ('uploading', 'processing') AND touched_at > ? HAVING COUNT(*) < ?`;

const INSERT_DEPLOY = `INSERT INTO deploys (id, project_id, state, source, message, author, files, bytes, pinned,
    failure, place, created_at, touched_at, ready_at, activated_at, superseded_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, ?, NULL, NULL, NULL)`;

const TOUCH_DEPLOY = `UPDATE deploys SET state = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') RETURNING id`;

const IS_MAKING = "SELECT id FROM deploys WHERE id = ? AND state IN ('uploading', 'processing')";

const FINISH_DEPLOY = `UPDATE deploys SET state = 'ready', files = ?, bytes = ?, ready_at = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') RETURNING ${deployColumns}`;

const INSERT_MANIFEST = "INSERT INTO deploy_manifests (deploy_id, manifest) VALUES (?, ?)";

const FAIL_DEPLOY = `UPDATE deploys SET state = 'failed', failure = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') AND touched_at < ? RETURNING ${deployColumns}`;

const ACCOUNT_OF = `SELECT account_id FROM projects
  WHERE id = (SELECT project_id FROM deploys WHERE deploys.id = ?) AND ${HAS_ACCOUNT}`;

// The first step of an activation: the lock on the project's row serializes activations.
const POINT = `UPDATE projects SET live_deploy_id = ?, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at IS NULL AND ${HAS_ACCOUNT} RETURNING account_id`;

// Locks the project's row as well, so that of two activations over the same deploy one is refused.
const HOLD_LIVE = `UPDATE projects SET id = id
  WHERE id = ? AND COALESCE(live_deploy_id, '') = ? RETURNING id`;

const SUPERSEDE = `UPDATE deploys SET state = 'superseded', superseded_at = ?
  WHERE project_id = ? AND state = 'live' AND id <> ?`;

// A rollback removes later deploys from the rollback history.
const LEAVE_PLACES = `UPDATE deploys SET place = NULL
  WHERE project_id = ? AND place > (SELECT target.place FROM deploys AS target WHERE target.id = ?)`;

const LAST_PLACE =
  "(SELECT COALESCE(MAX(others.place), 0) + 1 FROM deploys AS others WHERE others.project_id = ?)";

const goLive = (place: string): string => `UPDATE deploys
  SET state = 'live', activated_at = ?, superseded_at = NULL, place = ${place}
  WHERE id = ? AND project_id = ? AND state IN ('ready', 'superseded', 'live')
  RETURNING ${deployColumns}`;

const PUBLISH = goLive(LAST_PLACE);
const RETURN_TO = goLive(`COALESCE(place, ${LAST_PLACE})`);

const FEWER_PINNED = `SELECT COUNT(*) AS count FROM deploys
  WHERE project_id = ? AND pinned = 1 AND id <> ? HAVING COUNT(*) < ?`;

const PIN_DEPLOY = `UPDATE deploys SET pinned = ? WHERE id = ? AND project_id = ?
  RETURNING ${deployColumns}`;

const HAS_DEPLOY = "SELECT id FROM deploys WHERE id = ? AND project_id = ?";

const IS_NOT_LIVE = "SELECT id FROM deploys WHERE id = ? AND project_id = ? AND state <> 'live'";

const DELETE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ?
  AND state NOT IN ('live', 'uploading', 'processing') RETURNING ${deployColumns}`;

const EXPIRE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ? AND pinned = 0
  AND state NOT IN ('live', 'uploading', 'processing') RETURNING ${deployColumns}`;

// The site may still serve the deploy's files. A new version makes other processes reload the project.
const REVISE_PROJECT = `UPDATE projects SET version = version + 1
  WHERE id = ? AND ${HAS_ACCOUNT} RETURNING account_id`;

const PURGE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ? AND EXISTS (
  SELECT 1 FROM projects WHERE projects.id = deploys.project_id
    AND (projects.deleted_at < ? OR NOT ${HAS_ACCOUNT})
) RETURNING id`;

const DELETE_MANIFEST = "DELETE FROM deploy_manifests WHERE deploy_id = ?";
const MARK_BLOBS_FOR_RELEASE =
  "INSERT INTO departed_deploys (deploy_id) VALUES (?) ON CONFLICT DO NOTHING";

const RELEASE_BLOBS = `DELETE FROM deploy_blobs WHERE (deploy_id, sha256) IN (
  SELECT deploy_id, sha256 FROM deploy_blobs
  WHERE deploy_id = (SELECT deploy_id FROM departed_deploys WHERE deploy_id = ?) LIMIT ?
)`;

const UNMARK_RELEASED = `DELETE FROM departed_deploys WHERE deploy_id = ?
  AND NOT EXISTS (SELECT 1 FROM deploy_blobs WHERE deploy_blobs.deploy_id = departed_deploys.deploy_id)`;

/** Rows per INSERT statement. Few lengths, so that few statements are prepared. */
const lengths = [100, 10, 1] as const;

const insertBlobs = (length: number): string =>
  `INSERT INTO deploy_blobs (deploy_id, sha256) VALUES ${Array.from({ length }, () => "(?, ?)").join(", ")}
    ON CONFLICT DO NOTHING`;

export const deployChanges: Compilers<Extract<Kind, `deploy.${string}`>> = {
  "deploy.create": (script, { deploy, atMost, aliveAfter }) => {
    const { id, projectId, state, source, message = null, author, files, bytes } = deploy;
    const { createdAt, touchedAt } = deploy;
    const held = script.demand(HOLD_PROJECT, [projectId], "missing");
    script.demand(FEWER_MAKING, [projectId, aliveAfter, atMost], "limit");
    const values = [id, projectId, state, source, message, author, files, bytes];
    script.add(INSERT_DEPLOY, [...values, createdAt, touchedAt]);
    addEvent(script, (rows) => ({
      type: "deploy.created",
      accountId: text(rowOf(rows, held), "account_id"),
      at: createdAt,
      data: eventOf(deploy),
    }));
    return nothing;
  },

  "deploy.touch": (script, { deployId, state, at }) => {
    script.demand(TOUCH_DEPLOY, [state, at, deployId], "stale");
    return nothing;
  },

  "deploy.keep": (script, { deployId, blobs }) => {
    script.demand(IS_MAKING, [deployId], "stale");
    for (let start = 0; start < blobs.length;) {
      const length = lengths.find((size) => size <= blobs.length - start) ?? 1;
      const some = blobs.slice(start, start + length);
      script.add(
        insertBlobs(length),
        some.flatMap((name) => [deployId, name]),
      );
      start += length;
    }
    return nothing;
  },

  "deploy.ready": (script, { deployId, manifest, at }) => {
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
    const values = [manifest.files.length, bytes, at, at, deployId];
    const ready = script.demand(FINISH_DEPLOY, values, "stale");
    script.add(INSERT_MANIFEST, [deployId, JSON.stringify(manifest)]);
    return report(script, ready, deployId, "deploy.ready", at);
  },

  "deploy.fail": (script, { deployId, failure, touchedBefore = Number.MAX_SAFE_INTEGER, at }) => {
    const values = [JSON.stringify(failure), at, deployId, touchedBefore];
    const failed = script.demand(FAIL_DEPLOY, values, "stale");
    removeManifest(script, [deployId]);
    return report(script, failed, deployId, "deploy.failed", at);
  },

  // One swap: readers before it see the whole old deploy, readers after it the whole new one.
  "deploy.activate": (script, { projectId, deployId, back, replaces, at }) => {
    if (replaces !== undefined) {
      script.demand(HOLD_PROJECT, [projectId], "missing");
      script.demand(HOLD_LIVE, [projectId, replaces ?? ""], "live");
    }
    const pointed = script.demand(POINT, [deployId, at, projectId], "missing");
    script.add(SUPERSEDE, [at, projectId, deployId]);
    if (back) script.add(LEAVE_PLACES, [projectId, deployId]);
    const values = [at, projectId, deployId, projectId];
    const live = script.demand(back ? RETURN_TO : PUBLISH, values, "stale");
    addEvent(script, (rows) => ({
      type: "deploy.activated",
      accountId: text(rowOf(rows, pointed), "account_id"),
      at,
      data: eventOf(deployOf(rowOf(rows, live))),
    }));
    addNotice(script, { topic: "project", subject: projectId, at });
    return (rows) => deployOf(rowOf(rows, live));
  },

  "deploy.pin": (script, { projectId, deployId, pinned, atMost, at }) => {
    script.demand(HOLD_PROJECT, [projectId], "missing");
    if (pinned) script.demand(FEWER_PINNED, [projectId, deployId, atMost], "limit");
    const updated = script.demand(PIN_DEPLOY, [pinned ? 1 : 0, deployId, projectId], "missing");
    addNotice(script, { topic: "project", subject: projectId, at });
    return (rows) => deployOf(rowOf(rows, updated));
  },

  "deploy.delete": (script, { projectId, deployId, at }) => {
    script.demand(HAS_DEPLOY, [deployId, projectId], "missing");
    script.demand(IS_NOT_LIVE, [deployId, projectId], "live");
    const deleted = script.demand(DELETE_DEPLOY, [deployId, projectId], "stale");
    return followDeletion(script, deleted, { projectId, deployId, at });
  },

  "deploy.expire": (script, { projectId, deployId, at }) => {
    const expired = script.add(EXPIRE_DEPLOY, [deployId, projectId]);
    return followDeletion(script, expired, { projectId, deployId, at, actor: system });
  },

  "deploy.purge": (script, { projectId, deployId, deletedBefore }) => {
    const purged = script.add(PURGE_DEPLOY, [deployId, projectId, deletedBefore]);
    removeManifest(script, (rows) => (rows[purged]?.length === 0 ? undefined : [deployId]));
    return nothing;
  },

  "deploy.release": (script, { deployId, limit }) => {
    script.add(RELEASE_BLOBS, [deployId, limit]);
    script.add(UNMARK_RELEASED, [deployId]);
    return nothing;
  },
};

/** Removes the manifest and marks the blobs for release. `values` names the deploy, or is undefined if it was kept. */
function removeManifest(script: ProjectScript, values: Step["values"]): void {
  script.add(DELETE_MANIFEST, values);
  script.add(MARK_BLOBS_FOR_RELEASE, values);
}

/** Adds the steps after deleting a deploy. They are skipped if the step `deleted` removed none. */
function followDeletion(
  script: ProjectScript,
  deleted: number,
  {
    projectId,
    deployId,
    at,
    actor,
  }: {
    readonly projectId: string;
    readonly deployId: string;
    readonly at: number;
    /** Default: the actor of the commit. */
    readonly actor?: Actor;
  },
): OutcomeOf<undefined> {
  const ifDeleted =
    (values: readonly SqlValue[]) =>
    (rows: BatchRows): readonly SqlValue[] | undefined =>
      rows[deleted]?.[0] === undefined ? undefined : values;
  removeManifest(script, ifDeleted([deployId]));
  const revised = script.add(REVISE_PROJECT, ifDeleted([projectId]));
  addEvent(script, (rows) => {
    const [deploy, project] = [rows[deleted]?.[0], rows[revised]?.[0]];
    if (deploy === undefined || project === undefined) return undefined;
    const accountId = text(project, "account_id");
    return { type: "deploy.deleted", accountId, at, data: eventOf(deployOf(deploy)), actor };
  });
  addNotice(script, { topic: "project", subject: projectId, at }, deleted);
  return nothing;
}

/** Adds the event of the deploy that the step `cause` changed, and returns the deploy as the outcome. */
function report(
  script: ProjectScript,
  cause: number,
  deployId: string,
  type: EventType,
  at: number,
): OutcomeOf<ProjectOutcome> {
  const account = script.add(ACCOUNT_OF, [deployId]);
  addEvent(script, (rows) => {
    const row = rows[account]?.[0];
    const data = eventOf(deployOf(rowOf(rows, cause)));
    return row === undefined ? undefined : { type, accountId: text(row, "account_id"), at, data };
  });
  return (rows) => deployOf(rowOf(rows, cause));
}

/** Returns the data of a deploy's events. */
function eventOf({ id, projectId, state, source, ...deploy }: Deploy): Record<string, unknown> {
  const { message, author, files, bytes, failure } = deploy;
  return {
    deployId: id,
    projectId,
    state,
    source,
    author,
    files,
    bytes,
    ...withoutUndefined({ message, failure }),
  };
}
