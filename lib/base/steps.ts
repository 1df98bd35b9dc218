import { systemClock } from "./clock.ts";

/** Resolves once other requests had their turn. */
export type Pause = () => Promise<void>;

/** A turn of the event loop: no time passes, so that no manual clock has to be moved for it. */
export const nextTurn: Pause = () => systemClock.sleep(0);

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
