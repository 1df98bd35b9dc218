import { number } from "../format.ts";
import { renew } from "./renewal.ts";
import type { DomainWords } from "../en/domain-words.ts";

export const view: DomainWords["view"] = {
  // The list
  title: "Domains",
  actions: "Aktionen",
  details: "Details anzeigen",
  visit: "Website öffnen",
  noneTitle: "Noch keine Domains",
  noneText:
    "Fügen Sie Ihre Domain hinzu, und tragen Sie bei Ihrem DNS-Anbieter einen Eintrag ein. Wir richten HTTPS ein.",
  domain: "Domain",
  role: "Rolle",
  status: "Status",
  primary: "Zeigt die Website",
  primaryBadge: "Hauptdomain",
  leadsTo: (to) => `Leitet zu ${to} weiter`,
  twin: (name) =>
    `Manche Besucher geben ${name} ein. Fügen Sie diese Domain hinzu, und leiten Sie sie hierher weiter.`,
  addTwin: (name) => `${name} hinzufügen`,
  limit: (count) => `${number(count)} von 100 Domains`,

  // Actions
  add: "Domain hinzufügen",
  verify: "Prüfen",
  reverify: "Erneut prüfen",
  remove: {
    action: "Domain entfernen",
    title: (name) => `${name} entfernen?`,
    text: (name) =>
      `${name} ist für Besucher sofort nicht mehr erreichbar. Wir bewahren das Zertifikat 30 Tage lang auf, falls Sie die Domain diesem Projekt wieder hinzufügen.`,
    done: (name) => `${name} wurde entfernt und ist nicht mehr erreichbar.`,
  },
  makePrimary: {
    action: "Zur Hauptdomain machen",
    title: (name) => `${name} zur Hauptdomain machen?`,
    text: (name) =>
      `Die anderen Domains leiten dann zu ${name} weiter. Besucher bemerken während der Änderung keine Fehler.`,
    done: (name) => `${name} ist jetzt die Hauptdomain.`,
  },
  renew,
  export: {
    action: "Zertifikat und Schlüssel exportieren",
    title: (name) => `Zertifikat und privaten Schlüssel von ${name} exportieren?`,
    text: (name) =>
      `Mit dieser Datei kann sich jeder als ${name} ausgeben. Der Export wird im Verlauf der Domain festgehalten.`,
    done: (name) =>
      `Zertifikat und Schlüssel von ${name} wurden heruntergeladen. Bewahren Sie die Datei sicher auf.`,
  },
  cleanup: "Einträge, die Sie bei Ihrem DNS-Anbieter löschen",
  onlyHere:
    "Diese Domain kann noch nicht online gehen: Die Basisdomain des Servers ist localhost, und dorthin gelangt niemand von außen. Der Betreiber muss base-domain auf einen Namen setzen, der zu diesem Server führt, und den Server neu starten. Der Wert unten ändert sich dann.",
  cleanupText: "Löschen Sie auch diese Einträge. Sonst zeigt der Name weiterhin auf diesen Dienst.",
  addAgain: "Domain wieder hinzufügen",
  removedLately: "Kürzlich entfernt",
  removedAt: "Entfernt",

  // Status and progress
  statuses: {
    awaiting_dns: "Wartet auf DNS",
    checking: "Wird geprüft",
    verified: "Bestätigt",
    issuing: "Zertifikat wird ausgestellt",
    live: "Online",
    attention: "Braucht Aufmerksamkeit",
    removed: "Entfernt",
  },
  stages: {
    asked: "Nameserver abgefragt",
    verified: "Einträge bestätigt",
    certified: "Zertifikat ausgestellt",
    tried: "HTTPS geprüft",
    live: "Online",
  },
  stageStates: {
    done: "erledigt",
    current: "läuft",
    stuck: "blockiert",
    ahead: "ausstehend",
  },
  progress: "Fortschritt",
  asking: "Die Nameserver werden abgefragt. Das dauert bis zu 10 Sekunden.",
  liveness: {
    connecting: "Wird verbunden",
    live: "Live-Aktualisierung",
    polling: "Aktualisiert alle 20 Sekunden",
  },
  checked: "Geprüft",
  seenHere: "Führt hierher, gesehen",
  neverChecked: "Noch nicht geprüft",
  nextCheck: "Nächste Prüfung in",
  nextCheckNow: "jetzt",
  noNextCheck: "Automatische Prüfungen sind beendet. Wählen Sie „Prüfen“, um erneut zu prüfen.",

  // Prerequisites
  readyTitle: "Voraussetzungen",
  readyText: "Eine eigene Domain hat drei Voraussetzungen. Zwei davon können wir prüfen.",
  ready: {
    plan: "Tarif Pro oder höher",
    dns: "Zugang zu den DNS-Einstellungen Ihrer Domain",
    deploy: "Version online",
  },
  readyStates: { met: "erfüllt", unmet: "fehlt", yours: "nicht geprüft" },
  planMet: (plan) => `Das Konto hat den Tarif ${plan}.`,
  planUnmet: (plan) =>
    `Das Konto hat den Tarif ${plan}. Eigene Domains brauchen Pro oder einen höheren Tarif.`,
  planAction: "Tarife anzeigen",
  planChange: "Tarif ändern",
  planAsk: "Der Betreiber dieses Dienstes kann den Tarif ändern.",
  suspended: "Das Konto ist gesperrt. Der Betreiber dieses Dienstes kann die Sperre aufheben.",
  dnsText:
    "Sie tragen einen Eintrag bei Ihrem Domain-Registrar oder DNS-Anbieter ein. Wenn jemand anderes das DNS verwaltet, bitten Sie diese Person darum.",
  dnsAction: "Anleitung lesen",
  deployMet: (when) => `Zuletzt veröffentlicht: ${when}.`,
  deployUnmet: "Das Projekt hat keine Version online, also hat die Domain nichts zu zeigen.",
  deployAction: "Versionen anzeigen",
  starterAction: "Tierseite veröffentlichen",
  starterDone: "Die Tierseite ist online.",

  // Adding a domain
  addTitle: "Domain hinzufügen",
  addLabel: "Domain oder Subdomain",
  addHint: "Zum Beispiel tiere.tierheim.org. Sie können auch eine Webadresse einfügen.",
  taken: (name) => `Das ist die Domain ${name}.`,
  asciiOf: (ascii) => `Im DNS: ${ascii}`,
  lookAlikes: {
    mixed_scripts:
      "Dieser Name mischt Buchstaben mehrerer Alphabete. Prüfen Sie, ob er Ihnen gehört und richtig geschrieben ist.",
    resembles_latin:
      "Einige Buchstaben dieses Namens sehen lateinisch aus, sind es aber nicht. Prüfen Sie, ob er richtig geschrieben ist.",
  },
  faults: {
    empty: "Geben Sie eine Domain ein, zum Beispiel tiere.tierheim.org.",
    ip_address:
      "Das ist eine IP-Adresse. Geben Sie einen Namen ein, zum Beispiel tiere.tierheim.org.",
    wildcard: "Platzhalter werden nicht unterstützt. Fügen Sie jeden Namen einzeln hinzu.",
    single_label: "Die Domain braucht eine Endung, zum Beispiel .org.",
    too_long: "Eine Domain hat höchstens 253 Zeichen.",
    mail: "Das sieht nach einer E-Mail-Adresse aus. Geben Sie nur die Domain ein.",
    invalid:
      "Verwenden Sie Buchstaben, Ziffern und Bindestriche, mit Punkten zwischen den Teilen: tiere.tierheim.org.",
    attached: "Dieses Projekt hat die Domain schon.",
  },
  refusedNames: {
    own_domain: () => "Dieser Name gehört zu diesem Dienst. Geben Sie eine eigene Domain ein.",
    special_use: (name) =>
      `${name} ist nicht im öffentlichen DNS, daher lässt sich kein Zertifikat dafür ausstellen.`,
    public_suffix: (name) =>
      `Unter ${name} werden Domains registriert. Geben Sie Ihre ein, zum Beispiel tierheim.${name}.`,
  },
  previewing: "Das DNS dieses Namens wird geprüft",
  outlooks: {
    clear: "Das DNS ist bereit. Mit einem Eintrag ist die Domain verbunden.",
    changes: "Einige Einträge müssen zuerst geändert werden. Wir zeigen Ihnen, welche.",
    obstacles: "Ein Problem muss zuerst behoben werden. Sie können die Domain schon hinzufügen.",
    unknown: "Das DNS hat nicht geantwortet. Sie können die Domain trotzdem hinzufügen.",
  },
  previewProvider: (name) => `Das DNS liegt bei ${name}.`,
  previewServers: (servers) => `Die Nameserver sind ${servers}.`,
  previewRecord: (type, name) => `Sie fügen einen ${type}-Eintrag mit dem Namen ${name} hinzu.`,
  previewAlias: (type) =>
    `Sie fügen für die Domain selbst einen ${type}-Eintrag hinzu, sofern Ihr Anbieter das unterstützt.`,
  pair: (name) => `Auch ${name} hinzufügen und hierher weiterleiten`,
  added: (name) => `${name} wurde hinzugefügt.`,
  twinNotAdded: (name, why) => `${name} wurde nicht hinzugefügt: ${why}`,
  suggestions: "Domains in Ihrer Website-Datei",
  suggestionsText: (file) =>
    `Die aktuelle Version nennt diese Domains in ${file}, aber sie werden noch nicht verwendet.`,
  suggestionSteps: { add: "Nicht hinzugefügt", verify: "Nicht bestätigt" },

  // Primary domain and redirects
  redirects: "Hauptdomain und Weiterleitungen",
  redirectsText:
    "Die Hauptdomain zeigt die Website. Die anderen leiten zu ihr weiter und behalten Pfad und Parameter, damit Suchmaschinen nur eine Adresse führen.",
  from: "Von",
  to: "Nach",
  code: "Statuscode",
  codes: {
    301: "301, dauerhaft",
    302: "302, vorübergehend",
    307: "307, vorübergehend, behält die Methode",
    308: "308, dauerhaft, behält die Methode",
  },
  redirectFaults: {
    cycle: ({ from, over }) =>
      `${over} leitet zu ${from} weiter, es entstünde also eine Schleife. Machen Sie die Domain, die die Website zeigt, zur Hauptdomain.`,
    chain: ({ from, over, to }) =>
      `${from} würde zu ${over} weiterleiten, das wiederum zu ${to} weiterleitet. Leiten Sie ${from} direkt zu ${to} weiter.`,
  },
  primaryOf: "Hauptdomain",
  noPrimary: "Keine: Wählen Sie eine Domain",

  // DNS and certificate
  dns: "DNS",
  dnsStates: {
    unchecked: "Nicht geprüft",
    verified: "Korrekt",
    propagating: "Breitet sich aus",
    blocked: "Braucht Aufmerksamkeit",
    unknown: "Nicht erreichbar",
    drifting: "Führt woandershin",
    moved: "Umgezogen",
  },
  certificate: "Zertifikat",
  certificateStates: {
    none: "Wartet auf DNS",
    waiting: "In Warteschlange",
    ordering: "Bestellt",
    failed: "Nicht ausgestellt",
    active: "Gültig",
    expired: "Abgelaufen",
  },
  certificateNone: "Petstore bestellt es automatisch, sobald das DNS korrekt ist.",
  certificateUntil: (day) => `Zertifikat gültig bis ${day}`,
  factChecked: "Letzte Prüfung",
  factNext: "Nächste Prüfung",
  factProvider: "Anbieter",
  factHow: "Anleitung des Anbieters",
  factEta: "Alte Antworten verfallen",
  factIssuer: "Ausgestellt von",
  internalIssuer: "dieser Installation",
  factEnds: "Gültig bis",
  factRenewed: "Erneuerung",
  factAttempts: "Versuche",
  factReason: "Letzter Fehler",
  factNextAttempt: "Nächster Versuch",

  // Records and propagation
  records: "Einträge für Ihren DNS-Anbieter",
  recordsFound: "Einträge",
  recordsText: (zone) => `Fügen Sie sie beim DNS-Anbieter von ${zone} hinzu.`,
  record: { type: "Typ", name: "Name", value: "Wert", ttl: "TTL", state: "Status" },
  recordSeen: "gesehen",
  recordStates: {
    unchecked: "Nicht geprüft",
    found: "Gefunden",
    missing: "Fehlt",
    wrong: "Anderer Wert",
    propagating: "Breitet sich aus",
    unknown: "Unbekannt",
  },
  purposes: {
    routing: "führt Besucher hierher",
    ownership: "beweist, dass die Domain Ihnen gehört",
    delegation: "erlaubt, Zertifikate im Voraus auszustellen",
  },
  optional: "optional",
  insteadOf: "nur, wenn sich der Eintrag darüber nicht hinzufügen lässt",
  aliasOrAname: "ALIAS (oder ANAME)",
  aliasNote:
    "Eine Hauptdomain ohne Subdomain kann keinen CNAME haben. Die meisten Anbieter bieten stattdessen ALIAS, ANAME oder „CNAME flattening“ an.",
  ttlNote: "TTL: Wenn 3600 nicht angeboten wird, wählen Sie den nächstgelegenen Wert.",
  enterName: (field, name) => `${field}: Geben Sie nur „${name}“ ein.`,
  enterEmpty: (field) => `${field}: Lassen Sie das Feld leer.`,
  addsZone: (provider, zone) => `${provider} hängt .${zone} an.`,
  enterValue: (field) => `${field}: Geben Sie den Wert ein, der hier steht.`,
  enterDot: (field) => `${field}: Geben Sie den Wert mit einem Punkt am Ende ein.`,
  genericName: (name, zone) =>
    `Die meisten Anbieter hängen .${zone} an: Geben Sie nur ${name} ein.`,
  instead: "Stattdessen gefunden",
  insteadAt: (servers) => `gemeldet von ${servers}`,
  differs: "Unterschied",
  nothing: "Nichts",
  propagation: "Verbreitung",
  propagationText:
    "Nameserver halten Ihre Einträge. Resolver fragen sie für Besucher ab und speichern die Antworten eine Weile.",
  server: "Server",
  says: "Antwort",
  spread: "Status",
  serverStates: {
    new: "Neuer Eintrag",
    old: "Alte Antwort",
    other: "Anderer Eintrag",
  },
  forgotten: "verfällt",

  // Findings
  findings: "Prüfungen",
  severities: { blocking: "Blockierend", warning: "Warnung" },
  observed: "Gefunden",
  expected: "Erwartet",
  fix: "So beheben Sie es",
  saidBy: (servers) => `gemeldet von ${servers}`,
  andMore: (count) => `${count} weitere`,
  stalled: "Nach 30 Minuten kein Zertifikat",
  stalledText: "Wir haben die üblichen Ursachen noch einmal geprüft.",
  stalledChecks: {
    verifies: "Die Domain ist noch bestätigt",
    caa: "CAA-Einträge erlauben das Zertifikat",
    authority: "Die Zertifizierungsstelle nimmt die Bestellung an",
  },
  stalledStates: { ok: "Ja", no: "Nein", unknown: "Unbekannt" },

  // HTTPS and timeline
  behaviour: "Rolle und HTTPS",
  hsts: "HTTPS erzwingen (HSTS)",
  hstsHint:
    "Browser, die HTTPS verwendet haben, lehnen HTTP so lange ab. Beginnen Sie mit einer kurzen Zeit: Es lässt sich nicht rückgängig machen.",
  hstsChoices: {
    0: "Aus",
    300: "5 Minuten, zum Testen",
    2_592_000: "30 Tage",
    5_184_000: "60 Tage",
    31_536_000: "1 Jahr",
    63_072_000: "2 Jahre",
  },
  hstsOther: (seconds) => `${number(seconds)} Sekunden`,
  requireHttps: {
    action: "HTTPS erzwingen",
    title: (duration) => `HTTPS erzwingen: ${duration}?`,
    text: "Browser, die HTTPS verwendet haben, lehnen HTTP so lange ab, auch wenn Sie es wieder ausschalten. Das ist sicher, solange die Domain hier bleibt oder anderswo HTTPS hat.",
  },
  timeline: "Verlauf",
  kinds: {
    added: "Hinzugefügt",
    blocked: "Prüfung fehlgeschlagen",
    verified: "Bestätigt",
    contested: "Von einem anderen Konto beansprucht",
    lost: "Zu einem anderen Konto gewechselt",
    issuing: "Zertifikat bestellt",
    issued: "Zertifikat ausgestellt",
    renewed: "Zertifikat erneuert",
    live: "Online",
    failed: "Zertifikatsbestellung fehlgeschlagen",
    stalled: "Nach 30 Minuten kein Zertifikat",
    expiring: "Zertifikat läuft bald ab",
    lapsed: "Nicht mehr im Tarif enthalten",
    resumed: "Wieder im Tarif enthalten",
    stopped: "Nicht mehr erreichbar",
    changed: "Geändert",
    refused: "Abgelehnt",
    drifting: "Führt nicht mehr hierher",
    moved: "Seit 7 Tagen woanders",
    released: "Nach 30 Tagen woanders entfernt",
    returned: "Führt wieder hierher",
    removed: "Entfernt",
  },
  showAll: (count) => `Alle ${number(count)} anzeigen`,
};

export const share: DomainWords["share"] = {
  action: "Einträge weitergeben",
  title: (name) => `Einträge von ${name} weitergeben`,
  text: (until) =>
    `Senden Sie diesen Link der Person, die das DNS verwaltet. Er zeigt ohne Konto, welche Einträge nötig sind und ob sie gefunden wurden, und sonst nichts. Er gilt bis ${until} und lässt sich nicht widerrufen.`,
  what: "Link",
  pageTitle: "DNS-Einträge",
  page: (name) => `DNS-Einträge für ${name}`,
  lead: "Tragen Sie diese Einträge beim DNS-Anbieter ein. Sie werden automatisch geprüft, und diese Seite bleibt aktuell.",
  found: "Alle diese Einträge wurden gefunden. Es ist nichts mehr zu tun.",
  checked: "Zuletzt geprüft",
  goodFor: (until) => `Dieser Link gilt bis ${until}.`,
  ended: "Dieser Link gilt nicht mehr",
  endedText:
    "Er ist abgelaufen oder unvollständig, oder die Domain wurde entfernt. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.",
};
