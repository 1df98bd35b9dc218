import { utf8 } from "../base/digest.ts";
import { likesGzip } from "./accept-encoding.ts";

/** Compresses a whole body. */
export async function gzipped(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/**
 * In characters. Below that, compressing gains little; and every single animal stays plain, so that the strong ETag
 * that `If-Match` wants names one representation.
 */
const MIN_COMPRESSED = 1_024;

/** An answer, or a document, that stays as it is. */
interface Lasting {
  readonly body?: string;
  readonly etag?: string;
}

export interface Gzipped {
  /** A `Response` would copy bytes; a `Blob` is shared. */
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compressed bodies, kept as long as the answers that they were made of. */
const made = new WeakMap<Lasting, Promise<Blob>>();

/**
 * Returns the body compressed, with the headers that say so; undefined where it is to be sent as it is. A HEAD is
 * answered as the GET would be: its `Content-Length` may only be that of the same representation (RFC 9110 §8.6).
 */
export function gzipOf(
  answer: Lasting,
  { method, headers }: Pick<Request, "method" | "headers">,
): Promise<Gzipped> | undefined {
  const { body, etag } = answer;
  if (body === undefined || body.length < MIN_COMPRESSED) return undefined;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (!likesGzip(headers.get("accept-encoding"))) return undefined;
  let kept = made.get(answer);
  if (kept === undefined) {
    // Encoding makes a buffer of its own.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const bytes = gzipped(utf8(body) as Uint8Array<ArrayBuffer>);
    kept = bytes.then((compressed) => new Blob([compressed]));
    made.set(answer, kept);
  }
  const encoded = { "content-encoding": "gzip" };
  return kept.then((compressed) => ({
    body: compressed,
    headers: etag === undefined ? encoded : { ...encoded, etag: weak(etag) },
  }));
}

/** Plain and compressed bodies are equivalent, not identical: that is what a weak ETag says (RFC 9110 §8.8.3). */
function weak(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}
