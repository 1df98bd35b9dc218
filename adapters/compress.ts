import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Compress } from "../lib/publishing/compress.ts";

const KIB = 1_024;

/**
 * Compresses by `node:zlib`, off the main thread. The larger a file, the less it tries: brotli at its best takes
 * a second for a MiB, and somebody waits for the deploy.
 */
export const nodeCompress: Compress = async (encoding, content) => {
  if (encoding === "gzip") return asyncGzip(content, { level: constants.Z_BEST_COMPRESSION });
  return asyncBrotli(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality(content.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
};

const asyncBrotli = promisify(brotliCompress);
const asyncGzip = promisify(gzip);

function brotliQuality(size: number): number {
  if (size <= 16 * KIB) return 11;
  return size <= 256 * KIB ? 9 : 6;
}
