import type { ManualClock } from "../clock.ts";

/** Waits for a condition that depends on the local network. The test's time limit ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1);
}

/** Advances the clock fifty times as fast as real time until `work` resolves. */
export async function hurry<Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> {
  let done = false;
  const end = (): void => {
    done = true;
  };
  work.then(end, end);
  while (!done) {
    await Bun.sleep(1);
    clock.advance(50);
  }
  return work;
}
