import { systemClock } from "./clock.ts";

/** Resolves once other requests had their turn. */
export type Pause = () => Promise<void>;

/**
 * Returns a pause that all callers share: each waits for those before it, so that one of them works in a turn of the
 * event loop. Alone, as many steps as there are callers would run in the same turn.
 */
export function queued(pause: Pause): Pause {
  let last = Promise.resolve();
  return () => {
    // A pause that failed must not fail those that follow.
    last = last.then(pause, pause);
    return last;
  };
}

/** Waits for a turn of the event loop of the caller's own. Needs no clock: tests with a manual one need not move it. */
export const nextTurn: Pause = queued(() => systemClock.sleep(0));

/** Takes the steps of a long piece of work, with a pause between two of them. */
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
