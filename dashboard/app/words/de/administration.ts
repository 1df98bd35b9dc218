import type { AdministrationWords } from "../en/administration.ts";
import { dateTime, number, plural } from "../format.ts";
import { checkTitles, checkWords } from "./checks.ts";
import { renew } from "./renewal.ts";

const accounts: AdministrationWords["accounts"] = {
  title: "Konten",
  about: "Jedes Tierheim hat ein Konto mit eigenen Tieren, Schlüsseln, Personen und Projekten.",
  create: "Konto erstellen",
  sample: "Beispieltierheim erstellen",
  sampleCreated: (name) => `${name} und sein Projekt wurden erstellt.`,
  count: (count) => plural(count, { one: "1 Konto", other: `${number(count)} Konten` }),
  search: "Nach Namen suchen",
  noneFound: "Keine Konten gefunden",
  noneFoundText: "Suchen Sie nach einem anderen Namen.",
  empty: "Noch keine Konten",
  emptyText: "Erstellen Sie das erste Konto, oder probieren Sie ein Beispieltierheim aus.",
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
    nameHint: "Meist der Name des Tierheims. Besucher sehen ihn nicht.",
    plan: "Tarif",
    perMinute: "Anfragen pro Minute",
    perDay: "Anfragen pro Tag",
    limitsHint: "Von 1 bis 1.000.000.000.",
    limitFault: "Geben Sie eine ganze Zahl von 1 bis 1.000.000.000 ein.",
  },
  created: (name) => `${name} wurde erstellt.`,
  perMinute: (count) => `${number(count)} pro Minute`,
  perDay: (count) => `${number(count)} pro Tag`,
  agreed: "Nach Vereinbarung",
  page: {
    title: "Tarif und Einstellungen",
    account: "Konto",
    name: "Name",
    rename: "Konto umbenennen",
    renamed: "Das Konto wurde umbenannt.",
    id: "Konto-ID",
    idHint: "Kennzeichnet das Konto in Befehlen und API-Aufrufen.",
    plan: "Tarif",
    planAndLimits: "Tarif und Limits",
    current: "Ihr Tarif",
    change: "Tarif ändern",
    changed: (plan) => `Der Tarif wurde auf ${plan} geändert.`,
    effects: "Sofortige Änderungen",
    limits: (from, to) =>
      `Anfragen: ${number(to.perMinute)} pro Minute und ${number(to.perDay)} pro Tag, statt ${number(from.perMinute)} und ${number(from.perDay)}.`,
    gainsDomains: "Projekte können eigene Domains verwenden.",
    losesDomains: {
      action: "Tarif ändern",
      title: "Eigene Domains aufgeben?",
      text: "Projekte können keine eigenen Domains mehr verwenden. Bestehende Domains funktionieren noch 7 Tage.",
    },
    nothingElse: "Schlüssel, Tiere, Projekte und Personen bleiben unverändert.",
    columns: {
      plan: "Tarif",
      perMinute: "Anfragen pro Minute",
      perDay: "Anfragen pro Tag",
      domains: "Eigene Domains",
    },
    upgrade:
      "Wenden Sie sich an den Betreiber dieses Dienstes, um den Tarif zu ändern. Ein neuer Tarif gilt sofort, ohne weitere Einrichtung.",
  },
  danger: {
    title: "Sperre und Löschung",
    suspend: {
      action: "Konto sperren",
      title: (name) => `${name} sperren?`,
      text: "Legt Schlüssel und Websites des Kontos innerhalb einer Sekunde still. Seine Personen können alles ansehen, aber nichts ändern. Sie können die Sperre jederzeit aufheben.",
      done: (name) => `${name} wurde gesperrt.`,
    },
    resume: {
      action: "Sperre aufheben",
      text: "Macht Schlüssel und Websites des Kontos sofort wieder verfügbar.",
      done: (name) => `Die Sperre von ${name} wurde aufgehoben.`,
    },
    delete: {
      action: "Konto löschen",
      title: (name) => `${name} löschen?`,
      text: "Löscht das Konto mit seinen Tieren, Vermittlungen, Schlüsseln, Personen, Projekten und Domains. Das lässt sich nicht rückgängig machen.",
      done: (name) => `${name} wurde gelöscht.`,
    },
  },
};

