const blobs = new WeakMap<Response, Blob>();

/** Creates a `Response`. If its body is a `Blob`, `blobOf` returns that blob. */
export function blobResponse(body: BodyInit | null, init: ResponseInit): Response {
  const response = new Response(body, init);
  if (body instanceof Blob) blobs.set(response, body);
  return response;
}

/**
 * Returns the `Blob` that `blobResponse` was given; undefined for any other response. Slices of a blob can be read one
 * at a time; `response.body` lets the runtime choose the chunk size and copies each chunk.
 */
export function blobOf(response: Response): Blob | undefined {
  return blobs.get(response);
}
