import { text } from "../../sql/rows.ts";
import type { EventType } from "../../model/event.ts";
import { addEvent, addNotice } from "../../storage/changes/notes.ts";
import { rowOf } from "../../sql/script.ts";
import { deployEvent } from "../model/event-data.ts";
import type { ProjectChange } from "../project-store.ts";
import { HAS_ACCOUNT } from "./has-account.ts";
import { addManifest, removeManifest } from "./manifests.ts";
import { deployColumns, deployOf } from "./rows.ts";
import type { Leaves, ProjectScript } from "./script.ts";
import { nothing } from "../../sql/script.ts";

type Of<Kind extends ProjectChange["kind"]> = Extract<ProjectChange, { kind: Kind }>;

// It changes nothing: the lock on its row makes changes that count what a project has wait for each other.
const HOLD_PROJECT = `UPDATE projects SET id = id
  WHERE id = ? AND deleted_at IS NULL AND ${HAS_ACCOUNT} RETURNING account_id`;

const FEWER_MAKING = `SELECT COUNT(*) AS count FROM deploys
  WHERE project_id = ? AND state IN ('uploading', 'processing') AND touched_at > ? HAVING COUNT(*) < ?`;

const INSERT_DEPLOY = `INSERT INTO deploys (id, project_id, state, source, message, author, files, bytes, pinned,
    failure, place, created_at, touched_at, ready_at, activated_at, superseded_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, ?, NULL, NULL, NULL)`;

export function createDeploy(
  script: ProjectScript,
  { deploy, atMost, aliveAfter }: Of<"deploy.create">,
): Leaves {
  const { id, projectId, state, source, message = null, author, files, bytes } = deploy;
  const { createdAt, touchedAt } = deploy;
  const held = script.demand(HOLD_PROJECT, [projectId], "missing");
  script.demand(FEWER_MAKING, [projectId, aliveAfter, atMost], "limit");
  script.add(INSERT_DEPLOY, [
    id,
    projectId,
    state,
    source,
    message,
    author,
    files,
    bytes,
    createdAt,
    touchedAt,
  ]);
  addEvent(script, (rows) => ({
    type: "deploy.created",
    accountId: text(rowOf(rows, held), "account_id"),
    at: createdAt,
    data: deployEvent(deploy),
  }));
  return nothing;
}

const TOUCH_DEPLOY = `UPDATE deploys SET state = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') RETURNING id`;

export function touchDeploy(
  script: ProjectScript,
  { deployId, state, at }: Of<"deploy.touch">,
): Leaves {
  script.demand(TOUCH_DEPLOY, [state, at, deployId], "stale");
  return nothing;
}

const FINISH_DEPLOY = `UPDATE deploys SET state = 'ready', files = ?, bytes = ?, ready_at = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') RETURNING ${deployColumns}`;

export function finishDeploy(
  script: ProjectScript,
  { deployId, manifest, at }: Of<"deploy.ready">,
): Leaves {
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  const values = [manifest.files.length, bytes, at, at, deployId];
  const ready = script.demand(FINISH_DEPLOY, values, "stale");
  addManifest(script, deployId, manifest);
  return told(script, ready, deployId, "deploy.ready", at);
}

const FAIL_DEPLOY = `UPDATE deploys SET state = 'failed', failure = ?, touched_at = ?
  WHERE id = ? AND state IN ('uploading', 'processing') AND touched_at < ? RETURNING ${deployColumns}`;

export function failDeploy(
  script: ProjectScript,
  { deployId, failure, silentSince = Number.MAX_SAFE_INTEGER, at }: Of<"deploy.fail">,
): Leaves {
  const values = [JSON.stringify(failure), at, deployId, silentSince];
  const failed = script.demand(FAIL_DEPLOY, values, "stale");
  removeManifest(script, [deployId]);
  return told(script, failed, deployId, "deploy.failed", at);
}

const FEWER_PINNED = `SELECT COUNT(*) AS count FROM deploys
  WHERE project_id = ? AND pinned = 1 AND id <> ? HAVING COUNT(*) < ?`;

const PIN_DEPLOY = `UPDATE deploys SET pinned = ? WHERE id = ? AND project_id = ?
  RETURNING ${deployColumns}`;

export function pinDeploy(
  script: ProjectScript,
  { projectId, deployId, pinned, atMost, at }: Of<"deploy.pin">,
): Leaves {
  script.demand(HOLD_PROJECT, [projectId], "missing");
  if (pinned) script.demand(FEWER_PINNED, [projectId, deployId, atMost], "limit");
  const done = script.demand(PIN_DEPLOY, [pinned ? 1 : 0, deployId, projectId], "missing");
  addNotice(script, { topic: "project", subject: projectId, at });
  return (rows) => deployOf(rowOf(rows, done));
}

const ACCOUNT_OF = `SELECT account_id FROM projects
  WHERE id = (SELECT project_id FROM deploys WHERE deploys.id = ?) AND ${HAS_ACCOUNT}`;

/** Tells of the deploy that the step `cause` left, which is the outcome. */
function told(
  script: ProjectScript,
  cause: number,
  deployId: string,
  type: EventType,
  at: number,
): Leaves {
  const account = script.add(ACCOUNT_OF, [deployId]);
  addEvent(script, (rows) => {
    const row = rows[account]?.[0];
    const data = deployEvent(deployOf(rowOf(rows, cause)));
    return row === undefined ? undefined : { type, accountId: text(row, "account_id"), at, data };
  });
  return (rows) => deployOf(rowOf(rows, cause));
}
