/** Returns a buffer of another size with the same bytes, and gives the memory of the first back (Node 20 cannot). */
export function moved(
  buffer: ArrayBuffer & { transfer?(size: number): ArrayBuffer },
  size: number,
): ArrayBuffer {
  if (buffer.transfer !== undefined) return buffer.transfer(size);
  const copy = new ArrayBuffer(size);
  new Uint8Array(copy).set(new Uint8Array(buffer, 0, Math.min(size, buffer.byteLength)));
  return copy;
}

/** A smaller chunk lives in the runtime's own heap. */
const MIN_FREED = 1_024;

/** Gives the memory of a chunk back without waiting for a collection. Nothing may refer to the chunk. */
export function free(chunk: Buffer): void {
  if (chunk.length < MIN_FREED) return;
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) moved(buffer, 0);
}
