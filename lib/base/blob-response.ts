const blobs = new WeakMap<Response, Blob>();

/** A `Response` whose body, where it is a `Blob`, `blobOf` finds again. */
export function blobResponse(body: BodyInit | null, init: ResponseInit): Response {
  const response = new Response(body, init);
  if (body instanceof Blob) blobs.set(response, body);
  return response;
}

/**
 * The `Blob` that the response was made of; undefined when it was made elsewhere. Slices of it can be read one at a
 * time, while a reader of `response.body` gets as much at once as the runtime likes, and a copy of its own.
 */
export function blobOf(response: Response): Blob | undefined {
  return blobs.get(response);
}
