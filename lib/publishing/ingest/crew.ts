/** Work that is done side by side, but not too much of it at a time. */
export interface Crew {
  /** Resolves when the work has begun, not when it is done. Rejects with what went wrong in work begun before. */
  begin(weight: number, work: () => Promise<void>): Promise<void>;
  /** Resolves when all is done; rejects with what went wrong first, and not before the rest is done too. */
  finish(): Promise<void>;
}

/** At most `hands` at a time, of at most `maxWeight` together; what is heavier waits until it is alone. */
export function crew(hands: number, maxWeight: number): Crew {
  const busy = new Set<Promise<void>>();
  let weighing = 0;
  let failure: { readonly reason: unknown } | undefined;

  const isFull = (weight: number): boolean =>
    busy.size > 0 && (busy.size >= hands || weighing + weight > maxWeight);

  return {
    begin: async (weight, work) => {
      while (isFull(weight)) await Promise.race(busy);
      if (failure !== undefined) throw failure.reason;
      weighing += weight;
      const one = work()
        .catch((reason: unknown) => {
          failure ??= { reason };
        })
        .finally(() => {
          weighing -= weight;
          busy.delete(one);
        });
      busy.add(one);
    },
    finish: async () => {
      await Promise.all(busy);
      if (failure !== undefined) throw failure.reason;
    },
  };
}
