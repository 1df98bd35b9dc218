/** A static file, built with the program. */
export interface Asset {
  /** Its address: `/assets/main-1a2b3c4d.js`. */
  readonly path: string;
  /** The `Content-Type` header. */
  readonly type: string;
  /** The strong ETag of the uncompressed bytes, with quotes. */
  readonly etag: string;
  /** Never changes, because its name contains the hash of its content. */
  readonly immutable: boolean;
  /** Base64, compressed if `gzipped`: it is part of the executable and stays in memory. */
  readonly body: string;
  /** False if gzip saves nothing. */
  readonly gzipped: boolean;
  /** Base64; absent if Brotli saves nothing. */
  readonly brotli?: string;
}

/** All files of the dashboard. */
export interface Bundle {
  readonly assets: readonly Asset[];
  /** The HTML page of all views, with `PROGRAM` where it names the program. */
  readonly page: string;
}

/** Stands for what the operator types to start the program. */
export const PROGRAM = "{program}";
