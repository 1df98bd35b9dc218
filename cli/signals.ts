import { constants } from "node:os";

import type { Clock } from "../lib/index.ts";

/** npm passes on what the terminal has told us already: two at once are one. */
const SAME_MS = 500;

const asked = ["SIGTERM", "SIGINT"] as const;

/** What asks the process to end. */
export interface StopSignals extends Disposable {
  /** Resolves with the first signal that asks the process to end. A second one ends it at once. */
  readonly first: Promise<NodeJS.Signals>;
}

export function stopSignals(clock: Clock): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let heardAt: number | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    if (heardAt === undefined) {
      heardAt = clock.now();
      resolve(signal);
    } else if (clock.now() - heardAt >= SAME_MS) process.exit(128 + constants.signals[signal]);
  };
  for (const signal of asked) process.on(signal, listener);
  return {
    first: promise,
    [Symbol.dispose]: () => {
      for (const signal of asked) process.off(signal, listener);
    },
  };
}