const people: AdministrationWords["people"] = {
  title: "Personen",
  about: (account) => `Personen mit Zugang zu ${account}.`,
  count: (count) => plural(count, { one: "1 Person", other: `${number(count)} Personen` }),
  operators: "Betreiber",
  aboutOperators: "Betreiber haben vollen Zugriff auf alle Konten und auf diese Seite.",
  add: "Person hinzufügen",
  addOperator: "Betreiber hinzufügen",
  empty: "Noch keine Personen",
  emptyText: {
    account:
      "Fügen Sie die Personen hinzu, die sich um die Tiere kümmern. Sie erhalten für jede einen Passwort-Link.",
    operators:
      "Noch kann sich niemand anmelden. Verwenden Sie Token oder die Befehlszeile auf dem Server.",
  },
  columns: {
    person: "Person",
    role: "Rolle",
    lastSeen: "Zuletzt aktiv",
    status: "Status",
    actions: "Aktionen",
  },
  you: "Sie",
  added: (when) => `hinzugefügt am ${when}`,
  statuses: { active: "Aktiv", pending: "Eingeladen" },
  withPasskey: "mit Passkey",
  roleHints: {
    owner: "Voller Zugriff, auch auf API-Schlüssel, Personen und Löschungen.",
    staff: "Verwaltet Tiere, Vermittlungen, Projekte und Versionen.",
    viewer: "Sieht alles, ändert nichts.",
  },
  form: {
    title: "Person hinzufügen",
    titleOperator: "Betreiber hinzufügen",
    email: "E-Mail-Adresse",
    emailHint: "Petstore verschickt keine E-Mails: Sie erhalten einen Link zum Weitergeben.",
    mailedHint: "Die Person erhält eine Einladung per E-Mail.",
    name: "Name",
    role: "Rolle",
    add: "Hinzufügen und Link erstellen",
    addMailed: "Hinzufügen und einladen",
  },
  changeRole: "Rolle ändern",
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `Die Rolle von ${name} wurde auf ${role} geändert.`,
  newLink: {
    action: "Passwort-Link erstellen",
    title: (name) => `Passwort-Link für ${name} erstellen?`,
    text: "Mit dem Link wählt die Person ein neues Passwort. Frühere Links werden ungültig; das jetzige Passwort gilt, bis der Link benutzt wird.",
  },
  link: {
    title: (name) => `Passwort-Link für ${name}`,
    once: (expiresAt) =>
      `Mit diesem Link lässt sich das Passwort setzen: Geben Sie ihn nur dieser Person. Er wird nur einmal angezeigt, gilt einmal und läuft am ${dateTime(expiresAt)} ab.`,
    what: "Link",
    mailedTitle: "Einladung verschickt",
    mailed: (email, expiresAt) =>
      `${email} erhält eine E-Mail mit einem Link, um ein Passwort zu wählen. Der Link gilt einmal, bis ${dateTime(expiresAt)}.`,
    same: "Falls die E-Mail nicht ankommt, geben Sie den Link selbst weiter. Er wird nur einmal angezeigt, und wer ihn hat, kann das Passwort setzen.",
  },
  remove: {
    action: "Person entfernen",
    title: (name) => `${name} entfernen?`,
    text: "Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Ihre bisherigen Aktivitäten bleiben erhalten. Sie können sie wieder hinzufügen.",
    done: (name) => `${name} wurde entfernt.`,
  },
};

