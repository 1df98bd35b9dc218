import { invalid } from "./refused.ts";

/** Reads a stream in pieces of a chosen size. Only one read at a time. */
export interface ByteSource {
  /** Reads exactly `length` bytes; undefined at the end of the stream. Refuses a stream that ends midway. */
  exactly(length: number): Promise<Uint8Array | undefined>;
  /** Reads at most `length` bytes; undefined at the end. */
  some(length: number): Promise<Uint8Array | undefined>;
  cancel(reason: unknown): Promise<void>;
}

export function byteSource(stream: ReadableStream<Uint8Array>): ByteSource {
  const reader = stream.getReader();
  let rest: Uint8Array = new Uint8Array();

  const some = async (length: number): Promise<Uint8Array | undefined> => {
    while (rest.length === 0) {
      const next = await reader.read();
      if (next.done) return undefined;
      rest = next.value;
    }
    const part = rest.subarray(0, length);
    rest = rest.subarray(length);
    return part;
  };

  return {
    some,
    exactly: async (length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const part = await some(length - filled);
        if (part === undefined) {
          if (filled === 0) return undefined;
          throw cutOff();
        }
        bytes.set(part, filled);
        filled += part.length;
      }
      return bytes;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Skips `length` bytes. */
export async function skip(source: ByteSource, length: number): Promise<void> {
  for (let left = length; left > 0;) {
    const part = await source.some(left);
    if (part === undefined) throw cutOff();
    left -= part.length;
  }
}

/** Returns the error of an archive that ends too early. */
export function cutOff(): Error {
  return invalid("The archive ends too early: it was cut off on its way, or not finished.");
}

/** Creates a stream that calls `next` only when it is read, and ends when `next` yields nothing. */
export function lazyStream(
  next: () => Promise<Uint8Array | undefined>,
  cancel?: (reason: unknown) => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const bytes = await next();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      ...(cancel && { cancel }),
    },
    { highWaterMark: 0 },
  );
}
