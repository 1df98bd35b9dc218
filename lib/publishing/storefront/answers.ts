import { base64url, utf8, webDigest } from "../../base/digest.ts";
import { isFresh } from "../../http/conditional.ts";
import { gzipped } from "../../http/gzip.ts";
import { likesGzip } from "../../http/accept-encoding.ts";
import type { StorefrontRequest } from "../storefront.ts";

/** What was made for an address. */
export interface Made {
  readonly status: 200 | 404;
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The same as it is kept: in bytes, compressed as well where that makes it smaller. */
export interface Kept extends Omit<Made, "text"> {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly tag: string;
}

/** Below that, compressing gains nothing. */
const MIN_COMPRESSED = 600;

export async function keep({ text, ...made }: Made): Promise<Kept> {
  // Encoding makes a buffer of its own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const body = utf8(text) as Uint8Array<ArrayBuffer>;
  const hash = await webDigest.sha256(body);
  return {
    ...made,
    body,
    gzip: body.length < MIN_COMPRESSED ? undefined : await gzipped(body),
    tag: base64url(hash).slice(0, 22),
  };
}

/** About how many bytes it takes. */
export function sizeOf({ body, gzip }: Kept): number {
  return body.length + (gzip?.length ?? 0) + OVERHEAD;
}

const OVERHEAD = 1_000;

/** The answer to one visitor. */
export function responseOf(kept: Kept, { headers: asked, head }: StorefrontRequest): Response {
  const { status, type, body, gzip, tag } = kept;
  const compressed = gzip !== undefined && likesGzip(asked.get("accept-encoding"));
  // Strong, so that it differs between the encodings (RFC 9110 §8.8.3).
  const etag = `"${tag}${compressed ? "-gzip" : ""}"`;
  const headers: Record<string, string> = {
    ...kept.headers,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    vary: "Accept-Encoding",
  };
  const ifNoneMatch = asked.get("if-none-match");
  if (status === 200) {
    headers["etag"] = etag;
    if (ifNoneMatch !== null && isFresh(ifNoneMatch, etag)) {
      return new Response(null, { status: 304, headers });
    }
  }
  const content = compressed ? gzip : body;
  headers["content-type"] = type;
  headers["content-length"] = String(content.length);
  if (compressed) headers["content-encoding"] = "gzip";
  return new Response(head ? null : content, { status, headers });
}
