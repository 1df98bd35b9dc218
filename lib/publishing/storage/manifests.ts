import type { Step } from "../../storage/sql.ts";
import type { Manifest } from "../model/deploy.ts";
import type { ProjectScript } from "./script.ts";

const INSERT_MANIFEST = "INSERT INTO deploy_manifests (deploy_id, manifest) VALUES (?, ?)";

/** Rows of one statement, so that few different texts are prepared. */
const lengths = [100, 10, 1] as const;

const insertBlobs = (length: number): string =>
  `INSERT INTO deploy_blobs (sha256, deploy_id) VALUES ${Array.from({ length }, () => "(?, ?)").join(", ")}`;

/** Writes what a deploy consists of, and which blobs that keeps. */
export function addManifest(script: ProjectScript, deployId: string, manifest: Manifest): void {
  script.add(INSERT_MANIFEST, [deployId, JSON.stringify(manifest)]);
  const names = namesIn(manifest);
  for (let start = 0; start < names.length;) {
    const length = lengths.find((size) => size <= names.length - start) ?? 1;
    const some = names.slice(start, start + length);
    script.add(
      insertBlobs(length),
      some.flatMap((name) => [name, deployId]),
    );
    start += length;
  }
}

const DELETE_MANIFEST = "DELETE FROM deploy_manifests WHERE deploy_id = ?";
const DELETE_BLOBS = "DELETE FROM deploy_blobs WHERE deploy_id = ?";

/** Removes the same; `values` names the deploy, or nothing when it stays after all. */
export function removeManifest(script: ProjectScript, values: Step["values"]): void {
  script.add(DELETE_MANIFEST, values);
  script.add(DELETE_BLOBS, values);
}

/** Each blob once, however many files have that content. */
function namesIn({ files }: Manifest): readonly string[] {
  const all = files.flatMap(({ sha256, encodings }) => [
    sha256,
    ...encodings.map((encoded) => encoded.sha256),
  ]);
  return [...new Set(all)];
}
