import { systemClock } from "./clock.ts";

/** Resolves after other requests had their turn. */
export type Pause = () => Promise<void>;

/**
 * Returns a pause that all callers share: each waits for the earlier ones, so that one caller works per turn of the event
 * loop. Without it, one step of every caller would run in the same turn.
 */
export function queued(pause: Pause): Pause {
  let last = Promise.resolve();
  return () => {
    // A pause that failed must not fail those that follow.
    last = last.then(pause, pause);
    return last;
  };
}

/** Waits for the next turn of the event loop. Needs no clock, so tests with a manual one need not advance it. */
export const nextTurn: Pause = queued(() => systemClock.sleep(0));

/** Runs the steps of a long piece of work with a pause between two of them. */
export async function inSteps<Value>(
  steps: Generator<undefined, Value>,
  pause: Pause = nextTurn,
): Promise<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
