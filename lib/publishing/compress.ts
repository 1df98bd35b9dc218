/** Compresses a whole file: a runtime's own part, handed in. Never called with more than a few MiB. */
export type Compress = (encoding: "br" | "gzip", content: Uint8Array) => Promise<Uint8Array>;
