import { gunzipSync } from "node:zlib";

import { blobResponse } from "../lib/base/blob-response.ts";
import { isFresh } from "../lib/http/conditional.ts";
import { encodingReader, type Encoding } from "../lib/http/gzip.ts";
import type { Asset } from "./asset.ts";

/** An asset decoded for sending, in each available encoding. */
export interface LoadedAsset {
  readonly type: string;
  readonly immutable: boolean;
  readonly bodies: { readonly [Name in Encoding]?: Body };
}

interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const A_YEAR_SECONDS = 31_536_000;

export function loadAsset({ type, etag, immutable, body, gzipped, brotli }: Asset): LoadedAsset {
  const stored = Uint8Array.fromBase64(body);
  const coded = (bytes: Uint8Array<ArrayBuffer>, suffix: string): Body => ({
    bytes,
    etag: `${etag.slice(0, -1)}-${suffix}"`,
  });
  return {
    type,
    immutable,
    bodies: {
      identity: { bytes: gzipped ? gunzipSync(stored) : stored, etag },
      ...(gzipped ? { gzip: coded(stored, "gz") } : {}),
      ...(brotli === undefined ? {} : { br: coded(Uint8Array.fromBase64(brotli), "br") }),
    },
  };
}

export interface SendOptions {
  /** Default 200. */
  readonly status?: number;
  /** Added to the headers of every asset. */
  readonly headers?: Readonly<Record<string, string>>;
}

const encodingsOf = encodingReader();

const ALLOW = "GET, HEAD, OPTIONS";

/** Sends an asset in the encoding that the client prefers, or 304 if the client has it. Refuses methods other than GET, HEAD and OPTIONS. */
export function sendAsset(
  { method, headers: asked }: Request,
  { type, immutable, bodies }: LoadedAsset,
  { status = 200, headers: own = {} }: SendOptions = {},
): Response {
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: ALLOW } });
  if (method !== "GET" && method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: ALLOW } });
  }
  const encoding =
    encodingsOf(asked.get("accept-encoding")).find((one) => bodies[one] !== undefined) ??
    "identity";
  const body = bodies[encoding];
  if (body === undefined) throw new TypeError("an asset has no identity encoding");
  const headers = new Headers({
    "content-type": type,
    "cache-control": immutable ? `public, max-age=${A_YEAR_SECONDS}, immutable` : "no-cache",
    vary: "accept-encoding",
    etag: body.etag,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...own,
  });
  const known = asked.get("if-none-match");
  if (status === 200 && known !== null && isFresh(known, body.etag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  if (encoding !== "identity") headers.set("content-encoding", encoding);
  headers.set("content-length", String(body.bytes.length));
  return method === "HEAD"
    ? new Response(null, { status, headers })
    : blobResponse(blobFor(body.bytes), { status, headers });
}

const blobs = new WeakMap<Uint8Array, Blob>();

/** Responses share one blob, so that a stalled client holds no copy of it. */
function blobFor(bytes: Uint8Array<ArrayBuffer>): Blob {
  const known = blobs.get(bytes);
  if (known !== undefined) return known;
  const blob = new Blob([bytes]);
  blobs.set(bytes, blob);
  return blob;
}
