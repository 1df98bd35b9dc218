import type { EnquiriesWords } from "../en/enquiries.ts";
import { number, plural } from "../format.ts";

export const enquiries: EnquiriesWords = {
  title: "Anfragen",
  about: "Was Besucher Ihrer Websites zu Tieren gefragt haben.",
  state: "Status",
  states: { new: "Neu", answered: "Beantwortet", closed: "Erledigt" },
  anyState: "Alle Status",
  showAll: "Filter zurücksetzen",
  from: "Von",
  animal: "Tier",
  when: "Eingegangen",
  number: "Nummer",
  actions: "Aktionen",
  stateOf: (name) => `Status der Anfrage von ${name}`,
  open: "Anfrage öffnen",
  openOne: (name) => `Anfrage von ${name} öffnen`,
  heading: (name) => `Anfrage von ${name}`,
  aboutAnimal: (animal, site) => `Zu ${animal}, auf ${site}`,
  email: "E-Mail",
  phone: "Telefon",
  message: "Nachricht",
  reply: "Per E-Mail antworten",
  subject: (animal) => `Ihre Anfrage zu ${animal}`,
  notes: "Notizen",
  notesHint: "Nur Mitarbeitende und Inhaber dieses Kontos sehen sie.",
  save: "Anfrage speichern",
  saved: (name) => `Die Anfrage von ${name} ist gespeichert.`,
  moved: (state) => `Die Anfrage ist jetzt „${state}“.`,
  changedBy: (who, when) => `Zuletzt geändert von ${who}, ${when}`,
  unnamed: {
    member: "einem entfernten Mitglied",
    token: "einem Token",
    key: "einem API-Schlüssel",
    operator: "dem Betreiber",
    visitor: "einem Besucher",
    user: "einem Benutzer Ihrer Anwendung",
    command: "einem Befehl auf dem Server",
    host: "dem Server",
    system: "dem Server",
  },
  remove: {
    action: "Anfrage löschen",
    title: (name) => `Anfrage von ${name} löschen?`,
    text: "Nachricht und Notizen werden endgültig gelöscht.",
    done: (name) => `Die Anfrage von ${name} ist gelöscht.`,
  },
  export: "Anfragen als CSV exportieren",
  exported: (count) =>
    plural(count, {
      one: "1 Anfrage exportiert.",
      other: `${number(count)} Anfragen exportiert.`,
    }),
  shown: (count, more) =>
    more
      ? `Die neuesten ${number(count)}`
      : plural(count, { one: "1 Anfrage", other: `${number(count)} Anfragen` }),
  emptyTitle: "Noch keine Anfragen",
  emptyText:
    "Die Seite jedes Tiers auf Ihren Websites führt zu einem Formular. Was Besucher senden, erscheint hier.",
  noneFoundTitle: "Keine Anfragen gefunden",
  noneFoundText: "Ändern Sie die Filter, oder setzen Sie sie zurück.",
  viewer:
    "Anfragen sind personenbezogene Daten. Mitarbeitende und Inhaber dieses Kontos können sie lesen.",
};
