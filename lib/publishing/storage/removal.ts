import { text } from "../../sql/rows.ts";
import { addEvent, addNotice } from "../../storage/changes/notes.ts";
import type { BatchRows, SqlValue } from "../../sql/sql.ts";
import { deployEvent } from "../model/event-data.ts";
import type { ProjectChange } from "../project-store.ts";
import { HAS_ACCOUNT } from "./has-account.ts";
import { removeManifest } from "./manifests.ts";
import { deployColumns, deployOf } from "./rows.ts";
import type { Leaves, ProjectScript } from "./script.ts";
import { nothing } from "../../sql/script.ts";

type Of<Kind extends ProjectChange["kind"]> = Extract<ProjectChange, { kind: Kind }>;

const HAS_DEPLOY = "SELECT id FROM deploys WHERE id = ? AND project_id = ?";

const IS_NOT_LIVE = "SELECT id FROM deploys WHERE id = ? AND project_id = ? AND state <> 'live'";

const DELETE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ?
  AND state NOT IN ('live', 'uploading', 'processing') RETURNING ${deployColumns}`;

export function deleteDeploy(
  script: ProjectScript,
  { projectId, deployId, at }: Of<"deploy.delete">,
): Leaves {
  script.demand(HAS_DEPLOY, [deployId, projectId], "missing");
  script.demand(IS_NOT_LIVE, [deployId, projectId], "live");
  const deleted = script.demand(DELETE_DEPLOY, [deployId, projectId], "stale");
  follow(script, deleted, { projectId, deployId, at });
  return nothing;
}

const EXPIRE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ? AND pinned = 0
  AND state NOT IN ('live', 'uploading', 'processing') RETURNING ${deployColumns}`;

export function expireDeploy(
  script: ProjectScript,
  { projectId, deployId, at }: Of<"deploy.expire">,
): Leaves {
  const expired = script.add(EXPIRE_DEPLOY, [deployId, projectId]);
  follow(script, expired, { projectId, deployId, at });
  return nothing;
}

// Its site may have served files of it still: whoever remembers the project must look again.
const REVISE_PROJECT = `UPDATE projects SET version = version + 1
  WHERE id = ? AND ${HAS_ACCOUNT} RETURNING account_id`;

/** What goes with a deploy, if the step `gone` removed one. */
function follow(
  script: ProjectScript,
  gone: number,
  {
    projectId,
    deployId,
    at,
  }: { readonly projectId: string; readonly deployId: string; readonly at: number },
): void {
  const ifGone =
    (values: readonly SqlValue[]) =>
    (rows: BatchRows): readonly SqlValue[] | undefined =>
      rows[gone]?.[0] === undefined ? undefined : values;
  removeManifest(script, ifGone([deployId]));
  const revised = script.add(REVISE_PROJECT, ifGone([projectId]));
  addEvent(script, (rows) => {
    const [deploy, project] = [rows[gone]?.[0], rows[revised]?.[0]];
    if (deploy === undefined || project === undefined) return undefined;
    const accountId = text(project, "account_id");
    return { type: "deploy.deleted", accountId, at, data: deployEvent(deployOf(deploy)) };
  });
  addNotice(script, { topic: "project", subject: projectId, at }, gone);
}

const PURGE_DEPLOY = `DELETE FROM deploys WHERE id = ? AND project_id = ? AND EXISTS (
  SELECT 1 FROM projects WHERE projects.id = deploys.project_id AND (
    projects.deleted_at < ?
    OR NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = projects.account_id)
  )
) RETURNING id`;

export function purgeDeploy(
  script: ProjectScript,
  { projectId, deployId, deletedBefore }: Of<"deploy.purge">,
): Leaves {
  const purged = script.add(PURGE_DEPLOY, [deployId, projectId, deletedBefore]);
  removeManifest(script, (rows) => (rows[purged]?.length === 0 ? undefined : [deployId]));
  return nothing;
}
