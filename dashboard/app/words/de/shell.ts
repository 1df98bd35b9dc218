import type { Words } from "../en/index.ts";
import { duration } from "../format.ts";

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
    "Seine API-Schlüssel und Websites funktionieren nicht, und seine Personen können nichts ändern. Der Betreiber dieses Dienstes kann die Sperre aufheben.",
  overview: "Übersicht",
  animals: "Tiere",
  orders: "Vermittlungen",
  keys: "API-Schlüssel",
  usage: "Nutzung",
  projects: "Projekte",
  people: "Personen",
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
  notFound: "Hier ist nichts",
  notFoundText:
    "Die Adresse ist vertippt, oder was hier war, ist gelöscht oder gehört jemand anderem.",
  home: "Zur Übersicht",
  broke: "Auf dieser Seite ist etwas schiefgegangen",
  brokeText: "Gespeichertes ist nicht verloren. Laden Sie die Seite neu.",
  reload: "Neu laden",
};

export const signIn: Words["signIn"] = {
  title: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  show: "Passwort anzeigen",
  action: "Anmelden",
  wrong: "E-Mail-Adresse oder Passwort stimmt nicht.",
  or: "oder",
  passkey: "Mit Passkey anmelden",
  passkeyFaults: {
    cancelled:
      "Es wurde kein Passkey ausgewählt. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
    unsupported: "Dieser Browser kennt keine Passkeys. Nehmen Sie Ihr Passwort.",
    known: "Dieses Gerät hat schon einen Passkey für Sie.",
    broken:
      "Der Passkey ließ sich hier nicht benutzen. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
  },
  forgotten: "Passwort vergessen?",
  forgottenText:
    "Ein Inhaber Ihres Kontos oder der Betreiber macht Ihnen im Dashboard einen Link, mit dem Sie ein neues wählen. Wir verschicken keine E-Mails.",
  forgottenOperator: "Betreiber machen ihn auf dem Rechner, auf dem Petstore läuft:",
  command: "Befehl",
  nobody: {
    title: "Noch kann sich niemand anmelden",
    text: "Wer den Einrichtungslink öffnet, wird der erste Betreiber. Der Link steht dort, wo Petstore gestartet wurde; einen neuen macht dieser Befehl:",
  },
  unsafe: {
    title: "Melden Sie sich über HTTPS an",
    text: "Diese Verbindung ist nicht verschlüsselt: Was Sie hier eingeben, könnte unterwegs jeder mitlesen. Ohne HTTPS geht es nur auf dem Rechner, auf dem Petstore läuft.",
    secure: "Zu HTTPS wechseln",
    operator:
      "Sie betreiben diesen Dienst? Geben Sie ihm ein Zertifikat, oder überlassen Sie HTTPS einem Proxy und tragen Sie ihn in trusted-proxies ein.",
  },
};

/** `30 Tagen` of `30 Tage`. */
function inDative(told: string): string {
  return told.replace(/(?<=Tag|Monat|Jahr)e$/, "en");
}

export const common: Words["common"] = {
  cancel: "Abbrechen",
  save: "Speichern",
  saved: "Gespeichert.",
  delete: "Löschen",
  undo: "Rückgängig",
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
    "Dieser Browser lässt uns nicht kopieren. Bitte markieren Sie den Text und kopieren Sie ihn selbst.",
  typeToConfirm: (word) => `Zur Bestätigung ${word} eingeben`,
  kept: "Ich habe es sicher aufbewahrt",
  never: "nie",
  unknown: "unbekannt",
  yes: "Ja",
  no: "Nein",
  production: "Produktion",
  staging: "Staging",
  environment: "Umgebung",
  lifetime: { label: "Läuft ab", never: "Nie", after: (ms) => `In ${inDative(duration(ms))}` },
  plans: { free: "Free", pro: "Pro", business: "Business", enterprise: "Enterprise" },
  roles: {
    operator: "Betreiber",
    owner: "Inhaber",
    staff: "Mitarbeit",
    viewer: "Nur ansehen",
  },
  statuses: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
};
