import { blobResponse } from "../../base/blob-response.ts";
import { sizedCache } from "../../base/cache.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { encodingReader, type Encoding } from "../../http/gzip.ts";
import { isFresh } from "../../http/conditional.ts";
import { mayChange } from "../../http/preconditions.ts";
import type { BlobBody, Blobs, ByteRange } from "../blobs.ts";
import type { Representation, Representations } from "./prepared-site.ts";

export interface SendFile {
  /** Answers a GET or HEAD with a file, with conditions, ranges and the client's preferred encoding. */
  found(request: Request, file: Representations): Eventual<Response>;
  /** Answers with a file as the 404 page: always whole, and without an ETag. */
  notFound(request: Request, file: Representations): Eventual<Response>;
}

/** Files up to this size are sent from memory, twice as fast as from their blob. Larger ones are streamed. */
const SMALL = 2 * 1_024 * 1_024;

export function sendFile(blobs: Blobs, cacheBytes: number): SendFile {
  const small = smallBlobs(blobs, cacheBytes);
  const encodingsOf = encodingReader();
  const chosen = ({ headers }: Request, file: Representations): Representation =>
    choose(encodingsOf(headers.get("accept-encoding")), file);

  /** `headers` must be complete, because some implementations lose later changes. */
  const whole = (
    { sha256, size }: Representation,
    status: number,
    headers: Headers,
    bytes?: ByteRange,
  ): Eventual<Response> => {
    if (size <= SMALL) {
      return andThen(small.read(sha256), (content) => {
        const part = bytes === undefined ? content : content.slice(bytes.start, bytes.end);
        return blobResponse(part, { status, headers });
      });
    }
    // Without this header Bun.serve of an embedder would reveal the name of the file on disk.
    if (!headers.has("content-disposition")) headers.set("content-disposition", "inline");
    return opened(blobs, sha256, bytes).then((body) => blobResponse(body, { status, headers }));
  };

  return {
    found: (request, file) => {
      const { method, headers: asked } = request;
      const representation = chosen(request, file);
      const { etag, size } = representation;
      const ifMatch = asked.get("if-match");
      if (ifMatch !== null && !mayChange(ifMatch, etag)) return new Response(null, { status: 412 });
      const ifNoneMatch = asked.get("if-none-match");
      if (ifNoneMatch !== null && isFresh(ifNoneMatch, etag)) {
        return representation.unchanged.respond(null, 304);
      }
      const range = method === "HEAD" ? undefined : rangeAsked(asked, representation);
      if (range === undefined && method !== "HEAD" && size <= SMALL) {
        return andThen(small.read(representation.sha256), (content) =>
          representation.headers.respond(content, 200),
        );
      }
      const headers = representation.headers.copy();
      if (method === "HEAD") return headOf(size, 200, headers);
      if (range === undefined) return whole(representation, 200, headers);
      if (range === "unsatisfiable") return unsatisfiable(representation);
      headers.set("content-range", contentRange(range, size));
      return whole(representation, 206, headers, range);
    },

    notFound: (request, file) => {
      const representation = chosen(request, file);
      const headers = representation.headers.copy();
      for (const name of ["etag", "accept-ranges"]) headers.delete(name);
      headers.set("cache-control", "no-cache");
      return request.method === "HEAD"
        ? headOf(representation.size, 404, headers)
        : whole(representation, 404, headers);
    },
  };
}

function choose(liked: readonly Encoding[], file: Representations): Representation {
  for (const encoding of liked) {
    const representation = file[encoding];
    if (representation !== undefined) return representation;
  }
  return file.identity;
}

/** Returns the requested range; undefined for the whole file, also when `If-Range` does not match (RFC 9110 §13.1.5). */
function rangeAsked(
  asked: Headers,
  { etag, size }: Representation,
): ByteRange | "unsatisfiable" | undefined {
  const header = asked.get("range");
  if (header === null) return undefined;
  const ifRange = asked.get("if-range");
  if (ifRange !== null && ifRange.trim() !== etag) return undefined;
  const range = rangeOf(header, size);
  return range === "whole" ? undefined : range;
}

function headOf(size: number, status: number, headers: Headers): Response {
  headers.set("content-length", String(size));
  return new Response(null, { status, headers });
}

function unsatisfiable({ size, headers }: Representation): Response {
  const kept = ["accept-ranges", "x-content-type-options"];
  const fields = kept.map((name): [string, string] => [name, headers.get(name) ?? ""]);
  const range = contentRange(undefined, size);
  return new Response(null, { status: 416, headers: [...fields, ["content-range", range]] });
}

async function opened(blobs: Blobs, sha256: string, bytes?: ByteRange): Promise<BlobBody> {
  const body = await blobs.open(sha256, bytes);
  if (body === undefined) throw new MissingBlob(sha256);
  return body;
}

/** A valid range, the whole file if the header requests no supported range, or an unsatisfiable range. */
export type Ranged = ByteRange | "whole" | "unsatisfiable";

const SINGLE = /^bytes=[ \t]*(\d{0,20})-(\d{0,20})[ \t]*$/i;

/**
 * Parses `Range` for a file of `size` bytes (RFC 9110 §14.2). Multiple ranges, other units and malformed headers yield
 * the whole, as the RFC allows.
 */
export function rangeOf(header: string, size: number): Ranged {
  const [, first = "", last = ""] = SINGLE.exec(header) ?? [];
  if (first === "") {
    if (last === "") return "whole";
    const length = Number(last);
    if (length === 0 || size === 0) return "unsatisfiable";
    return { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(size, Number(last) + 1) };
}

/** `bytes 0-99/1234`; without a range, the value for a 416. */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return range === undefined ? `bytes */${size}` : `bytes ${range.start}-${range.end - 1}/${size}`;
}

/** A cache of small blobs. */
export interface SmallBlobs {
  /**
   * Returns a plain value on a cache hit. Rejects when the blob is missing or cannot be read. Returns a `Blob`, since
   * a `Response` would copy bytes.
   */
  read(sha256: string): Eventual<Blob>;
}

/** Bytes counted per entry in addition to its content. */
const OVERHEAD = 200;

export function smallBlobs(blobs: Blobs, maxBytes: number): SmallBlobs {
  const kept = sizedCache<Blob>(maxBytes, ({ size }) => size + OVERHEAD);
  const coming = new Map<string, Promise<Blob>>();

  const fetch = async (sha256: string): Promise<Blob> => {
    try {
      const bytes = await blobs.read(sha256);
      if (bytes === undefined) throw new MissingBlob(sha256);
      const content = new Blob([asPart(bytes)]);
      kept.set(sha256, content);
      return content;
    } finally {
      coming.delete(sha256);
    }
  };

  return {
    read: (sha256) => {
      const known = kept.get(sha256) ?? coming.get(sha256);
      if (known !== undefined) return known;
      const arriving = fetch(sha256);
      coming.set(sha256, arriving);
      return arriving;
    },
  };
}

/** Thrown if the blob of a deploy's file is missing. */
export class MissingBlob extends Error {
  override readonly name = "MissingBlob";

  constructor(sha256: string) {
    super(`The blob ${sha256} is missing.`);
  }
}

// The DOM types require an ArrayBuffer behind a view; no blob is read into a shared one.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const asPart = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
