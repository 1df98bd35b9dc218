import type { Clock } from "../../lib/base/clock.ts";

/** Things that have to be over after a while, the same for all of them. */
export interface Deadlines<Item> {
  /** From now on; a thing that is there already begins anew. */
  begin(item: Item): void;
  end(item: Item): void;
  /** The one that is due first. */
  first(): Item | undefined;
  readonly size: number;
  /** Forgets them all. */
  close(): void;
}

/**
 * Calls `late` with what did not end within `ms`, once. One timer for all of them, and none while there is nothing
 * to wait for: as they all have equally long, whoever began first is due first.
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
      // Aborted by `close`, and by nobody else.
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
