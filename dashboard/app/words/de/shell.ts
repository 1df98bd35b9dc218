import { statusWords } from "../../../../lib/catalogue/status-words.ts";
import type { Words } from "../en/index.ts";
import { duration, number } from "../format.ts";

export const shell: Words["shell"] = {
  skip: "Zum Inhalt springen",
  menu: "Menü",
  closeMenu: "Menü schließen",
  navigation: "Hauptmenü",
  sidebar: "Menü und Einstellungen",
  chooseAccount: "Konto",
  nameOfSuspended: (name) => `${name} (gesperrt)`,
  suspended: "Gesperrt",
  suspendedTitle: "Dieses Konto ist gesperrt.",
  suspendedText:
    "Seine API-Schlüssel und Websites funktionieren nicht, und seine Mitglieder können nichts ändern. Der Betreiber dieses Dienstes kann die Sperre aufheben.",
  overview: "Übersicht",
  animals: "Tiere",
  orders: "Vermittlungen",
  enquiries: "Anfragen",
  fresh: (count) => `${number(count)} neu`,
  keys: "API-Schlüssel",
  webhooks: "Webhooks",
  usage: "Nutzung",
  projects: "Projekte",
  people: "Personen",
  activity: "Aktivitäten",
  account: "Tarif und Einstellungen",
  operator: "Installation",
  accounts: "Konten",
  system: "System",
  reference: "API-Referenz",
  help: "Hilfe",
  profile: "Ihr Profil",
  signOut: "Abmelden",
  language: "Sprache",
  languages: { en: "English", de: "Deutsch" },
  theme: "Darstellung",
  themes: { system: "System", light: "Hell", dark: "Dunkel" },
  notFound: "Seite nicht gefunden",
  notFoundText:
    "Die Adresse ist falsch, die Seite wurde entfernt, oder sie gehört zu einem anderen Konto.",
  home: "Übersicht anzeigen",
  broke: "Etwas ist schiefgegangen",
  brokeText: "Ihre gespeicherten Daten sind sicher. Laden Sie die Seite neu.",
  reload: "Seite neu laden",
};

export const signIn: Words["signIn"] = {
  title: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  show: "Passwort anzeigen",
  action: "Anmelden",
  wrong: "E-Mail-Adresse oder Passwort ist falsch.",
  or: "oder",
  passkey: "Mit Passkey anmelden",
  passkeyFaults: {
    cancelled:
      "Es wurde kein Passkey ausgewählt. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.",
    unsupported: "Dieser Browser unterstützt keine Passkeys. Verwenden Sie Ihr Passwort.",
    known: "Dieses Gerät hat schon einen Passkey für Sie.",
    broken:
      "Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.",
  },
  forgotten: "Passwort vergessen?",
  forgottenText:
    "Bitten Sie einen Inhaber Ihres Kontos oder den Betreiber um einen Passwort-Link. Petstore verschickt keine E-Mails.",
  forgottenOperator: "Betreiber können den Link auch auf dem Server erstellen:",
  command: "Befehl",
  nobody: {
    title: "Noch kein Betreiber",
    text: "Öffnen Sie den Einrichtungslink, den Petstore beim Start ausgegeben hat. Einen neuen erstellt dieser Befehl:",
  },
  unsafe: {
    title: "Melden Sie sich über HTTPS an",
    text: "Diese Verbindung ist nicht verschlüsselt: Andere im Netz könnten Ihr Passwort mitlesen. Ohne HTTPS geht es nur auf dem Rechner, auf dem Petstore läuft.",
    secure: "Zu HTTPS wechseln",
    operator:
      "Wenn Sie diesen Dienst betreiben, richten Sie ein Zertifikat ein, oder verwenden Sie einen HTTPS-Proxy, und tragen Sie ihn in trusted-proxies ein.",
  },
};

/** Turns `30 Tage` into the dative `30 Tagen`. */
function inDative(text: string): string {
  return text.replace(/(?<=Tag|Monat|Jahr)e$/, "en");
}

export const common: Words["common"] = {
  cancel: "Abbrechen",
  saved: "Gespeichert.",
  undo: "Rückgängig",
  unsaved: {
    title: "Änderungen verwerfen?",
    text: "Ihre Änderungen sind noch nicht gespeichert.",
    action: "Änderungen verwerfen",
    keep: "Weiter bearbeiten",
  },
  close: "Schließen",
  done: "Fertig",
  retry: "Noch einmal versuchen",
  loading: "Wird geladen",
  tooOften: (when) => `Zu viele Anfragen. Versuchen Sie es ${when} noch einmal.`,
  readOn: "Was bedeutet das?",
  more: (what) => `Mehr zu ${what}`,
  loadMore: "Mehr anzeigen",
  copy: (what) => `${what} kopieren`,
  copied: "Kopiert",
  notCopied:
    "Der Browser hat das Kopieren verhindert. Markieren Sie den Text, und kopieren Sie ihn selbst.",
  typeToConfirm: (word) => `Zur Bestätigung ${word} eingeben`,
  kept: "Ich habe es sicher gespeichert",
  copiedLink: "Ich habe den Link kopiert",
  never: "Nie",
  none: "Keine",
  yes: "Ja",
  no: "Nein",
  production: "Produktion",
  staging: "Staging",
  stagingText:
    "Staging dient zum Ausprobieren. Besucher sehen diese Tiere nie, und Programme brauchen einen Staging-Schlüssel.",
  environment: "Umgebung",
  lifetime: { label: "Läuft ab", never: "Nie", after: (ms) => `In ${inDative(duration(ms))}` },
  plans: { free: "Free", pro: "Pro", business: "Business", enterprise: "Enterprise" },
  roles: {
    operator: "Betreiber",
    owner: "Inhaber",
    staff: "Mitarbeit",
    viewer: "Nur ansehen",
  },
  statuses: statusWords.de,
};
