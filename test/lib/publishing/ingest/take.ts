import type { Problem } from "../../../../lib/base/problem.ts";
import type { Result } from "../../../../lib/base/result.ts";
import { ingest, type IngestOptions } from "../../../../lib/publishing/ingest/ingest.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import type { Manifest } from "../../../../lib/publishing/model/deploy.ts";
import { streamOf } from "../../../helpers/tar.ts";

/** Ingests an archive, by default into new blobs. */
export function take(
  archive: Uint8Array,
  options: Partial<IngestOptions> = {},
): Promise<Result<Manifest, Problem>> {
  return ingest(streamOf(archive), { blobs: memoryBlobs(), ...options });
}

/** Returns `code: message` of an archive's refusal, or its paths. */
export async function outcome(archive: Uint8Array): Promise<string> {
  const result = await take(archive);
  if (!result.ok) return `${result.failure.code}: ${result.failure.message}`;
  return result.value.files.map(({ path }) => path).join(" ");
}
