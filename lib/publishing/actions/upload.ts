/** A stream from a stranger, while it is read. */
export interface Upload {
  /** The same bytes; it breaks off when the source does, and when `cut` is called. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The source itself broke off. */
  readonly broken: () => boolean;
}

/** Watches over `source` until it ends, breaks off, or `signal` cuts it. `onEnd` is told when all of it was read. */
export function watchUpload(
  source: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => void,
): Upload {
  const reader = source.getReader();
  let broken = false;
  let cut: (() => void) | undefined;
  const release = (): void => {
    if (cut !== undefined) signal.removeEventListener("abort", cut);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        cut = () => {
          controller.error(signal.reason);
          cancel(reader, signal.reason);
        };
        signal.addEventListener("abort", cut, { once: true });
        if (signal.aborted) cut();
      },
      pull: async (controller) => {
        try {
          const next = await reader.read();
          if (signal.aborted) return;
          if (!next.done) {
            controller.enqueue(next.value);
            return;
          }
          release();
          controller.close();
          onEnd();
        } catch (error) {
          if (signal.aborted) return;
          broken = true;
          release();
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        release();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of whoever takes it in.
    { highWaterMark: 0 },
  );
  return { stream, broken: () => broken };
}

function cancel(reader: ReadableStreamDefaultReader<Uint8Array>, reason: unknown): void {
  // Whoever sent it has hung up already: there is nobody to tell.
  reader.cancel(reason).catch(() => undefined);
}
