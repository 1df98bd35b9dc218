import { number } from "../format.ts";
import type { DomainWords } from "../en/domain-words.ts";

export const view: DomainWords["view"] = {
  // The list
  title: "Domains",
  actions: "Was sich tun lässt",
  details: "Einträge und Einzelheiten",
  visit: "Besuchen",
  noneTitle: "Noch keine Domain",
  noneText:
    "Fügen Sie Ihre hinzu, geben Sie bei Ihrem DNS-Anbieter einen Eintrag ein, und die Website ist da, mit HTTPS.",
  domain: "Domain",
  role: "Was sie tut",
  status: "Zustand",
  primary: "Zeigt die Website",
  primaryBadge: "Hauptdomain",
  leadsTo: (to) => `Führt zu ${to}`,
  twin: (name) =>
    `Besucher tippen beides: Fügen Sie auch ${name} hinzu, und lassen Sie sie hierher führen.`,
  addTwin: (name) => `${name} hinzufügen`,
  limit: (count) => `${number(count)} von 100 Domains`,

  // Actions
  add: "Domain hinzufügen",
  verify: "Prüfen",
  reverify: "Erneut prüfen",
  remove: "Entfernen",
  makePrimary: "Zur Hauptdomain machen",
  renew: "Zertifikat jetzt erneuern",
  askRenew: (name) => `Das Zertifikat von ${name} jetzt erneuern?`,
  askRenewText:
    "Es wird rechtzeitig von selbst erneuert. Eine zusätzliche Bestellung zählt bei den Limits der Zertifizierungsstelle mit; das jetzige bleibt, bis das nächste da ist.",
  renewing: "Das nächste Zertifikat wird bestellt, sobald das DNS geprüft ist.",
  export: "Zertifikat exportieren",
  askExport: (name) => `Zertifikat und privaten Schlüssel von ${name} exportieren?`,
  askExportText: (name) =>
    `Wer die Datei hat, kann sich als ${name} ausgeben. Dass exportiert wurde, wird festgehalten.`,
  exported: (name) =>
    `Zertifikat und Schlüssel von ${name} sind gespeichert. Verwahren Sie die Datei sicher.`,
  askRemove: (name) => `${name} entfernen?`,
  askRemoveText: (name) =>
    `Besucher von ${name} bekommen sofort keine Antwort mehr. 30 Tage lang wird das Zertifikat aufgehoben: Fügen Sie die Domain diesem Projekt wieder hinzu, ist sie gleich wieder live.`,
  removed: (name) => `${name} wurde entfernt und antwortet nicht mehr.`,
  cleanup: "Was Sie bei Ihrem DNS-Anbieter löschen",
  cleanupText:
    "Löschen Sie auch das, damit der Name nicht dorthin führt, wo niemand mehr für ihn antwortet.",
  addAgain: "Wieder hinzufügen",
  removedLately: "Vor Kurzem entfernt",
  removedAt: "Entfernt",

  // Status and progress
  statuses: {
    awaiting_dns: "Wartet auf DNS",
    checking: "Wird geprüft",
    verified: "Bestätigt",
    issuing: "Zertifikat unterwegs",
    live: "Live",
    attention: "Braucht Aufmerksamkeit",
    removed: "Entfernt",
  },
  stages: {
    asked: "Nameserver gefragt",
    verified: "Einträge bestätigt",
    certified: "Zertifikat ausgestellt",
    tried: "Zertifikat erprobt",
    live: "Live",
  },
  stageStates: {
    done: "erledigt",
    current: "läuft",
    stuck: "angehalten",
    ahead: "steht noch aus",
  },
  progress: "Fortschritt",
  asking: "Die Nameserver werden gefragt. Das dauert bis zu zehn Sekunden.",
  liveness: {
    connecting: "Wird verbunden",
    live: "Immer aktuell",
    polling: "Fragt alle 20 Sekunden nach",
  },
  checked: "Nachgesehen",
  neverChecked: "Noch nicht nachgesehen",
  nextCheck: "Das nächste Mal in",
  nextCheckNow: "jetzt",
  noNextCheck: "Von selbst wird nicht mehr nachgesehen: Wählen Sie „Prüfen“.",

  // Prerequisites
  readyTitle: "Bevor Sie beginnen",
  readyText: "Drei Dinge müssen da sein. Zwei davon sehen wir selbst.",
  ready: {
    plan: "Ein bezahlter Tarif, Pro oder höher",
    dns: "Zugang zu den DNS-Einstellungen Ihrer Domain",
    deploy: "Ein veröffentlichtes Projekt",
  },
  readyStates: { met: "Vorhanden", unmet: "Fehlt", yours: "Bei Ihnen" },
  planMet: (plan) => `Das Konto hat den Tarif ${plan}.`,
  planUnmet: (plan) => `Das Konto hat den Tarif ${plan}. Eigene Domains gibt es ab Pro.`,
  planAction: "Zu den Tarifen",
  planChange: "Tarif ändern",
  planAsk: "Wer diesen Dienst betreibt, kann ihn ändern.",
  suspended: "Das Konto ist gesperrt; wer diesen Dienst betreibt, kann die Sperre aufheben.",
  dnsText:
    "Sie bekommen einen Eintrag, den Sie dort eingeben, wo die Domain gekauft wurde oder wo ihre Nameserver sind. Kümmert sich jemand anderes darum, sollte diese Person erreichbar sein.",
  dnsAction: "So geht das",
  deployMet: (when) => `Zuletzt veröffentlicht: ${when}.`,
  deployUnmet: "Noch ist nichts veröffentlicht; die Domain hätte nichts zu zeigen.",
  deployAction: "Zu den Versionen",
  starterAction: "Tierseite veröffentlichen",
  starterDone: "Die Tierseite ist online.",

  // Adding a domain
  addTitle: "Eine Domain hinzufügen",
  addLabel: "Domain oder Subdomain",
  addHint:
    "Zum Beispiel tiere.tierheim.org. Aus einer eingefügten Adresse nehmen wir den Namen heraus.",
  taken: (name) => `Wir nehmen ${name}.`,
  asciiOf: (ascii) => `Im DNS: ${ascii}`,
  lookAlikes: {
    mixed_scripts:
      "In diesem Namen stehen Buchstaben mehrerer Alphabete. Vergewissern Sie sich, dass er Ihnen gehört und so gemeint ist.",
    resembles_latin:
      "Buchstaben dieses Namens sehen aus wie lateinische und sind andere. Vergewissern Sie sich, dass er so gemeint ist.",
  },
  faults: {
    empty: "Geben Sie eine Domain ein, zum Beispiel tiere.tierheim.org.",
    ip_address:
      "Das ist eine IP-Adresse. Geben Sie einen Namen ein, zum Beispiel tiere.tierheim.org.",
    wildcard: "Platzhalter sind nicht möglich. Fügen Sie jeden Namen einzeln hinzu.",
    single_label: "Nach dem Namen fehlt noch etwas, zum Beispiel .org.",
    too_long: "Eine Domain hat höchstens 253 Zeichen.",
    mail: "Das sieht nach einer E-Mail-Adresse aus. Geben Sie nur den Namen der Domain ein.",
    invalid:
      "Buchstaben, Ziffern und Bindestriche, mit Punkten dazwischen: wie tiere.tierheim.org.",
    attached: "Dieses Projekt hat die Domain schon.",
  },
  refusedNames: {
    own_domain: () => "Dieser Name gehört zu diesem Dienst. Geben Sie eine eigene Domain ein.",
    special_use: (name) =>
      `${name} gibt es im öffentlichen DNS nicht, und für solche Namen werden keine Zertifikate ausgestellt.`,
    public_suffix: (name) =>
      `Unter ${name} werden Domains registriert. Geben Sie Ihre ein, zum Beispiel tierheim.${name}.`,
  },
  previewing: "Das DNS dieses Namens wird geprüft",
  outlooks: {
    clear: "Nichts steht im Weg. Ein Eintrag, und es läuft.",
    changes: "Es läuft, sobald die Einträge geändert sind; wir zeigen Ihnen, wie.",
    obstacles: "Erst muss etwas behoben werden. Hinzufügen können Sie die Domain schon.",
    unknown: "Das DNS war gerade nicht zu befragen. Hinzufügen können Sie die Domain trotzdem.",
  },
  previewProvider: (name) => `Das DNS liegt bei ${name}.`,
  previewServers: (servers) => `Die Nameserver sind ${servers}.`,
  previewRecord: (type, name) => `Sie werden einen ${type}-Eintrag mit dem Namen ${name} eingeben.`,
  previewAlias: (type) =>
    `Sie werden für die Domain selbst einen Eintrag vom Typ ${type} eingeben, sofern Ihr Anbieter das hat.`,
  pair: (name) => `Auch ${name} hinzufügen und hierher führen lassen`,
  added: (name) => `${name} wurde hinzugefügt.`,
  twinNotAdded: (name, why) => `${name} wurde nicht hinzugefügt: ${why}`,
  suggestions: "Ihre Website wünscht sich diese Domains",
  suggestionsText: (file) =>
    `Sie stehen in ${file} der veröffentlichten Version und sind noch nicht in Gebrauch.`,
  suggestionSteps: { add: "Nicht hinzugefügt", verify: "Noch nicht bestätigt" },

  // Primary domain and redirects
  redirects: "Hauptdomain und Weiterleitungen",
  redirectsText:
    "Eine Domain zeigt die Website. Die anderen führen zu ihr: Pfad und Parameter bleiben erhalten, und Suchmaschinen erfahren, welche zählt.",
  from: "Von",
  to: "Nach",
  code: "Status",
  codes: {
    301: "301, dauerhaft",
    302: "302, vorübergehend",
    307: "307, vorübergehend, behält die Methode",
    308: "308, dauerhaft, behält die Methode",
  },
  redirectFaults: {
    cycle: ({ from, over }) =>
      `${over} führt zu ${from}: Besucher kämen im Kreis. Machen Sie die zur Hauptdomain, die die Website zeigt.`,
    chain: ({ from, over, to }) =>
      `${from} würde zu ${over} führen, und diese weiter zu ${to}. Lassen Sie ${from} gleich zu ${to} führen.`,
  },
  primaryOf: "Hauptdomain",
  noPrimary: "Keine: Wählen Sie, welche die Website zeigt.",
  saved: "Gespeichert.",
  nowPrimary: (name) => `${name} zeigt jetzt die Website.`,
  askPrimary: (name) => `Soll ${name} die Website zeigen?`,
  askPrimaryText: (name) =>
    `Die anderen führen dann zu ${name}. Beide antworten die ganze Zeit; niemand sieht einen Fehler.`,

  // DNS and certificate
  dns: "DNS",
  dnsStates: {
    unchecked: "Noch nicht gefragt",
    verified: "Richtig",
    propagating: "Richtig, breitet sich aus",
    blocked: "Noch nicht richtig",
    unknown: "Nicht zu erreichen",
  },
  certificate: "Zertifikat",
  certificateStates: {
    none: "Kommt nach dem DNS",
    waiting: "Wird gleich bestellt",
    ordering: "Wird ausgestellt",
    failed: "Noch nicht ausgestellt",
    active: "Gültig",
    expired: "Abgelaufen",
  },
  certificateNone: "Es wird von selbst bestellt, sobald das DNS stimmt.",
  certificateUntil: (day) => `Zertifikat bis ${day}`,
  factChecked: "Zuletzt gefragt",
  factNext: "Wird gefragt in",
  factProvider: "Anbieter",
  factHow: "Wie man dort einen Eintrag anlegt",
  factEta: "Alte Antworten weg",
  factIssuer: "Ausgestellt von",
  internalIssuer: "dieser Installation",
  factEnds: "Gültig bis",
  factRenewed: "Erneuert ab",
  factAttempts: "Versuche",
  factReason: "Letzte Auskunft",
  factNextAttempt: "Nächster Versuch",
  never: "noch nie",

  // Records and propagation
  records: "Das geben Sie bei Ihrem DNS-Anbieter ein",
  recordsFound: "Einträge",
  recordsText: (zone) =>
    `Dort, wo das DNS von ${zone} verwaltet wird. Jedes Feld lässt sich kopieren.`,
  record: { type: "Typ", name: "Name", value: "Wert", ttl: "TTL", state: "Gesehen" },
  recordStates: {
    unchecked: "Noch nicht gefragt",
    found: "Gefunden",
    missing: "Noch nicht da",
    wrong: "Anderer Wert",
    propagating: "Breitet sich aus",
    unknown: "Nicht zu erreichen",
  },
  purposes: {
    routing: "führt Besucher hierher",
    ownership: "beweist, dass die Domain Ihnen gehört",
    delegation: "lässt Zertifikate im Voraus ausstellen",
  },
  optional: "nicht zwingend",
  insteadOf: "nur, wo sich der Eintrag darüber nicht eingeben lässt",
  aliasOrAname: "ALIAS (oder ANAME)",
  aliasNote:
    "Für die Domain selbst geht kein CNAME. Manche Anbieter nennen es ALIAS, andere ANAME oder „CNAME flattening“; nicht alle haben es.",
  ttlNote: "Wird 3600 nicht angeboten, nehmen Sie, was dem am nächsten kommt.",
  enterName: (field, name) => `${field}: Geben Sie nur „${name}“ ein.`,
  enterEmpty: (field) => `${field}: Lassen Sie das Feld leer.`,
  addsZone: (provider, zone) => `${provider} setzt .${zone} von selbst dahinter.`,
  enterValue: (field) => `${field}: der Wert, wie er hier steht.`,
  enterDot: (field) => `${field}: der Wert, mit einem Punkt am Ende.`,
  genericName: (name, zone) =>
    `Die meisten Anbieter setzen .${zone} von selbst dahinter: Geben Sie nur ${name} ein.`,
  instead: "Stattdessen gefunden",
  insteadAt: (servers) => `laut ${servers}`,
  differs: "Hier ist es anders",
  nothing: "nichts",
  propagation: "Welcher Server was sagt",
  propagationText:
    "Nameserver haben Ihre Einträge; Resolver fragen sie für die Besucher und merken sich die Antwort eine Weile.",
  server: "Server",
  says: "Sagt",
  spread: "Stand",
  serverStates: {
    new: "Hat den neuen Eintrag",
    old: "Hat eine alte Antwort",
    other: "Hat einen anderen Eintrag",
  },
  forgotten: "vergessen am",

  // Findings
  findings: "Was gefunden wurde",
  severities: { blocking: "Hält auf", warning: "Gut zu wissen" },
  observed: "Gesehen",
  expected: "Sollte sein",
  fix: "Was zu tun ist",
  saidBy: (servers) => `laut ${servers}`,
  andMore: (count) => `${count} weitere`,
  openPage: "Seite der Zertifizierungsstelle öffnen",
  stalled: "Nach 30 Minuten kein Zertifikat",
  stalledText: "Daran liegt es meistens. Wir haben jeden Punkt noch einmal angesehen.",
  stalledChecks: {
    verifies: "Die Domain ist noch bestätigt",
    caa: "CAA-Einträge erlauben das Zertifikat",
    authority: "Die Zertifizierungsstelle hat nicht abgelehnt",
  },
  stalledStates: { ok: "Ja", no: "Nein", unknown: "Nicht bekannt" },

  // HTTPS and history
  behaviour: "Was diese Domain tut",
  hsts: "Browser bestehen auf HTTPS",
  hstsAction: "Auf HTTPS bestehen",
  hstsHint:
    "Wer einmal über HTTPS kam, wird so lange von unverschlüsseltem HTTP abgehalten (HSTS). Beginnen Sie mit einer kurzen Zeit: Es lässt sich nicht zurücknehmen.",
  hstsChoices: {
    0: "Nicht verlangt",
    300: "5 Minuten, zum Ausprobieren",
    2_592_000: "30 Tage",
    5_184_000: "60 Tage",
    31_536_000: "1 Jahr",
    63_072_000: "2 Jahre",
  },
  hstsOther: (seconds) => `${number(seconds)} Sekunden`,
  askHsts: (duration) => `Auf HTTPS bestehen: ${duration}?`,
  askHstsText:
    "Browser, die das gehört haben, lehnen unverschlüsseltes HTTP so lange ab, auch wenn Sie es zurücknehmen. Das ist sicher, solange die Domain hier bleibt oder anderswo HTTPS hat.",
  timeline: "Was geschehen ist",
  kinds: {
    added: "Hinzugefügt",
    blocked: "Nachgesehen, noch nicht richtig",
    verified: "Bestätigt",
    contested: "Von einem anderen Konto beansprucht",
    lost: "An ein anderes Konto gegangen",
    issuing: "Zertifikat bestellt",
    issued: "Zertifikat ausgestellt",
    renewed: "Zertifikat erneuert",
    live: "Live",
    failed: "Die Zertifizierungsstelle hat abgelehnt",
    stalled: "Nach 30 Minuten kein Zertifikat",
    expiring: "Das Zertifikat läuft bald ab",
    lapsed: "Nicht mehr im Tarif enthalten",
    resumed: "Wieder im Tarif enthalten",
    stopped: "Nicht mehr erreichbar",
    changed: "Geändert",
    refused: "Abgelehnt",
    removed: "Entfernt",
  },
  showAll: (count) => `Alle ${number(count)} anzeigen`,
};
