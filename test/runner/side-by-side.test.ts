import { expect, test } from "bun:test";

import { sideBySide } from "./side-by-side.ts";

/** Starts items named after their seats, and returns what runs, and a function that ends one. */
function started(items: readonly string[], seats: number) {
  const running = new Map<string, () => void>();
  const results = sideBySide(
    items,
    seats,
    (item) => Number(item.slice(1)),
    (item) =>
      new Promise<string>((resolve) => {
        running.set(item, () => {
          running.delete(item);
          resolve(item.toUpperCase());
        });
      }),
  );
  const end = async (item: string): Promise<readonly string[]> => {
    running.get(item)?.();
    await Bun.sleep(0);
    return [...running.keys()];
  };
  return { results, running: () => end(""), end };
}

test("items start in order while there are seats, and one that fits overtakes one that does not", async () => {
  const { results, running, end } = started(["a3", "b3", "c1", "d1"], 4);
  expect(await running()).toEqual(["a3", "c1"]);
  expect(await end("c1")).toEqual(["a3", "d1"]);
  expect(await end("a3")).toEqual(["d1", "b3"]);
  await end("b3");
  await end("d1");
  expect(await results).toEqual(["A3", "B3", "C1", "D1"]);
});

test("an item that takes more seats than there are runs alone", async () => {
  const { results, running, end } = started(["a1", "b9", "c1"], 2);
  expect(await running()).toEqual(["a1", "c1"]);
  await end("a1");
  expect(await end("c1")).toEqual(["b9"]);
  await end("b9");
  expect(await results).toEqual(["A1", "B9", "C1"]);
});

test("an item that fails frees its seats", async () => {
  const ran: number[] = [];
  const failing = sideBySide(
    [1, 2],
    1,
    () => 1,
    async (item) => {
      ran.push(item);
      if (item === 1) throw new Error("broken");
    },
  );
  await expect(failing).rejects.toThrow("broken");
  await Bun.sleep(0);
  expect(ran).toEqual([1, 2]);
});
