/** A file that somebody dropped or chose, before it is known whether a site takes it. */
export interface FoundFile {
  /** With slashes, below what was dropped: `site/animals/7/photo.jpg`. */
  readonly path: string;
  readonly size: number;
  /** Its content, read anew each time. */
  readonly open: () => ReadableStream<Uint8Array>;
}

/** What was found by looking through something. */
export interface Found {
  readonly files: readonly FoundFile[];
  /** What was not even looked into, as no site has it. */
  readonly leftOut: readonly string[];
}

/** The streams of browsers yield bytes of ordinary memory; their types say so more narrowly. */
export function bytesOf(blob: Blob): ReadableStream<Uint8Array> {
  return blob.stream();
}
