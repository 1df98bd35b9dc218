import { number, plural } from "../format.ts";
import type { OrdersWords } from "../en/orders.ts";

export const orders: OrdersWords = {
  title: "Vermittlungen",
  about: "Erfasst, wenn ein Tier vermittelt wird.",
  animal: "Tier",
  number: "Nummer",
  status: "Status",
  when: "Datum",
  anyStatus: "Alle Status",
  statuses: { placed: "Erfasst", approved: "Bestätigt", delivered: "Abgeschlossen" },
  ofAnimal: (name) => `Vermittlungen von ${name}`,
  showAll: "Filter zurücksetzen",
  gone: (id) => `Tier ${number(id)} (gelöscht)`,
  shown: (count, more) =>
    more
      ? `Die neuesten ${number(count)}`
      : plural(count, { one: "1 Vermittlung", other: `${number(count)} Vermittlungen` }),
  emptyTitle: "Noch keine Vermittlungen",
  emptyText:
    "Wenn ein Tier ein Zuhause findet, setzen Sie seinen Status auf „Vermittelt“. Die Vermittlung erscheint dann hier.",
  toAnimals: "Tiere anzeigen",
  noneFoundTitle: "Keine Vermittlungen gefunden",
  noneFoundText: "Ändern Sie die Filter, oder setzen Sie sie zurück.",
};
