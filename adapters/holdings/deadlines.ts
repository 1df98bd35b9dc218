import type { Clock } from "../../lib/base/clock.ts";

/** A set of items with the same time limit. */
export interface Deadlines<Item> {
  /** Starts or restarts the time of an item. */
  begin(item: Item): void;
  end(item: Item): void;
  /** Returns the item with the earliest deadline. */
  first(): Item | undefined;
  readonly size: number;
  /** Removes all items. */
  close(): void;
}

/**
 * Calls `late` once for each item that does not end within `ms`. Uses one timer for all items, and none while the set
 * is empty: since all limits are equal, items expire in the order of their start.
 */
export function deadlines<Item>(
  clock: Clock,
  ms: number,
  late: (item: Item) => void,
): Deadlines<Item> {
  const due = new Map<Item, number>();
  let watching: AbortController | undefined;

  const watch = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const [next] = due;
      if (next === undefined) {
        watching = undefined;
        return;
      }
      const [item, at] = next;
      const left = at - clock.now();
      if (left > 0) {
        await clock.sleep(left, signal);
        continue;
      }
      due.delete(item);
      late(item);
    }
  };

  return {
    begin: (item) => {
      due.delete(item);
      due.set(item, clock.now() + ms);
      if (watching !== undefined) return;
      watching = new AbortController();
      // Only `close` aborts it.
      watch(watching.signal).catch(() => undefined);
    },
    end: (item) => void due.delete(item),
    first: () => due.keys().next().value,
    get size() {
      return due.size;
    },
    close: () => {
      due.clear();
      watching?.abort();
      watching = undefined;
    },
  };
}
