/** A file that browsers get, as it was made when the program was built. */
export interface Asset {
  /** Where it is had: `/assets/main-1a2b3c4d.js`. */
  readonly path: string;
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Strong, with its quotes: of the bytes before they are compressed. */
  readonly etag: string;
  /** Its name holds the hash of what is in it: it never changes. */
  readonly immutable: boolean;
  /** In base 64, made small by gzip when `gzipped`: what nobody asked for lies in the program, and costs its room. */
  readonly body: string;
  /** False where gzip would save nothing. */
  readonly gzipped: boolean;
  /** In base 64; absent where it would save nothing. */
  readonly brotli?: string;
}

/** Everything that the dashboard is made of in a browser. */
export interface Bundle {
  readonly assets: readonly Asset[];
  /** The one page; which of its views is shown is decided in the browser. */
  readonly page: Asset;
}
