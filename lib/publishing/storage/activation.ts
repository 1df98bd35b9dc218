import { text } from "../../sql/rows.ts";
import { addEvent, addNotice } from "../../storage/changes/notes.ts";
import { rowOf } from "../../sql/script.ts";
import { deployEvent } from "../model/event-data.ts";
import type { ProjectChange } from "../project-store.ts";
import { HAS_ACCOUNT } from "./has-account.ts";
import { deployColumns, deployOf } from "./rows.ts";
import type { Leaves, ProjectScript } from "./script.ts";

// Comes first: the lock on the project's row makes activations wait for each other.
const POINT = `UPDATE projects SET live_deploy_id = ?, updated_at = ?, version = version + 1
  WHERE id = ? AND deleted_at IS NULL AND ${HAS_ACCOUNT} RETURNING account_id`;

const SUPERSEDE = `UPDATE deploys SET state = 'superseded', superseded_at = ?
  WHERE project_id = ? AND state = 'live' AND id <> ?`;

// What one went back from is not gone back to.
const LEAVE_PLACES = `UPDATE deploys SET place = NULL
  WHERE project_id = ? AND place > (SELECT target.place FROM deploys AS target WHERE target.id = ?)`;

const LAST_PLACE =
  "(SELECT COALESCE(MAX(others.place), 0) + 1 FROM deploys AS others WHERE others.project_id = ?)";

const enliven = (place: string): string => `UPDATE deploys
  SET state = 'live', activated_at = ?, superseded_at = NULL, place = ${place}
  WHERE id = ? AND project_id = ? AND state IN ('ready', 'superseded', 'live')
  RETURNING ${deployColumns}`;

const PUBLISH = enliven(LAST_PLACE);
const RETURN_TO = enliven(`COALESCE(place, ${LAST_PLACE})`);

/** One swap: whoever reads before it sees all of the old deploy, whoever reads after it all of the new one. */
export function activateDeploy(
  script: ProjectScript,
  { projectId, deployId, back, at }: Extract<ProjectChange, { readonly kind: "deploy.activate" }>,
): Leaves {
  const pointed = script.demand(POINT, [deployId, at, projectId], "missing");
  script.add(SUPERSEDE, [at, projectId, deployId]);
  if (back) script.add(LEAVE_PLACES, [projectId, deployId]);
  const live = script.demand(
    back ? RETURN_TO : PUBLISH,
    [at, projectId, deployId, projectId],
    "stale",
  );
  addEvent(script, (rows) => ({
    type: "deploy.activated",
    accountId: text(rowOf(rows, pointed), "account_id"),
    at,
    data: deployEvent(deployOf(rowOf(rows, live))),
  }));
  addNotice(script, { topic: "project", subject: projectId, at });
  return (rows) => deployOf(rowOf(rows, live));
}
