/** Lets so many pass at a time, in the order in which they came. */
export interface Gate {
  /** Runs `task` when there is room; rejects with the signal's reason when that comes first. */
  pass<Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

export function createGate(max: number): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();

  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (inside < max) {
      inside++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(admit);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.add(admit);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      inside--;
      return;
    }
    // The place goes from hand to hand: nobody who comes now can take it.
    waiting.delete(next);
    next();
  };

  return {
    pass: async (task, signal) => {
      await enter(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
