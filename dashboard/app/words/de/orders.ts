import { number, plural } from "../format.ts";
import type { Words } from "../en/index.ts";

export const orders: Words["orders"] = {
  title: "Vermittlungen",
  about:
    "Jedes Mal, wenn ein Tier vermittelt wird, entsteht ein Eintrag: welches es war, und wann.",
  animal: "Tier",
  number: "Nummer",
  status: "Status",
  when: "Wann",
  anyStatus: "Jeder Status",
  statuses: { placed: "Aufgenommen", approved: "Bestätigt", delivered: "Abgeschlossen" },
  ofAnimal: (name) => `Nur Vermittlungen von ${name}`,
  showAll: "Alle zeigen",
  gone: (id) => `Tier ${number(id)}, gelöscht`,
  shown: (count, more) =>
    more
      ? `Gezeigt werden die neuesten ${number(count)}`
      : plural(count, { one: "1 Vermittlung", other: `${number(count)} Vermittlungen` }),
  emptyTitle: "Noch keine Vermittlungen",
  emptyText:
    "Sobald ein Tier ein Zuhause gefunden hat, setzen Sie es auf „Vermittelt“: Dann steht es hier.",
  toAnimals: "Zu den Tieren",
  noneFoundTitle: "Keine Vermittlung passt dazu",
  noneFoundText: "Mit weniger Filtern gibt es vielleicht welche.",
};
