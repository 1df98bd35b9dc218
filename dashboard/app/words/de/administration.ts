import type { AdministrationWords } from "../en/administration.ts";
import { dateTime, number, plural } from "../format.ts";

const accounts: AdministrationWords["accounts"] = {
  title: "Konten",
  about: "Jedes Tierheim ist ein Konto: mit eigenen Tieren, Schlüsseln, Personen und Websites.",
  create: "Konto erstellen",
  sample: "Beispieltierheim erstellen",
  sampleCreated: (name) => `${name} und seine Website sind erstellt.`,
  count: (count) => plural(count, { one: "1 Konto", other: `${number(count)} Konten` }),
  search: "Nach Namen suchen",
  noneFound: "So heißt kein Konto",
  noneFoundText: "Suchen Sie nach einem anderen Teil des Namens.",
  empty: "Noch kein Konto",
  emptyText: "Erstellen Sie das erste, oder sehen Sie sich in einem Beispieltierheim um.",
  columns: {
    name: "Konto",
    plan: "Tarif",
    animals: "Tiere",
    status: "Status",
    created: "Erstellt",
    actions: "Aktionen",
  },
  available: (count) => `${number(count)} verfügbar`,
  active: "Aktiv",
  suspended: "Gesperrt",
  since: (at) => `seit ${dateTime(at)}`,
  settings: "Tarif und Einstellungen",
  form: {
    title: "Konto erstellen",
    name: "Name",
    nameHint: "Wie das Tierheim bekannt ist.",
    plan: "Tarif",
    perMinute: "Anfragen pro Minute",
    perDay: "Anfragen pro Tag",
    limitsHint: "Wie vereinbart: von 1 bis 1.000.000.000.",
    limitFault: "Eine ganze Zahl von 1 bis 1.000.000.000.",
  },
  created: (name) => `${name} ist erstellt.`,
  perMinute: (count) => `${number(count)} pro Minute`,
  perDay: (count) => `${number(count)} pro Tag`,
  agreed: "nach Vereinbarung",
  page: {
    title: "Tarif und Einstellungen",
    account: "Konto",
    name: "Name",
    rename: "Konto umbenennen",
    renamed: "Das Konto ist umbenannt.",
    id: "Konto-ID",
    idHint: "Befehle und Programme nennen das Konto damit.",
    plan: "Tarif",
    planAndLimits: "Tarif und Limits",
    current: "Ihr Tarif",
    change: "Tarif ändern",
    changed: (plan) => `Der Tarif ist jetzt ${plan}.`,
    effects: "Was sich sofort ändert",
    limits: (from, to) =>
      `Anfragen: ${number(to.perMinute)} pro Minute und ${number(to.perDay)} pro Tag, statt ${number(from.perMinute)} und ${number(from.perDay)}.`,
    gainsDomains: "Websites können eigene Domains haben.",
    losesDomains:
      "Keine eigenen Domains mehr: Die bestehenden gelten noch 7 Tage, danach erreichen Besucher die Websites nicht mehr darüber.",
    nothingElse: "Schlüssel, Tiere, Websites und Personen bleiben, wie sie sind.",
    loseTitle: "Eigene Domains aufgeben?",
    columns: {
      plan: "Tarif",
      perMinute: "Anfragen pro Minute",
      perDay: "Anfragen pro Tag",
      domains: "Eigene Domains",
    },
    upgrade:
      "Den Tarif ändert, wer diesen Dienst betreibt: Fragen Sie dort. Er gilt sofort, und nichts muss neu eingerichtet werden.",
  },
  danger: {
    title: "Sperren oder löschen",
    suspend: "Konto sperren",
    suspendText:
      "Schlüssel und Websites werden innerhalb einer Sekunde abgewiesen. Die Personen können lesen und nichts ändern. Die Sperre lässt sich jederzeit aufheben.",
    suspendTitle: (name) => `${name} sperren?`,
    suspendedNow: (name) => `${name} ist gesperrt.`,
    resume: "Sperre aufheben",
    resumeText: "Schlüssel und Websites funktionieren sofort wieder.",
    resumed: (name) => `${name} ist nicht mehr gesperrt.`,
    delete: "Konto löschen",
    deleteText:
      "Das Konto wird mit Tieren, Vermittlungen, Schlüsseln, Personen, Websites und Domains gelöscht. Das lässt sich nicht rückgängig machen.",
    deleteTitle: (name) => `${name} löschen?`,
    deleted: (name) => `${name} ist gelöscht.`,
  },
};

