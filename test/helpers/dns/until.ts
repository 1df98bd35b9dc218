import type { ManualClock } from "../clock.ts";

/** Waits for the network of this machine to have brought something about; the test's own limit ends a vain wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1);
}

/** Lets time pass, fifty times as fast as it does, until `work` is done. */
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
