import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Blobs } from "./blobs.ts";
import type { Compress } from "./compress.ts";
import type { Manifest } from "./model/deploy.ts";

export interface IngestOptions {
  readonly blobs: Blobs;
  /** Absent: files are kept and served as they came. */
  readonly compress?: Compress;
  /** Told after every file how many there are so far, and of how many bytes. */
  readonly onProgress?: (files: number, bytes: number) => void;
}

/**
 * Takes in a tar.gz while it arrives: every file becomes a blob, none is ever extracted. Refused by the name of the
 * entry at fault (`invalid_archive`, `invalid_site_file`, `payload_too_large`), in memory that does not grow with it.
 * Rejects when the stream breaks off or the blobs cannot be written.
 */
export type Ingest = (
  archive: ReadableStream<Uint8Array>,
  options: IngestOptions,
) => Promise<Result<Manifest, Problem>>;
