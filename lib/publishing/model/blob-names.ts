import type { Manifest } from "./deploy.ts";

/** The blobs that a deploy consists of, each once, however many files have that content. */
export function blobNames({ files }: Manifest): readonly string[] {
  const all = files.flatMap(({ sha256, encodings }) => [
    sha256,
    ...encodings.map((encoded) => encoded.sha256),
  ]);
  return [...new Set(all)];
}
