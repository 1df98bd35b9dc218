/**
 * The end of a service, reported to its running work. An `AbortSignal` cannot do this on workerd, which refuses to create
 * one while modules load, and to use one in a request other than the one that created it.
 */
export interface Closing {
  readonly closed: boolean;
  /** Calls `listener` once when the service closes, or at once if it is closed. Returns how to stop listening. */
  listen(listener: () => void): () => void;
}

/** Returns a service's `Closing`, and the function that closes it. */
export function createClosing(): Closing & { readonly close: () => void } {
  const listeners = new Set<() => void>();
  let closed = false;
  return {
    get closed() {
      return closed;
    },
    listen: (listener) => {
      if (closed) {
        listener();
        return () => undefined;
      }
      // A function of its own, so that a listener that is added twice is called twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    close: () => {
      closed = true;
      for (const listener of [...listeners]) {
        listeners.delete(listener);
        listener();
      }
    },
  };
}
