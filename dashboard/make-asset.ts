import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";

import type { Asset } from "./asset.ts";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
};

/** Makes an asset, compressed where that saves bytes. */
export function makeAsset(
  path: string,
  bytes: Uint8Array,
  immutable: boolean,
  type: string | undefined = TYPES[path.slice(path.lastIndexOf(".") + 1)],
): Asset {
  if (type === undefined) throw new Error(`${path} has no media type`);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes);
  return {
    path,
    type,
    etag,
    immutable,
    ...(gzip.length < bytes.length
      ? { body: base64(gzip), gzipped: true }
      : { body: base64(bytes), gzipped: false }),
    ...(brotli.length < bytes.length ? { brotli: base64(brotli) } : {}),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
