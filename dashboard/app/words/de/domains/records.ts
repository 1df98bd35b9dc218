import type { records as English } from "../../en/domains/records.ts";

export const records: typeof English = {
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
};
