import type { AdministrationWords } from "../administration-words.ts";
import { dateTime, number, plural } from "../format.ts";

export const people: AdministrationWords["people"] = {
  title: "Personen",
  about: (account) => `Wer sich anmelden und an ${account} arbeiten kann.`,
  count: (count) => plural(count, { one: "1 Person", other: `${number(count)} Personen` }),
  operators: "Betreiber",
  aboutOperators: "Betreiber dürfen alles, mit jedem Konto, und sehen diese Seite.",
  add: "Person hinzufügen",
  addOperator: "Betreiber hinzufügen",
  empty: "Noch niemand",
  emptyText: {
    account:
      "Fügen Sie hinzu, wer sich um die Tiere kümmert. Alle bekommen einen eigenen Link für den Anfang.",
    operators:
      "Noch kann sich niemand anmelden; es geht nur mit Token und über das Datenverzeichnis.",
  },
  columns: {
    person: "Person",
    role: "Rolle",
    lastSeen: "Zuletzt da",
    status: "Anmeldung",
    actions: "Aktionen",
  },
  you: "Sie",
  added: (when) => `hinzugefügt am ${when}`,
  statuses: { active: "Eingerichtet", pending: "Ausstehend" },
  withPasskey: "mit Passkey",
  roleHints: {
    owner: "Alles, auch API-Schlüssel, Personen und Löschen.",
    staff: "Tiere, Vermittlungen, Websites und ihre Versionen.",
    viewer: "Sieht alles an, ändert nichts.",
  },
  form: {
    title: "Person hinzufügen",
    titleOperator: "Betreiber hinzufügen",
    email: "E-Mail-Adresse",
    emailHint:
      "Damit meldet sich die Person an. Wir verschicken keine E-Mail: Sie bekommen einen Link zum Weitergeben.",
    name: "Name",
    role: "Rolle",
    add: "Hinzufügen",
  },
  changeRole: "Rolle ändern",
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `${name} hat ab jetzt die Rolle ${role}.`,
  resetLink: "Neuen Link erstellen",
  resetTitle: (name) => `Neuen Link für ${name} erstellen?`,
  resetText:
    "Damit wird ein neues Passwort gewählt. Frühere Links werden ungültig; das jetzige Passwort gilt, bis der Link benutzt wird.",
  link: {
    title: (name) => `Der Link für ${name}`,
    once: (expiresAt) =>
      `Geben Sie ihn sonst niemandem: Wer ihn öffnet, wählt das Passwort. Er gilt einmal, bis ${dateTime(expiresAt)}, und wird nur jetzt gezeigt.`,
    what: "Link",
  },
  remove: "Entfernen",
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    "Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Was sie getan hat, bleibt. Sie können sie wieder hinzufügen.",
  removed: (name) => `${name} kann sich nicht mehr anmelden.`,
};