const system: AdministrationWords["system"] = {
  title: "System",
  about: "Der Zustand dieser Installation, wie ihn petstore doctor meldet.",
  refresh: "Prüfungen ausführen",
  fine: "Alle Prüfungen bestanden.",
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
  checkTitles,
  checkWords,
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
  facts: "Installation",
  version: "Version",
  running: "Läuft seit",
  address: "Adresse",
  baseDomain: "Basisdomain",
  nodes: "Knoten",
  node: {
    name: "Name",
    state: "Status",
    version: "Version",
    started: "Gestartet",
    lag: "Rückstand",
    database: "Datenbank",
    limits: "Limits gezählt in",
    redis: "Redis",
    milliseconds: (ms) => `${number(ms)} ms`,
    states: { active: "Aktiv", lost: "Verloren" },
    limitsPlaces: {
      memory: "Arbeitsspeicher",
      postgres: "PostgreSQL",
      redis: "Redis",
      moving: "Wechselt",
    },
    redisStates: { off: "Aus", ok: "Verbunden", unavailable: "Nicht erreichbar" },
  },
  certificates: "Zertifikate",
  aboutCertificates:
    "Zertifikate eigener Domains und der Hosts dieses Dienstes. Sie werden automatisch erneuert.",
  noCertificates: "Noch keine Zertifikate",
  noCertificatesText: "Bestellte Zertifikate erscheinen hier.",
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
  failing: "Erneuerung fehlgeschlagen",
  renew,
  rehearsal: {
    action: "Erneuerung proben",
    title: (domain) => `Erneuerung von ${domain} proben`,
    text: "Der Server führt eine ganze Erneuerung bei einer anderen Zertifizierungsstelle durch, etwa der Testumgebung von Let's Encrypt, und verwirft das Zertifikat. Besucher merken nichts davon. Das dauert höchstens eine Minute.",
    start: "Proben",
    works: (authority) => `Die Erneuerung gelingt bei ${authority}. Es wurde nichts verändert.`,
    fails: (authority) =>
      `Die Erneuerung würde bei ${authority} scheitern. Es wurde nichts verändert.`,
    passed: "Gelungen",
    failed: "Gescheitert",
    parts: {
      dns: "DNS-Prüfung",
      account: "Konto",
      order: "Bestellung",
      challenge: "Prüfaufgabe",
      validation: "Bestätigung",
      certificate: "Zertifikat",
    },
  },
  ours: "dieser Dienst",
  settings: "Einstellungen",
  aboutSettings:
    "Beim Start von Petstore gesetzt: durch Optionen, Umgebungsvariablen oder die Konfigurationsdatei.",
  allSettings: (count) => `Alle ${number(count)} Einstellungen`,
  setting: { name: "Einstellung", value: "Wert", origin: "Quelle" },
  origins: { flag: "Option", environment: "Umgebung", file: "Datei", default: "Vorgabe" },
  unset: "Nicht gesetzt",
  secret: "(gesetzt)",
};

const tokens: AdministrationWords["tokens"] = {
  title: "Verwaltungstoken",
  about: {
    account: "Mit diesen Token verwalten Programme dieses Konto.",
    operators: "Mit diesen Token verwalten Programme alle Konten.",
  },
  create: "Token erstellen",
  empty: "Noch keine Token",
  emptyText:
    "Erstellen Sie ein Token, um die Befehlszeile oder eigene Programme von einem anderen Rechner aus zu verwenden.",
  columns: {
    token: "Token",
    role: "Rolle",
    lastUsed: "Zuletzt benutzt",
    status: "Status",
    actions: "Aktionen",
  },
  unnamed: "Token ohne Namen",
  created: (when) => `erstellt am ${when}`,
  statuses: { active: "Aktiv", expired: "Abgelaufen", revoked: "Widerrufen" },
  expires: "Läuft ab",
  ended: (count) =>
    plural(count, {
      one: "1 inaktives Token",
      other: `${number(count)} inaktive Token`,
    }),
  revoke: {
    action: "Token widerrufen",
    title: (name) => `${name} widerrufen?`,
    text: "Programme mit diesem Token verlieren innerhalb einer Sekunde den Zugriff. Das lässt sich nicht rückgängig machen.",
    done: (name) => `${name} wurde widerrufen.`,
  },
  form: {
    title: "Verwaltungstoken erstellen",
    name: "Name",
    nameHint: "Das Programm oder der Rechner, der das Token verwendet.",
    role: "Rolle",
  },
  roleHints: {
    owner: "Voller Zugriff auf das Konto, außer auf den Tarif.",
    staff: "Sieht alles; ändert Tiere, Projekte und Versionen.",
    viewer: "Sieht alles, ändert nichts.",
  },
  issued: {
    title: "Ihr neues Verwaltungstoken",
    once: "Kopieren Sie das Token jetzt: Es wird nur einmal angezeigt. Wir speichern einen Fingerabdruck, nicht das Token.",
    token: "Token",
    try: "Ausprobieren",
    curl: "Befehl",
  },
};

export const administration: AdministrationWords = { accounts, people, system, tokens };
