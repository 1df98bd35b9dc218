import { systemClock } from "./clock.ts";

/** Resolves after other requests have had a turn. */
export type Pause = () => Promise<void>;

/**
 * Returns a pause shared by all callers: each waits for the earlier ones, so one caller works per turn of the event loop.
 * Without it, every caller would run a step in the same turn.
 */
export function queued(pause: Pause): Pause {
  let last = Promise.resolve();
  return () => {
    // A failed pause must not fail the ones after it.
    last = last.then(pause, pause);
    return last;
  };
}

/** Waits for the next turn of the event loop. Needs no clock, so tests need not advance one. */
export const nextTurn: Pause = queued(() => systemClock.sleep(0));

/** Runs a generator to its end, with a pause between two steps. */
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
