import type { Step } from "../../sql/sql.ts";
import type { Manifest } from "../model/deploy.ts";
import type { ProjectChange } from "../project-store.ts";
import type { Leaves, ProjectScript } from "./script.ts";
import { nothing } from "../../sql/script.ts";

type Of<Kind extends ProjectChange["kind"]> = Extract<ProjectChange, { kind: Kind }>;

const INSERT_MANIFEST = "INSERT INTO deploy_manifests (deploy_id, manifest) VALUES (?, ?)";

/** Writes what a deploy consists of. */
export function addManifest(script: ProjectScript, deployId: string, manifest: Manifest): void {
  script.add(INSERT_MANIFEST, [deployId, JSON.stringify(manifest)]);
}

const DELETE_MANIFEST = "DELETE FROM deploy_manifests WHERE deploy_id = ?";
const DEPART = "INSERT INTO departed_deploys (deploy_id) VALUES (?) ON CONFLICT DO NOTHING";

/** Removes the same, its blobs to be released; `values` names the deploy, or nothing when it stays after all. */
export function removeManifest(script: ProjectScript, values: Step["values"]): void {
  script.add(DELETE_MANIFEST, values);
  script.add(DEPART, values);
}

const IS_MAKING = "SELECT id FROM deploys WHERE id = ? AND state IN ('uploading', 'processing')";

/** Rows of one statement, so that few different texts are prepared. */
const lengths = [100, 10, 1] as const;

const insertBlobs = (length: number): string =>
  `INSERT INTO deploy_blobs (deploy_id, sha256) VALUES ${Array.from({ length }, () => "(?, ?)").join(", ")}
    ON CONFLICT DO NOTHING`;

export function keepBlobs(script: ProjectScript, { deployId, blobs }: Of<"deploy.keep">): Leaves {
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
}

const RELEASE = `DELETE FROM deploy_blobs WHERE (deploy_id, sha256) IN (
  SELECT deploy_id, sha256 FROM deploy_blobs
  WHERE deploy_id = (SELECT deploy_id FROM departed_deploys WHERE deploy_id = ?) LIMIT ?
)`;

const FORGET_DEPARTED = `DELETE FROM departed_deploys WHERE deploy_id = ?
  AND NOT EXISTS (SELECT 1 FROM deploy_blobs WHERE deploy_blobs.deploy_id = departed_deploys.deploy_id)`;

export function releaseBlobs(
  script: ProjectScript,
  { deployId, limit }: Of<"deploy.release">,
): Leaves {
  script.add(RELEASE, [deployId, limit]);
  script.add(FORGET_DEPARTED, [deployId]);
  return nothing;
}
