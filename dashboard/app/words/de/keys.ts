import type { Words } from "../en/index.ts";
import { number, plural } from "../format.ts";

export const keys: Words["keys"] = {
  title: "API-Schlüssel",
  about: (account) =>
    `Programme lesen und ändern damit die Tiere von ${account}. Jeder Schlüssel gilt in einer Umgebung.`,
  create: "Schlüssel erstellen",
  tryIt: "In der Referenz ausprobieren",
  tryItMade:
    "Ein Staging-Schlüssel für eine Stunde ist erstellt. Die Referenz öffnet sich in einem neuen Tab.",
  tryItName: "API-Referenz",
  environments: {
    production: "Die Tiere, die Besucher sehen.",
    staging: "Zum Ausprobieren: eigene Tiere, nichts wird veröffentlicht.",
  },
  empty: {
    production: "Noch kein Schlüssel für die Produktion",
    staging: "Noch kein Schlüssel für Staging",
  },
  emptyText: {
    production: "Eine Website oder App braucht einen, um Ihre Tiere zu zeigen und zu ändern.",
    staging:
      "Fangen Sie hier an: Was ein Programm damit tut, ändert kein Tier, das Besucher sehen.",
  },
  minute: "Diese Minute",
  day: "Heute",
  notBegun: "Noch nichts verbraucht.",
  resets: "Beginnt neu",
  used: (used, limit) => `${number(used)} von ${number(limit)} Anfragen verbraucht`,
  columns: {
    key: "Schlüssel",
    permissions: "Berechtigungen",
    lastUsed: "Zuletzt benutzt",
    requests: "Anfragen",
    status: "Status",
    actions: "Aktionen",
  },
  unnamed: "Ohne Namen",
  created: (when) => `erstellt am ${when}`,
  today: "heute",
  thisMinute: (count) => `${number(count)} in dieser Minute`,
  statuses: {
    active: "Aktiv",
    replaced: "Ersetzt",
    banned: "Gesperrt",
    expired: "Abgelaufen",
    revoked: "Widerrufen",
  },
  expires: "Läuft ab",
  ends: "Endet",
  replacedBy: (prefix) => `Ersetzt durch ${prefix}`,
  bannedUntil: "Sperre endet",
  bannedReason:
    "Er hat weiter angefragt, obwohl er warten sollte. Das Programm muss den Header Retry-After beachten.",
  onlyFrom: (networks) => `nur aus ${networks}`,
  allBut: "Alles außer Rückgaben",
  everything: "Alles",
  ended: (count) =>
    plural(count, {
      one: "1 Schlüssel, der nicht mehr gilt",
      other: `${number(count)} Schlüssel, die nicht mehr gelten`,
    }),
  rotate: "Erneuern",
  rename: "Umbenennen",
  revoke: "Widerrufen",
  liftBan: "Sperre aufheben",
  liftBanOf: (name) => `Sperre aufheben: ${name}`,
  lifted: (name) => `Sperre von ${name} aufgehoben.`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText:
    "Programme, die ihn benutzen, werden innerhalb einer Sekunde abgewiesen. Das lässt sich nicht rückgängig machen. Wenn Sie ohne Unterbrechung zu einem neuen Schlüssel wechseln wollen, erneuern Sie ihn.",
  revoked: (name) => `${name} ist widerrufen.`,
  form: {
    title: "API-Schlüssel erstellen",
    name: "Name",
    nameHint: "Für welches Programm er ist. Daran unterscheiden Sie Ihre Schlüssel.",
    permissions: "Berechtigungen",
    oneNeeded: "Wählen Sie mindestens eine.",
    networks: "Nur aus diesen Netzen",
    networksHint:
      "Eines je Zeile, etwa 203.0.113.0/24 oder 2001:db8::/48, oder eine einzelne Adresse. Leer: von überall.",
    networksFault: (wrong) => `${wrong} ist weder ein Netz noch eine Adresse.`,
    tooManyNetworks: (most) => `Höchstens ${number(most)} Netze.`,
  },
  scopes: {
    "pets:read": { label: "Tiere lesen", hint: "Auflisten und einzeln lesen." },
    "pets:write": {
      label: "Tiere ändern",
      hint: "Hinzufügen, bearbeiten, löschen, wiederherstellen; den Status ändern.",
    },
    "pets:admin": {
      label: "Vermittlungen zurücknehmen",
      hint: "Ein vermitteltes Tier wieder auf verfügbar setzen.",
    },
    "categories:read": { label: "Kategorien lesen", hint: "Auflisten und einzeln lesen." },
    "categories:write": { label: "Kategorien ändern", hint: "Hinzufügen, umbenennen und löschen." },
    "orders:read": {
      label: "Vermittlungen lesen",
      hint: "Sehen, welches Tier wann vermittelt wurde.",
    },
  },
  issued: {
    title: "Ihr neuer API-Schlüssel",
    once: "Er wird nur dieses eine Mal gezeigt. Wir behalten einen Fingerabdruck, nicht den Schlüssel.",
    key: "API-Schlüssel",
    download: ".env herunterladen",
    fileName: "petstore.env",
    try: "Ausprobieren",
    tryHint: "Fügen Sie diese Zeile in ein Terminal ein: Sie listet die Tiere auf.",
    curl: "Befehl",
  },
  rotation: {
    title: (name) => `${name} erneuern`,
    text: "Ein neuer Schlüssel mit denselben Rechten übernimmt. Der alte gilt noch eine Weile, damit Sie Ihre Programme ohne Unterbrechung umstellen können.",
    overlap: "Der alte Schlüssel gilt noch",
    none: "Gar nicht: Er endet jetzt",
    action: "Erneuern",
  },
  renaming: {
    title: "Schlüssel umbenennen",
    action: "Umbenennen",
  },
};
