import type { AdministrationWords } from "../administration-words.ts";
import { number, plural } from "../format.ts";

export const tokens: AdministrationWords["tokens"] = {
  title: "Verwaltungstoken",
  about: {
    account: "Programme tun damit, was Personen hier tun, innerhalb dieses Kontos.",
    operators: "Programme tun damit alles, mit jedem Konto.",
  },
  create: "Token erstellen",
  empty: "Noch kein Token",
  emptyText:
    "Die Befehlszeile und Ihre eigenen Programme brauchen eines, um von einem anderen Rechner aus zu arbeiten.",
  columns: {
    token: "Token",
    role: "Rolle",
    lastUsed: "Zuletzt benutzt",
    status: "Status",
    actions: "Aktionen",
  },
  unnamed: "Ohne Namen",
  created: (when) => `erstellt am ${when}`,
  statuses: { active: "Aktiv", expired: "Abgelaufen", revoked: "Widerrufen" },
  expires: "Läuft ab",
  ended: (count) =>
    plural(count, {
      one: "1 Token, das nicht mehr gilt",
      other: `${number(count)} Token, die nicht mehr gelten`,
    }),
  revoke: "Widerrufen",
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText:
    "Programme, die es benutzen, werden innerhalb einer Sekunde abgewiesen. Das lässt sich nicht rückgängig machen.",
  revoked: (name) => `${name} wird ab jetzt abgewiesen.`,
  form: {
    title: "Verwaltungstoken erstellen",
    name: "Name",
    nameHint: "Für welches Programm oder welchen Rechner es ist.",
    role: "Was es darf",
  },
  roleHints: {
    owner: "Alles innerhalb des Kontos, außer den Tarif zu ändern.",
    staff: "Lesen; Tiere, Websites und Versionen ändern.",
    viewer: "Lesen.",
  },
  issued: {
    title: "Ihr neues Verwaltungstoken",
    once: "Es wird nur dieses eine Mal gezeigt. Wir behalten einen Fingerabdruck, nicht das Token.",
    token: "Token",
    try: "Ausprobieren",
    curl: "Befehl",
  },
};
