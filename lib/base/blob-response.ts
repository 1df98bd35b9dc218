/** What a response keeps for its host, as its own properties: with a `WeakMap`, making a response takes a third longer. */
const BODY = Symbol("body");
const IS_CURRENT = Symbol("is current");
const FIELDS = Symbol("fields");

interface Known {
  [BODY]?: Blob | string;
  [IS_CURRENT]?: () => boolean;
  [FIELDS]?: () => FieldLines;
}

/** The header fields of a response as lines. They hold as long as the response has as many fields. */
export interface FieldLines {
  /** Those that the responses of a template have in common. */
  readonly shared: string;
  readonly own: string;
  readonly count: number;
}

/**
 * Creates a `Response`. If its body is a `Blob` or text, `wholeOf` returns that body. If its headers name a
 * `Content-Encoding`, the body is already encoded.
 */
export function blobResponse(body: BodyInit | null, init: ResponseInit): Response {
  // Without `encodeBody`, workerd would compress the body again. Other runtimes ignore it.
  const manual: ResponseInit & { readonly encodeBody: "manual" } = {
    ...init,
    encodeBody: "manual",
  };
  const response: Response & Known = new Response(body, manual);
  if (typeof body === "string" || body instanceof Blob) response[BODY] = body;
  return response;
}

/**
 * Returns the `Blob` that `blobResponse` was given; undefined for any other response. Slices of a blob can be read one
 * at a time; `response.body` lets the runtime choose the chunk size and copies each chunk.
 */
export function blobOf(response: Response): Blob | undefined {
  const body = wholeOf(response);
  return typeof body === "string" ? undefined : body;
}

/** Reads a blob. Rejects if it is shorter than it was: that of a file may have been truncated since. */
export async function bytesOf(blob: Blob): Promise<Uint8Array> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes.length !== blob.size) throw new WrongLength(blob.size, bytes.length);
  return bytes;
}

/** Thrown when a body has fewer or more bytes than announced. */
export class WrongLength extends Error {
  override readonly name = "WrongLength";

  constructor(announced: number, length: number) {
    super(
      `The body was to have ${announced} bytes, but has ${length < announced ? "only" : "at least"} ${length}.`,
    );
  }
}

/** Returns the whole body if it was known when the response was made; undefined when it was made elsewhere. */
export function wholeOf(response: Response & Known): Blob | string | undefined {
  return response[BODY];
}

/** Adds the lines of the fields that the response was made of; whoever writes lines is spared reading `Headers`. */
export function withLines(response: Response & Known, lines: () => FieldLines): Response {
  response[FIELDS] = lines;
  return response;
}

/** Returns the lines of the fields that the response was made of, if they are known. */
export function linesOf(response: Response & Known): FieldLines | undefined {
  return response[FIELDS]?.();
}

/** Marks a response as the same for everybody who sends the same request, for as long as `isCurrent` returns true. */
export function mayBeKept(response: Response & Known, isCurrent: () => boolean): Response {
  response[IS_CURRENT] = isCurrent;
  return response;
}

/** Returns how to find out whether a marked response is current; undefined if it is not marked. */
export function currentWhile(response: Response & Known): (() => boolean) | undefined {
  return response[IS_CURRENT];
}
