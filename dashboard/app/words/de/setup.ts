import type { SetupWords } from "../en/setup.ts";
import { plural } from "../format.ts";

const here = (expected: string | null): string =>
  expected ?? "die öffentliche Adresse des Rechners, auf dem Petstore läuft";

export const setup: SetupWords = {
  title: "Petstore einrichten",
  steps: { account: "Sie", purpose: "Zweck", domain: "Adresse", end: "Bereit" },
  stepOf: (step, all) => `Schritt ${step} von ${all}`,
  noLink: {
    title: "Für diese Seite braucht es einen Einrichtungslink",
    about:
      "Der Link steht beim ersten Start im Terminal. Er endet mit einem langen Wort hinter einem #: Öffnen Sie ihn ganz.",
    how: "Wer an das Datenverzeichnis kommt, macht einen neuen:",
    what: "Befehl",
  },
  usedLink: {
    title: "Dieser Einrichtungslink gilt nicht mehr",
    about:
      "Ein Link gilt einmal, 30 Minuten lang, und nur solange es keinen neueren gibt. Es wurde nichts geändert.",
    how: "Wer an das Datenverzeichnis kommt, macht einen neuen:",
    what: "Befehl",
  },
  signIn: "Stattdessen anmelden",
  unsafe: {
    title: "Öffnen Sie diese Seite über HTTPS oder auf dem Rechner selbst",
    about:
      "Was Sie hier eingeben, ginge für jeden lesbar durchs Netz. Anmelden kann man sich über HTTPS und, ohne Verschlüsselung, nur auf dem Rechner, auf dem Petstore läuft.",
    how: "Ohne Browser dort bekommt man das Token eines Betreibers mit einem Befehl:",
    what: "Befehl",
  },
  account: {
    title: "Betreiberkonto anlegen",
    about: "Als Betreiber verwalten Sie alle Konten.",
    goodFor: (time) => `Der Link gilt bis ${time}.`,
    email: "E-Mail-Adresse",
    emailHint: "Damit melden Sie sich an. Dorthin wird nichts geschickt.",
    name: "Ihr Name",
    nameHint: "Er steht überall dort, wo Sie etwas getan haben.",
    password: "Passwort",
    action: "Weiter",
    exists: "Diese Adresse hat schon jemand. Melden Sie sich an, oder nehmen Sie eine andere.",
    emailBad: "Das ist keine E-Mail-Adresse.",
  },
  purpose: {
    title: "Wofür brauchen Sie Petstore?",
    about: "Alles andere geht auch später, so oft Sie wollen.",
    label: "Anfangen mit",
    sample: "Mit einem Beispieltierheim ausprobieren",
    sampleHint:
      "Zwölf Tiere mit Bildern und eine Website, die sie zeigt. Löschen Sie es, wann immer Sie wollen.",
    shelter: "Mein Tierheim",
    shelterHint: "Ein Konto für Ihre Tiere und gleich eine Website dazu.",
    embed: "Ich baue die API ein",
    embedHint: "Ein Konto und ein Schlüssel. Eine Website kann später kommen.",
    shelterName: "Name des Tierheims",
    embedName: "Name des Kontos",
    plan: "Tarif",
    planHint:
      "Er bestimmt, wie viele Anfragen Programme stellen dürfen. Er lässt sich jederzeit ändern.",
    planOf: (name, perMinute, perDay) => `${name}: ${perMinute} pro Minute, ${perDay} am Tag`,
    action: "Weiter",
  },
  domain: {
    title: "Wo soll Petstore erreichbar sein?",
    about:
      "Diese Seite prüft und gibt Rat. Die Adresse selbst ist eine Option des Programms: Sie gilt, sobald Sie sie setzen und Petstore neu starten.",
    label: "Erreichbar",
    local: "Nur auf diesem Rechner",
    localHint: "Zum Umsehen. Eine Domain kann jederzeit dazukommen.",
    named: "Unter einer eigenen Domain",
    namedHint: "Darunter liegen das Dashboard, die API und alle Websites.",
    name: "Domain",
    nameHint: "Zum Beispiel tiere.tierheim.de",
    look: "Nachsehen",
    again: "Alle zehn Sekunden wird von selbst neu nachgesehen",
    mistyped: "Das ist keine Domain. Geben Sie nur den Namen ein, etwa tiere.tierheim.de.",
    checks: "Was wir gefunden haben",
    records: "Einträge, die Sie dort hinzufügen, wo das DNS der Domain verwaltet wird",
    columns: { type: "Typ", name: "Name", value: "Wert", ttl: "TTL", state: "Stand" },
    openValue: "die öffentliche Adresse dieses Rechners",
    value: (name) => `Wert für ${name}`,
    recordName: (name) => `Namen ${name}`,
    configuration: "Optionen, die zu setzen sind; dann Petstore neu starten",
    configurationText: "Als Umgebungsvariablen:",
    asFile: "Als Konfigurationsdatei oder auf der Befehlszeile",
    options: "Optionen",
    complete: (address) => `Keine Fehler gefunden. Petstore ist unter ${address} zu erreichen.`,
    almost: (address) =>
      `Keine Fehler gefunden. Setzen Sie die Optionen und starten Sie Petstore neu: Dann ist es unter ${address} zu erreichen.`,
    faults: (count) =>
      plural(count, {
        one: "Eines ist noch zu tun.",
        other: `${count} Dinge sind noch zu tun.`,
      }),
    localOnly: "Petstore bleibt auf diesem Rechner. Es muss nichts geändert werden.",
    finish: "Abschließen",
    later: "Später erledigen",
    states: { ok: "In Ordnung", warning: "Ansehen", failed: "Zu tun", skipped: "Nicht geprüft" },
    titles: {
      name: "Der Name",
      address: "Die Domain selbst",
      staging: "Staging",
      wildcard: "Die Websites",
      targets: "Ziel eigener Domains",
      http: "Port 80",
      https: "Port 443",
      caa: "Zertifikate",
    },
    codes: {
      right: ({ observed }) => (observed === null ? "Wie es sein soll." : `Gefunden: ${observed}`),
      this_computer: () => "Nur dieser Rechner: Es gibt nichts nachzusehen.",
      ip_address: () =>
        "Eine Adresse hat keine Subdomains, und niemand stellt ihr Zertifikate aus. Nehmen Sie eine Domain.",
      special_use: ({ subject }) =>
        `${subject} steht nicht im öffentlichen DNS. Nehmen Sie eine registrierte Domain.`,
      public_suffix: ({ subject }) =>
        `${subject} gehört der Registrierungsstelle. Nehmen Sie eine Domain darunter.`,
      no_record: ({ subject, expected, port }) =>
        port === ""
          ? `Für ${subject} gibt es noch keinen Eintrag. Fügen Sie einen mit diesem Wert hinzu: ${here(expected)}.`
          : "Noch nicht nachgesehen: Die Domain hat keine Adresse.",
      elsewhere: ({ subject, observed, expected }) =>
        `${subject} führt zu ${observed ?? "jemand anderem"}. Ziel muss sein: ${here(expected)}.`,
      partly_elsewhere: ({ subject, observed, expected }) =>
        `${subject} führt zu ${observed ?? "mehreren"}. Es darf nur eines bleiben: ${here(expected)}.`,
      dns_silent: () => "Das DNS war gerade nicht zu erreichen. Wir sehen noch einmal nach.",
      no_public_address: ({ observed }) =>
        `${observed ?? "Diese Adresse"} ist nur in Ihrem eigenen Netz zu erreichen. Besucher brauchen eine öffentliche.`,
      somebody_else: ({ port, observed }) =>
        `Auf Port ${port} antwortet ein anderer Server (${observed ?? "?"}). Leiten Sie den Port zu Petstore.`,
      refused: ({ port }) =>
        `Auf Port ${port} nimmt dort niemand Verbindungen an. Lassen Sie Petstore diesen Port benutzen, oder leiten Sie ihn im Router weiter.`,
      timeout: ({ port }) =>
        `Port ${port} antwortet nicht. Öffnen Sie ihn in der Firewall und im Router.`,
      circle: () => "Ein Proxy leitet im Kreis. Er muss Petstore über HTTPS ansprechen.",
      open: () =>
        "Der Port ist offen. Das Zertifikat wird von selbst bestellt, sobald der Name eingestellt ist.",
      https_off: () =>
        "HTTPS ist noch nicht eingerichtet. Setzen Sie listen-https, oder überlassen Sie es einem Proxy und tragen Sie ihn in trusted-proxies ein.",
      ca_forbidden: ({ observed }) =>
        `Ein CAA-Eintrag verbietet der Zertifizierungsstelle das Ausstellen: ${observed ?? "siehe Ihr DNS"}.`,
      ca_unasked: () =>
        "Ob ein Zertifikat ausgestellt werden darf, war nicht zu erfahren. Wir sehen noch einmal nach.",
      not_needed: () => "Für Zertifikate muss niemand gefragt werden.",
    },
  },
  end: {
    title: "Petstore ist bereit",
    site: "Ihre Website",
    siteText: (name) => `${name} kann besucht werden:`,
    sampleSite:
      "Reservieren Sie im Dashboard ein Tier und laden Sie die Website neu: Sie zeigt es sofort.",
    open: "Website öffnen",
    api: "Die API",
    listText:
      "In ein Terminal einfügen. Der Befehl listet Tiere von Staging auf, mit einem Schlüssel für 24 Stunden:",
    addText:
      "In ein Terminal einfügen. Der Befehl legt in Staging ein Tier an, mit einem Schlüssel für 24 Stunden:",
    line: "Befehl",
    keyName: "Erste Schritte",
    next: "Wie geht es weiter?",
    overview: "Zur Übersicht",
    animals: "Ihre Tiere hinzufügen",
    domain: "Der Website eine eigene Domain geben",
    reference: "Die API in der Referenz ausprobieren",
    embed: "Petstore in den eigenen Server einbauen",
  },
};
