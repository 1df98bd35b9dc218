import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { ArchiveRefused } from "./archive/refused.ts";
import { takeIn, type IngestOptions } from "./ingest/take-in.ts";
import type { Manifest } from "./model/deploy.ts";

export type { IngestOptions } from "./ingest/take-in.ts";

/**
 * Takes in a tar.gz while it arrives: every file becomes a blob, none is ever extracted. Refused by the name of the
 * entry at fault (`invalid_archive`, `invalid_site_file`, `payload_too_large`), in memory that does not grow with it.
 * Rejects when the stream breaks off or the blobs cannot be written. Of what is refused blobs may stay, which no
 * manifest names.
 */
export type Ingest = (
  archive: ReadableStream<Uint8Array>,
  options: IngestOptions,
) => Promise<Result<Manifest, Problem>>;

export const ingest: Ingest = async (archive, options) => {
  try {
    return done(await takeIn(archive, options));
  } catch (error) {
    if (error instanceof ArchiveRefused) return refused(error.problem);
    throw error;
  }
};
