import { constants } from "node:os";

import type { Clock } from "../lib/index.ts";

/** npm repeats a signal that the terminal sent to us as well: two within this time are one. */
const SAME_MS = 500;
const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Resolves `first` with the first stop signal; a second signal exits at once. `more` are signals that also stop. */
export function stopSignals(
  clock: Clock,
  more: readonly NodeJS.Signals[] = [],
): Disposable & { readonly first: Promise<NodeJS.Signals> } {
  const stopping = [...STOP_SIGNALS, ...more];
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let receivedAt: number | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    if (receivedAt === undefined) {
      receivedAt = clock.now();
      resolve(signal);
    } else if (clock.now() - receivedAt >= SAME_MS) process.exit(128 + constants.signals[signal]);
  };
  for (const signal of stopping) process.on(signal, listener);
  return {
    first: promise,
    [Symbol.dispose]: () => {
      for (const signal of stopping) process.off(signal, listener);
    },
  };
}
