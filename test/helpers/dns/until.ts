/** Waits for the network of this machine to have brought something about; fails after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2_000; turns++) {
    if (condition()) return;
    await Bun.sleep(1);
  }
  throw new Error("It did not come about");
}
