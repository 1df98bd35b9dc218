import { utf8 } from "../base/digest.ts";

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

export type Encoding = "br" | "gzip" | "identity";

/** Where the client likes two as much, the smaller one. */
const SMALLEST_FIRST: readonly Encoding[] = ["br", "gzip", "identity"];

/** More than that is no list of encodings but an attempt to keep us busy. */
const MAX_LENGTH = 500;

/**
 * The codings that `Accept-Encoding` takes, the one liked best first (RFC 9110 §12.5.3). Plain bytes come last
 * even where they are refused: who wants nothing that there is, is served what there is.
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

/** Tells whether a client would rather have gzip than plain bytes, where those two are what there is. */
export function likesGzip(header: string | null): boolean {
  return acceptedEncodings(header).find((encoding) => encoding !== "br") === "gzip";
}

/** Plain bytes that nobody speaks of are acceptable, and liked less than whatever is named. */
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

/** Remembers what a few headers mean: browsers send the same few over and over. */
export function encodingReader(): (header: string | null) => readonly Encoding[] {
  const known = new Map<string, readonly Encoding[]>();
  return (header) => {
    if (header === null) return PLAIN;
    const remembered = known.get(header);
    if (remembered !== undefined) return remembered;
    const read = acceptedEncodings(header);
    if (known.size < MAX_KNOWN && header.length <= MAX_KNOWN_LENGTH) known.set(header, read);
    return read;
  };
}

const PLAIN: readonly Encoding[] = ["identity"];
const MAX_KNOWN = 100;
const MAX_KNOWN_LENGTH = 100;
