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

  actions: "Aktionen",
  returned: (day) => `Zurück seit ${day}`,
  statusOf: (name) => `Status der Vermittlung von ${name}`,
  moved: (status) => `Die Vermittlung ist jetzt „${status}“.`,
  edit: "Person bearbeiten",
  editTitle: (name) => `Vermittlung von ${name}`,
  adopterName: "Vermittelt an",
  adopterContact: "Kontakt",
  adopterContactHint: "Zum Beispiel Telefonnummer oder E-Mail-Adresse.",
  adopterDate: "Datum der Vermittlung",
  adopterKept:
    "Nur Mitarbeitende und Inhaber dieses Kontos sehen diese Angaben. Nach der Aufbewahrungsfrist werden sie automatisch gelöscht.",
  save: "Person speichern",
  saved: (name) => `Die Vermittlung von ${name} ist gespeichert.`,
  return: {
    action: "Rückgabe erfassen",
    title: (name) => `Ist ${name} wieder im Tierheim?`,
    text: "Das Tier ist wieder verfügbar, falls es noch vermittelt ist. Die Vermittlung bleibt in der Liste und ist als Rückgabe gekennzeichnet.",
    done: (name) => `Die Rückgabe von ${name} ist erfasst.`,
  },
  remove: {
    action: "Vermittlung entfernen",
    title: (name) => `War die Vermittlung von ${name} ein Irrtum?`,
    text: "Die Vermittlung und die Angaben zur Person werden endgültig entfernt. Das Tier hat dann wieder seinen vorherigen Status.",
    done: (name) => `Die Vermittlung von ${name} ist entfernt.`,
  },
};
