import type { SetupWords } from "../en/setup.ts";
import { plural } from "../format.ts";

const here = (expected: string | null): string =>
  expected ?? "die öffentliche Adresse des Rechners, auf dem Petstore läuft";

export const setup: SetupWords = {
  title: "Petstore einrichten",
  steps: { account: "Sie", purpose: "Zweck", domain: "Adresse", end: "Fertig" },
  stepOf: (step, all) => `Schritt ${step} von ${all}`,
  noLink: {
    title: "Diese Seite braucht einen Einrichtungslink",
    about:
      "Petstore gibt den Link beim ersten Start im Terminal aus. Öffnen Sie den ganzen Link, auch den Teil nach dem #.",
    how: "Mit Zugriff auf das Datenverzeichnis lässt sich ein neuer Link erstellen, mit dem --data-dir des Servers, falls er eines hat:",
    what: "Befehl",
  },
  usedLink: {
    title: "Dieser Einrichtungslink gilt nicht mehr",
    about:
      "Ein Einrichtungslink gilt einmal, 30 Minuten lang und nur, bis ein neuerer erstellt wird. Es wurde nichts geändert.",
    how: "Mit Zugriff auf das Datenverzeichnis lässt sich ein neuer Link erstellen, mit dem --data-dir des Servers, falls er eines hat:",
    what: "Befehl",
  },
  signIn: "Stattdessen anmelden",
  unsafe: {
    title: "Öffnen Sie diese Seite über HTTPS oder auf dem Server selbst",
    about: "Ohne HTTPS ginge Ihr Passwort unverschlüsselt durch das Netz.",
    how: "Wenn dieser Rechner keinen Browser hat, erstellen Sie ein Betreibertoken mit einem Befehl:",
    what: "Befehl",
  },
  account: {
    title: "Ihre Anmeldung einrichten",
    about: "Als Betreiber verwalten Sie alle Konten.",
    goodFor: (time) => `Der Link gilt bis ${time}.`,
    email: "E-Mail-Adresse",
    emailHint: "Mit dieser Adresse melden Sie sich an.",
    name: "Ihr Name",
    nameHint: "Erscheint bei dem, was Sie ändern.",
    password: "Passwort",
    action: "Weiter",
    exists: "Diese Adresse ist vergeben. Melden Sie sich an, oder verwenden Sie eine andere.",
    emailBad: "Geben Sie eine gültige E-Mail-Adresse ein.",
  },
  purpose: {
    title: "Was möchten Sie tun?",
    about: "Den Rest können Sie später einrichten.",
    label: "Beginnen mit",
    sample: "Ein Beispieltierheim",
    sampleHint:
      "Zwölf Tiere mit Bildern und eine Website, die sie zeigt. Sie können alles jederzeit löschen.",
    shelter: "Mein Tierheim",
    shelterHint: "Ein Konto für Ihre Tiere und eine Website, die sie zeigt.",
    embed: "Die API",
    embedHint: "Ein Konto und ein API-Schlüssel. Eine Website können Sie später hinzufügen.",
    shelterName: "Name des Tierheims",
    embedName: "Name des Kontos",
    language: "Sprache des Tierheims",
    languageHint:
      "Die Sprache Ihrer Website und der ersten Kategorien. Sie können sie später ändern.",
    plan: "Tarif",
    planHint: "Legt die Anfragelimits fest. Sie können ihn jederzeit ändern.",
    planOf: (name, perMinute, perDay) => `${name} (${perMinute} pro Minute, ${perDay} pro Tag)`,
    action: "Weiter",
  },
  domain: {
    title: "Wo soll Petstore erreichbar sein?",
    about:
      "Diese Seite prüft Ihre Domain nur. Um sie zu verwenden, setzen Sie die gezeigten Optionen und starten Petstore neu.",
    running: "Petstore läuft hier bereits. Diese Prüfungen bestätigen es.",
    label: "Adresse",
    local: "Nur auf diesem Rechner",
    localHint: "Zum Ausprobieren. Eine Domain können Sie jederzeit hinzufügen.",
    named: "Unter einer eigenen Domain",
    namedHint: "Dashboard, API und alle Websites sind darunter erreichbar.",
    name: "Domain",
    nameHint: "Zum Beispiel tiere.tierheim.de",
    look: "Domain prüfen",
    again: "Prüft alle 10 Sekunden",
    mistyped: "Geben Sie nur eine Domain ein, etwa tiere.tierheim.de.",
    checks: "Prüfungen",
    records: "Einträge für Ihren DNS-Anbieter",
    columns: { type: "Typ", name: "Name", value: "Wert", ttl: "TTL", state: "Status" },
    openValue: "die öffentliche Adresse dieses Rechners",
    value: (name) => `Wert für ${name}`,
    recordName: (name) => `Namen ${name}`,
    configuration: "Optionen, die Sie vor dem Neustart von Petstore setzen",
    configurationText: "Als Umgebungsvariablen:",
    asFile: "Als Konfigurationsdatei oder auf der Befehlszeile",
    options: "Optionen",
    complete: (address) => `Keine Fehler gefunden. Petstore ist unter ${address} zu erreichen.`,
    almost: (address) =>
      `Keine Fehler gefunden. Setzen Sie die Optionen und starten Sie Petstore neu: Dann ist es unter ${address} zu erreichen.`,
    faults: (count) =>
      plural(count, {
        one: "Eine Prüfung ist fehlgeschlagen.",
        other: `${count} Prüfungen sind fehlgeschlagen.`,
      }),
    unchecked: "Das DNS hat nicht geantwortet, also ließ sich nichts prüfen. Wir prüfen erneut.",
    localOnly: "Petstore bleibt auf diesem Rechner. Es ist nichts einzurichten.",
    finish: "Einrichtung abschließen",
    later: "Später erledigen",
    recordStates: {
      right: "Gefunden",
      missing: "Fehlt",
      wrong: "Anderer Wert",
      unknown: "Unbekannt",
    },
    states: {
      ok: "Bestanden",
      warning: "Warnung",
      failed: "Nicht bestanden",
      skipped: "Übersprungen",
    },
    titles: {
      name: "Name",
      address: "Domain",
      staging: "Staging",
      wildcard: "Websites",
      targets: "Ziel eigener Domains",
      http: "Port 80",
      https: "Port 443",
      caa: "Zertifikate",
    },
    codes: {
      right: ({ observed }) => (observed === null ? "Zulässig." : `Zeigt auf ${observed}`),
      this_computer: () => "Nur dieser Rechner: nichts zu prüfen.",
      ip_address: () =>
        "Eine IP-Adresse hat keine Subdomains und bekommt keine Zertifikate. Verwenden Sie eine Domain.",
      special_use: ({ subject }) =>
        `${subject} ist nicht im öffentlichen DNS. Verwenden Sie eine registrierte Domain.`,
      public_suffix: ({ subject }) =>
        `${subject} gehört einer Registrierungsstelle. Verwenden Sie eine Domain darunter.`,
      no_record: ({ subject, expected, port }) =>
        port === ""
          ? `Für ${subject} gibt es noch keinen Eintrag. Fügen Sie einen mit diesem Ziel hinzu: ${here(expected)}.`
          : "Nicht geprüft: Die Domain hat noch keine Adresse.",
      elsewhere: ({ subject, observed, expected }) =>
        `${subject} zeigt auf ${observed ?? "einen anderen Server"}. Richtiges Ziel: ${here(expected)}.`,
      partly_elsewhere: ({ subject, observed, expected }) =>
        `${subject} zeigt auf ${observed ?? "mehrere Adressen"}. Behalten Sie nur diese: ${here(expected)}.`,
      dns_silent: () => "Das DNS hat nicht geantwortet. Wir prüfen erneut.",
      no_public_address: ({ observed }) =>
        `${observed ?? "Diese Adresse"} ist nur in Ihrem eigenen Netz erreichbar. Besucher brauchen eine öffentliche Adresse.`,
      somebody_else: ({ port, observed }) =>
        `Auf Port ${port} antwortet ein anderer Server (${observed ?? "?"}). Leiten Sie den Port zu Petstore weiter.`,
      refused: ({ port }) =>
        `Auf Port ${port} nimmt kein Programm Verbindungen an. Lassen Sie Petstore diesen Port verwenden, oder leiten Sie ihn im Router weiter.`,
      timeout: ({ port }) =>
        `Port ${port} antwortet nicht. Öffnen Sie ihn in der Firewall und im Router.`,
      circle: () =>
        "Ein Proxy leitet in einer Schleife weiter. Richten Sie ihn so ein, dass er Petstore über HTTPS anspricht.",
      open: () =>
        "Der Port ist offen. Petstore bestellt das Zertifikat, sobald dies die Basisdomain ist.",
      https_off: () =>
        "HTTPS ist nicht eingerichtet. Setzen Sie listen-https, oder verwenden Sie einen HTTPS-Proxy, und tragen Sie ihn in trusted-proxies ein.",
      ca_forbidden: ({ observed }) =>
        `Ein CAA-Eintrag verbietet das Zertifikat: ${observed ?? "siehe Ihr DNS"}.`,
      ca_unasked: () => "Die CAA-Einträge ließen sich nicht lesen. Wir prüfen erneut.",
      not_needed: () => "Keine öffentliche Zertifizierungsstelle nötig.",
    },
  },
  end: {
    title: "Petstore ist bereit",
    site: "Ihre Website",
    siteText: (name) => `${name} ist online:`,
    sampleSite:
      "Setzen Sie im Dashboard ein Tier auf Reserviert, und laden Sie die Website neu, um die Änderung zu sehen.",
    open: "Website öffnen",
    api: "Die API",
    listText:
      "Fügen Sie diesen Befehl in ein Terminal ein. Er listet Tiere in Staging auf; der Schlüssel läuft nach 24 Stunden ab:",
    addText:
      "Fügen Sie diesen Befehl in ein Terminal ein. Er fügt in Staging ein Tier hinzu; der Schlüssel läuft nach 24 Stunden ab:",
    line: "Befehl",
    keyName: "Erste Schritte",
    next: "Nächste Schritte",
    overview: "Übersicht anzeigen",
    animals: "Ihre Tiere hinzufügen",
    import: "Ihre Tiere importieren",
    domain: "Eigene Domain hinzufügen",
    reference: "Die API in der Referenz ausprobieren",
    embed: "Petstore in Ihren Server einbinden",
  },
};
