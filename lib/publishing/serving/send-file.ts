import { blobResponse } from "../../base/blob-response.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { isFresh, mayChange } from "../../http/conditional.ts";
import type { BlobBody, Blobs, ByteRange } from "../blobs.ts";
import { encodingReader, type Encoding } from "../../http/accept-encoding.ts";
import { contentRange, rangeOf } from "./byte-range.ts";
import type { Representation, Representations } from "./representation.ts";
import { MissingBlob, smallBlobs } from "./small-blobs.ts";

export interface SendFile {
  /** Answers a GET or HEAD with a file: conditional, in parts, and in the encoding that the client likes best. */
  found(request: Request, file: Representations): Eventual<Response>;
  /** The same file as the page for what is not there: always whole, and never remembered. */
  notFound(request: Request, file: Representations): Eventual<Response>;
}

/** Up to there a file is sent from memory, twice as fast as from its blob; larger ones are read while they are sent. */
const SMALL = 2 * 1_024 * 1_024;

export function sendFile(blobs: Blobs, cacheBytes: number): SendFile {
  const small = smallBlobs(blobs, cacheBytes);
  const encodingsOf = encodingReader();
  const chosen = ({ headers }: Request, file: Representations): Representation =>
    choose(encodingsOf(headers.get("accept-encoding")), file);

  /** `headers` belong to the response and are complete: some implementations lose what is written later. */
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
    // Bun would tell the name of the file that it reads, where the site says nothing of it.
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
        return new Response(null, { status: 304, headers: representation.unchanged.copy() });
      }
      const headers = representation.headers.copy();
      if (method === "HEAD") return headOf(size, 200, headers);
      const range = rangeAsked(asked, representation);
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

/** Undefined: all of it. A range of what the client has no longer is not asked for (RFC 9110 §13.1.5). */
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