const people: AdministrationWords["people"] = {
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
    status: "Status",
    actions: "Aktionen",
  },
  you: "Sie",
  added: (when) => `hinzugefügt am ${when}`,
  statuses: { active: "Aktiv", pending: "Eingeladen" },
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
  remove: "Person entfernen",
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    "Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Was sie getan hat, bleibt. Sie können sie wieder hinzufügen.",
  removed: (name) => `${name} kann sich nicht mehr anmelden.`,
};

const system: AdministrationWords["system"] = {
  title: "System",
  about: "Der Zustand dieser Installation, wie ihn auch petstore doctor zeigt.",
  refresh: "Erneut prüfen",
  fine: "Alle Prüfungen sind bestanden.",
  wrong: (failed, warnings) =>
    [
      failed > 0
        ? plural(failed, {
            one: "1 Prüfung nicht bestanden",
            other: `${number(failed)} Prüfungen nicht bestanden`,
          })
        : "",
      warnings > 0
        ? plural(warnings, {
            one: "1 Warnung",
            other: `${number(warnings)} Warnungen`,
          })
        : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
  checks: "Prüfungen",
  skipped: (count) =>
    plural(count, {
      one: "1 übersprungene Prüfung",
      other: `${number(count)} übersprungene Prüfungen`,
    }),
  states: {
    ok: "Bestanden",
    warning: "Warnung",
    failed: "Nicht bestanden",
    skipped: "Übersprungen",
  },
  facts: "Diese Installation",
  version: "Version",
  running: "Läuft seit",
  address: "Adresse",
  baseDomain: "Basisdomain",
  certificates: "Zertifikate",
  aboutCertificates: "Für die Domains aller Projekte. Sie werden automatisch erneuert.",
  noCertificates: "Noch kein Zertifikat",
  noCertificatesText: "Sobald ein Projekt eine eigene Domain hat, steht ihr Zertifikat hier.",
  certificate: {
    domain: "Domain",
    issuer: "Aussteller",
    expires: "Läuft ab",
    renews: "Erneuerung",
    state: "Status",
    actions: "Aktionen",
  },
  valid: "Gültig",
  expiresSoon: "Läuft bald ab",
  expired: "Abgelaufen",
  failing: "Erneuern misslingt",
  renew: "Jetzt erneuern",
  renewTitle: (domain) => `Das Zertifikat von ${domain} jetzt erneuern?`,
  renewText:
    "Es wird rechtzeitig automatisch erneuert. Eine zusätzliche Bestellung zählt bei den Limits der Zertifizierungsstelle mit. Das jetzige bleibt, bis das nächste da ist.",
  renewing: (domain) => `Das nächste Zertifikat von ${domain} wird bestellt.`,
  ours: "dieser Dienst",
  settings: "Einstellungen",
  aboutSettings:
    "Sie werden dort geändert, wo das Programm gestartet wird: durch Optionen, Umgebung oder Konfigurationsdatei.",
  allSettings: (count) => `Alle ${number(count)} Einstellungen`,
  setting: { name: "Einstellung", value: "Wert", origin: "Quelle" },
  origins: { flag: "Option", environment: "Umgebung", file: "Datei", default: "Vorgabe" },
  unset: "nicht gesetzt",
};

const tokens: AdministrationWords["tokens"] = {
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
  revoked: (name) => `${name} ist widerrufen.`,
  form: {
    title: "Verwaltungstoken erstellen",
    name: "Name",
    nameHint: "Für welches Programm oder welchen Rechner es ist.",
    role: "Rolle",
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

export const administration: AdministrationWords = { accounts, people, system, tokens };
