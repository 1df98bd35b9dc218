import type { Blobs } from "../blobs.ts";
import type { Compress } from "../compress.ts";
import type { EncodedFile, ManifestFile } from "../model/deploy.ts";
import { isFingerprinted } from "../model/fingerprint.ts";
import { mediaType } from "../model/media-type.ts";

const MIB = 1_048_576;

/** Smaller ones fit into the packet that their headers travel in. */
const MIN_TO_COMPRESS = 256;
const MAX_TO_COMPRESS: number = 4 * MIB;
/** Less is not worth a second blob. */
const MIN_SAVING = 0.05;

/** A file that has its path. */
export interface ArrivedFile {
  readonly path: string;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
}

interface Keeping {
  readonly blobs: Blobs;
  readonly compress?: Compress;
}

/** Whether the file is to be kept compressed besides, so that it is wanted in memory. */
export function isWorthCompressing(path: string, size: number): boolean {
  return size >= MIN_TO_COMPRESS && size <= MAX_TO_COMPRESS && mediaType(path).compresses;
}

/** Makes blobs of a file: of itself, and of what it is compressed, where that saves enough. */
export async function keepFile(
  { path, content }: ArrivedFile,
  { blobs, compress }: Keeping,
): Promise<ManifestFile> {
  const { sha256, size } = await blobs.put(content);
  const encodings: EncodedFile[] = [];
  if (compress !== undefined && content instanceof Uint8Array && isWorthCompressing(path, size)) {
    for (const encoding of ["br", "gzip"] as const) {
      const smaller = await compress(encoding, content);
      if (smaller.length > size * (1 - MIN_SAVING)) continue;
      const stored = await blobs.put(smaller);
      encodings.push({ encoding, sha256: stored.sha256, size: stored.size });
    }
  }
  const { type } = mediaType(path);
  return { path, sha256, size, type, immutable: isFingerprinted(path), encodings };
}
