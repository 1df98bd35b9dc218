import type { OverviewWords } from "../en/overview.ts";
import { number, plural } from "../format.ts";

export const overview: OverviewWords = {
  plan: (name) => `Tarif ${name}`,

  animals: "Tiere",
  addAnimal: "Tier hinzufügen",
  animalsAll: "Alle Tiere",
  animalsEmpty: "Fügen Sie Ihr erstes Tier hinzu. Es erscheint hier und auf Ihren Websites.",
  share: (available, pending, sold) =>
    `${number(available)} verfügbar, ${number(pending)} reserviert, ${number(sold)} vermittelt`,
  orders: (count) =>
    plural(count, {
      one: "1 Vermittlung",
      other: `${number(count)} Vermittlungen`,
    }),
  enquiries: (count) =>
    plural(count, { one: "1 neue Anfrage", other: `${number(count)} neue Anfragen` }),

  today: "API-Anfragen",
  used: (used, limit) => `${number(used)} von ${number(limit)} Anfragen pro Tag verbraucht`,
  minute: (used, limit) => `${number(used)} von ${number(limit)} in dieser Minute`,
  resets: "Wird zurückgesetzt",
  usage: "Nutzung",
  countedByKey: "Die Limits gelten für jeden Schlüssel einzeln.",
  banned: (count) =>
    plural(count, {
      one: "Ein Schlüssel ist vorübergehend gesperrt, weil er Limits nicht beachtet hat.",
      other: `${number(count)} Schlüssel sind vorübergehend gesperrt, weil sie Limits nicht beachtet haben.`,
    }),
  toKeys: "API-Schlüssel anzeigen",

  projects: "Projekte",
  projectsAll: "Alle Projekte",
  moreProjects: (count) =>
    plural(count, { one: "1 weiteres Projekt", other: `${number(count)} weitere Projekte` }),

  attention: (domain) => `${domain} braucht Aufmerksamkeit`,
  toDomain: "Domain anzeigen",

  firstSteps: {
    title: "Erste Schritte",
    hide: "Schritte ausblenden",
    done: "Erledigt",
    animals: {
      title: "Tiere hinzufügen",
      text: "Einzeln oder alle auf einmal aus einer Tabelle.",
      action: "Tiere hinzufügen",
    },
    site: {
      title: "Tierseite veröffentlichen",
      text: "Ein Projekt mit einer Website, die Ihre Tiere zeigt und sich automatisch aktualisiert.",
      action: "Projekt erstellen",
    },
    key: {
      title: "Andere Programme anbinden",
      text: "Mit einem API-Schlüssel liest und ändert Ihre Website oder eine App Ihre Tiere.",
      action: "Schlüssel erstellen",
    },
    domain: {
      title: "Eigene Domain verwenden",
      text: "Etwa tiere.example.org, mit einem Zertifikat, das sich automatisch erneuert.",
      action: "Domain hinzufügen",
    },
  },

  activity: "Letzte Aktivitäten",
  activityEmpty: "Noch keine Aktivitäten",
  liveness: {
    connecting: "Wird verbunden",
    live: "Live-Aktualisierung",
    polling: "Aktualisiert alle 20 Sekunden",
  },
  happened: {
    "account.created": () => "Das Konto wurde erstellt",
    "account.updated": () => "Tarif, Limits oder Name des Kontos wurden geändert",
    "account.suspended": () => "Das Konto wurde gesperrt",
    "account.resumed": () => "Die Sperre des Kontos wurde aufgehoben",
    "account.deleted": () => "Das Konto wurde gelöscht",
    "pet.created": (what) => `${what} wurde hinzugefügt`,
    "pet.updated": (what) => `${what} wurde geändert`,
    "pet.available": (what) => `${what} ist wieder verfügbar`,
    "pet.pending": (what) => `${what} ist reserviert`,
    "pet.sold": (what) => `${what} wurde vermittelt`,
    "pet.deleted": (what) => `${what} wurde gelöscht`,
    "pet.restored": (what) => `${what} wurde wiederhergestellt`,
    "pet.profile_updated": (what) => `Der Steckbrief von ${what} wurde geändert`,
    "photo.added": (what) => `Ein Foto von ${what} wurde hinzugefügt`,
    "photo.removed": (what) => `Ein Foto von ${what} wurde entfernt`,
    "import.finished": (what) => `Der Import von ${what} ist abgeschlossen`,
    "import.undone": (what) => `Der Import von ${what} wurde rückgängig gemacht`,
    "enquiry.created": (what) =>
      what === "" ? "Eine Anfrage ist eingegangen" : `Eine Anfrage zu ${what} ist eingegangen`,
    "order.updated": (what) => `Eine Vermittlung von ${what} wurde geändert`,
    "order.removed": (what) => `Eine Vermittlung von ${what} wurde als Versehen entfernt`,
    "category.created": (what) => `Die Kategorie ${what} wurde hinzugefügt`,
    "category.updated": (what) => `Eine Kategorie heißt jetzt ${what}`,
    "category.deleted": (what) => `Die Kategorie ${what} wurde gelöscht`,
    "key.created": (what) => `Der API-Schlüssel ${what} wurde erstellt`,
    "key.rotated": (what) => `Der API-Schlüssel ${what} wurde erneuert`,
    "key.updated": (what) => `Ein API-Schlüssel heißt jetzt ${what}`,
    "key.revoked": (what) => `Der API-Schlüssel ${what} wurde widerrufen`,
    "key.banned": (what) => `Der API-Schlüssel ${what} wurde vorübergehend gesperrt`,
    "key.unbanned": (what) => `Die Sperre des API-Schlüssels ${what} wurde aufgehoben`,
    "quota.threshold_reached": (what) => `${what} % der heutigen Anfragen sind verbraucht`,
    "token.created": () => "Ein Verwaltungstoken wurde erstellt",
    "token.revoked": () => "Ein Verwaltungstoken wurde widerrufen",
    "member.created": (what) => `${what || "Jemand"} wurde eingeladen`,
    "member.updated": (what) => `Rolle oder Name von ${what || "jemandem"} wurde geändert`,
    "member.device_added": (what) =>
      `${what || "Jemand"} hat sich mit einem neuen Browser angemeldet`,
    "member.removed": (what) => `${what || "Jemand"} wurde entfernt`,
    "project.created": (what) => `Das Projekt ${what} wurde erstellt`,
    "project.updated": (what) => `Das Projekt ${what} wurde geändert`,
    "project.deleted": (what) => `Das Projekt ${what} wurde gelöscht`,
    "project.restored": (what) => `Das Projekt ${what} wurde wiederhergestellt`,
    "deploy.activated": (what) => `Jetzt online: ${what}`,
    "deploy.failed": (what) =>
      what === "" ? "Veröffentlichung fehlgeschlagen" : `Veröffentlichung fehlgeschlagen: ${what}`,
    "domain.added": (what) => `${what} wurde hinzugefügt`,
    "domain.verified": (what) => `${what} ist bestätigt`,
    "domain.contested": (what) => `Ein anderes Konto beansprucht ${what}`,
    "domain.issuing": (what) => `Das Zertifikat für ${what} wurde bestellt`,
    "domain.live": (what) => `${what} ist online`,
    "domain.renewed": (what) => `Das Zertifikat von ${what} wurde erneuert`,
    "domain.expiring": (what) => `Das Zertifikat von ${what} läuft bald ab`,
    "domain.failed": (what) => `${what} braucht Aufmerksamkeit`,
    "domain.drifting": (what) => `${what} führt nicht mehr hierher`,
    "domain.moved": (what) => `${what} führt seit 7 Tagen woandershin`,
    "domain.released": (what) => `${what} führte 30 Tage woandershin und wurde entfernt`,
    "domain.removed": (what) => `${what} wurde entfernt`,
    "webhook.disabled": (what) => `Der Webhook an ${what} wurde deaktiviert`,
  },
  by: {
    member: (name) => (name === "" ? "von einem früheren Mitglied" : `von ${name}`),
    token: (name) => `mit dem Token ${name}`,
    key: (name) => `mit dem Schlüssel ${name}`,
    operator: () => "vom Betreiber",
    visitor: () => "mit einem Einrichtungslink",
    user: (name) => (name === "" ? "von einem Benutzer Ihrer Anwendung" : `von ${name}`),
    command: () => "mit einem Befehl",
    host: () => "vom System",
    system: () => "vom System",
  },
  andMore: (count) => `und ${number(count)} weitere`,
  starter: "die Tierseite",
  files: (count) => plural(count, { one: "1 Datei", other: `${number(count)} Dateien` }),
};
