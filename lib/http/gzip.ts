import { remembered } from "../base/cache.ts";
import { utf8 } from "../base/digest.ts";

/** Compresses a whole body. */
export async function gzipped(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/**
 * Shortest compressed body, in characters. Compressing shorter ones gains little, and responses with a single animal
 * stay plain, so that the strong ETag for `If-Match` names one representation.
 */
const MIN_COMPRESSED = 1_024;

/** A response or document that does not change. */
interface Lasting {
  readonly body?: string;
  readonly etag?: string | undefined;
}

export interface Gzipped {
  /** A `Blob`, because a `Response` copies bytes but shares blobs. */
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compressed bodies, kept as long as their responses. */
const made = new WeakMap<Lasting, Promise<Blob>>();

/**
 * Returns the compressed body and its headers; undefined if the body is sent plain. HEAD gets the same representation
 * as GET, because its `Content-Length` must be that of GET (RFC 9110 §8.6).
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
    // The encoder always creates its own buffer.
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

/** Returns the weak form of an ETag: plain and compressed bodies are equivalent, not identical (RFC 9110 §8.8.3). */
function weak(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

export type Encoding = "br" | "gzip" | "identity";

/** The codings in the order of preference: of equal ones, the smaller body. */
const SMALLEST_FIRST: readonly Encoding[] = ["br", "gzip", "identity"];

/** Longer headers are truncated, because parsing costs time. */
const MAX_LENGTH = 500;

/**
 * Returns the codings that `Accept-Encoding` accepts, the preferred one first (RFC 9110 §12.5.3). Plain bytes come last
 * even if they are refused, because a client that accepts no available coding gets them anyway.
 */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  if (header === null) return ["identity"];
  const weights = weightsOf(header);
  const any = weights.get("*");
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? any ?? (encoding === "identity" ? LEAST : 0);
  const accepted = SMALLEST_FIRST.filter((encoding) => weightOf(encoding) > 0);
  // The sort is stable.
  const sorted = accepted.toSorted((a, b) => weightOf(b) - weightOf(a));
  return sorted.includes("identity") ? sorted : [...sorted, "identity"];
}

/** Returns true if the client prefers gzip to plain bytes. */
export function likesGzip(header: string | null): boolean {
  return header !== null && prefersGzip(header);
}

const prefersGzip = remembered(
  (header) => acceptedEncodings(header).find((encoding) => encoding !== "br") === "gzip",
);

/** Weight of plain bytes that the header does not mention: acceptable, but less than any named coding. */
const LEAST = 0.0001;

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.slice(0, MAX_LENGTH).toLowerCase().split(",")) {
    const [written = "", ...parameters] = part.split(";").map((word) => word.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf("=") + 1));
    weights.set(
      written === "x-gzip" ? "gzip" : written,
      quality >= 0 && quality <= 1 ? quality : 0,
    );
  }
  return weights;
}

/** Caches the meaning of a few headers, because clients repeat the same few. */
export function encodingReader(): (header: string | null) => readonly Encoding[] {
  const known = new Map<string, readonly Encoding[]>();
  return (header) => {
    if (header === null) return PLAIN;
    const kept = known.get(header);
    if (kept !== undefined) return kept;
    const read = acceptedEncodings(header);
    if (known.size < MAX_KNOWN && header.length <= MAX_KNOWN_LENGTH) known.set(header, read);
    return read;
  };
}

const PLAIN: readonly Encoding[] = ["identity"];
const MAX_KNOWN = 100;
const MAX_KNOWN_LENGTH = 100;
