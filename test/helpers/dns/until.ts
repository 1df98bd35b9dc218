import type { ManualClock } from "../clock.ts";

/** Waits for the network of this machine to have brought something about; fails after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2_000; turns++) {
    if (condition()) return;
    await Bun.sleep(1);
  }
  throw new Error("It did not come about");
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
