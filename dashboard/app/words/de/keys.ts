import type { KeysWords } from "../en/keys.ts";
import { number, plural } from "../format.ts";

export const keys: KeysWords = {
  title: "API-Schlüssel",
  about: (account) =>
    `Mit API-Schlüsseln lesen und ändern Programme die Tiere von ${account}. Jeder Schlüssel gilt in einer Umgebung.`,
  create: "Schlüssel erstellen",
  tryIt: "In der API-Referenz ausprobieren",
  tryItMade:
    "Ein Staging-Schlüssel für eine Stunde wurde erstellt. Die API-Referenz öffnet sich in einem neuen Tab.",
  tryItName: "API-Referenz",
  environments: {
    production: "Die Tiere, die Besucher sehen.",
    staging: "Zum Ausprobieren: eigene Tiere, die nie veröffentlicht werden.",
  },
  empty: {
    production: "Noch keine Produktionsschlüssel",
    staging: "Noch keine Staging-Schlüssel",
  },
  emptyText: {
    production:
      "Websites und Apps brauchen einen Schlüssel, um Ihre Tiere zu zeigen und zu ändern.",
    staging:
      "Beginnen Sie hier: Ein Staging-Schlüssel kann die Tiere, die Besucher sehen, nicht ändern.",
  },
  minute: "Pro Minute",
  day: "Pro Tag",
  notBegun: "Die Minute beginnt mit Ihrer ersten Anfrage.",
  resets: "Wird zurückgesetzt",
  used: (used, limit) => `${number(used)} von ${number(limit)} Anfragen verbraucht`,
  columns: {
    key: "Schlüssel",
    permissions: "Berechtigungen",
    lastUsed: "Zuletzt benutzt",
    requests: "Anfragen",
    status: "Status",
    actions: "Aktionen",
  },
  unnamed: "Schlüssel ohne Namen",
  created: (when) => `erstellt am ${when}`,
  today: "heute",
  thisMinute: (count) => `${number(count)} in dieser Minute`,
  showRequests: "API-Anfragen anzeigen",
  requestsOf: (name) => `API-Anfragen anzeigen: ${name}`,
  statuses: {
    active: "Aktiv",
    replaced: "Ersetzt",
    banned: "Gesperrt",
    expired: "Abgelaufen",
    revoked: "Widerrufen",
  },
  expires: "Läuft ab",
  ends: "Läuft ab",
  replacedBy: (prefix) => `Ersetzt durch ${prefix}`,
  bannedUntil: "Sperre endet",
  bannedReason:
    "Das Programm hat Limits nicht beachtet. Es muss die Zeit im Header Retry-After abwarten.",
  onlyFrom: (networks) => `nur aus ${networks}`,
  allBut: "Alles außer dem Rückgängigmachen einer Vermittlung",
  everything: "Alle",
  ended: (count) =>
    plural(count, {
      one: "1 inaktiver Schlüssel",
      other: `${number(count)} inaktive Schlüssel`,
    }),
  rotate: "Schlüssel erneuern",
  rename: "Schlüssel umbenennen",
  liftBan: "Sperre aufheben",
  liftBanOf: (name) => `Sperre aufheben: ${name}`,
  lifted: (name) => `Die Sperre von ${name} wurde aufgehoben.`,
  revoke: {
    action: "Schlüssel widerrufen",
    title: (name) => `${name} widerrufen?`,
    text: "Programme mit diesem Schlüssel verlieren innerhalb einer Sekunde den Zugriff. Das lässt sich nicht rückgängig machen. Um den Schlüssel ohne Unterbrechung zu ersetzen, erneuern Sie ihn.",
    done: (name) => `${name} wurde widerrufen.`,
  },
  form: {
    title: "API-Schlüssel erstellen",
    name: "Name",
    nameHint: "Das Programm, das den Schlüssel verwendet.",
    permissions: "Berechtigungen",
    oneNeeded: "Wählen Sie mindestens eine Berechtigung.",
    networks: "Erlaubte Netze",
    networksHint:
      "Ein Netz oder eine Adresse je Zeile, etwa 203.0.113.0/24 oder 2001:db8::/48. Leer: alle Adressen.",
    networksFault: (wrong) => `${wrong} ist weder ein Netz noch eine Adresse.`,
    tooManyNetworks: (most) => `Geben Sie höchstens ${number(most)} Netze ein.`,
  },
  scopes: {
    "pets:read": { label: "Tiere lesen", hint: "Tiere auflisten und ansehen." },
    "pets:write": {
      label: "Tiere ändern",
      hint: "Tiere hinzufügen, bearbeiten, löschen und wiederherstellen; ihren Status ändern.",
    },
    "pets:admin": {
      label: "Vermittlungen zurücknehmen",
      hint: "Ein vermitteltes Tier wieder verfügbar machen.",
    },
    "categories:read": { label: "Kategorien lesen", hint: "Kategorien auflisten und ansehen." },
    "categories:write": {
      label: "Kategorien ändern",
      hint: "Kategorien hinzufügen, umbenennen und löschen.",
    },
    "orders:read": {
      label: "Vermittlungen lesen",
      hint: "Sehen, welche Tiere wann vermittelt wurden.",
    },
  },
  issued: {
    title: "Ihr neuer API-Schlüssel",
    once: "Kopieren Sie den Schlüssel jetzt: Er wird nur einmal angezeigt. Wir speichern einen Fingerabdruck, nicht den Schlüssel.",
    key: "API-Schlüssel",
    download: ".env herunterladen",
    fileName: "petstore.env",
    try: "Ausprobieren",
    tryHint: "Führen Sie diesen Befehl in einem Terminal aus, um die Tiere aufzulisten.",
    curl: "Befehl",
  },
  rotation: {
    title: (name) => `${name} erneuern`,
    text: "Ein neuer Schlüssel mit denselben Berechtigungen ersetzt diesen. Der alte gilt noch eine Weile, damit Sie Ihre Programme ohne Unterbrechung umstellen können.",
    overlap: "Der alte Schlüssel läuft ab",
    none: "Sofort",
    action: "Schlüssel erneuern",
  },
  renaming: {
    title: (name) => `${name} umbenennen`,
    action: "Schlüssel umbenennen",
  },
};
