import { constants } from "node:os";

const asked = ["SIGTERM", "SIGINT"] as const;

export interface StopSignals extends Disposable {
  /** Resolves with the first signal that asks the process to end. A second one ends it at once. */
  readonly first: Promise<NodeJS.Signals>;
}

export function stopSignals(): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let heard = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (heard) process.exit(128 + constants.signals[signal]);
    heard = true;
    resolve(signal);
  };
  for (const signal of asked) process.on(signal, listener);
  return {
    first: promise,
    [Symbol.dispose]: () => {
      for (const signal of asked) process.off(signal, listener);
    },
  };
}
