/**
 * Runs `act` for all items, several at the same time: each takes some of the seats while it runs, and one that takes more
 * than there are runs alone. They start in order, except that an item that still fits overtakes one that does not. Returns
 * the results in the order of the items.
 */
export function sideBySide<Item, Value>(
  items: readonly Item[],
  seats: number,
  taken: (item: Item) => number,
  act: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  let free = seats;
  const waiting = items.map((item) => ({ item, turn: Promise.withResolvers<void>() }));
  const results = waiting.map(async ({ item, turn }) => {
    await turn.promise;
    try {
      return await act(item);
    } finally {
      free += Math.min(seats, taken(item));
      admit();
    }
  });
  const admit = (): void => {
    for (const next of [...waiting]) {
      const wanted = Math.min(seats, taken(next.item));
      if (wanted > free) continue;
      free -= wanted;
      waiting.splice(waiting.indexOf(next), 1);
      next.turn.resolve();
    }
  };
  admit();
  return Promise.all(results);
}
