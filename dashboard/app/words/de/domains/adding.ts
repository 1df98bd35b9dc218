import type { adding as English } from "../../en/domains/adding.ts";

export const adding: typeof English = {
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
  previewClear: "Nichts steht im Weg. Ein Eintrag, und es läuft.",
  previewChanges: "Es läuft, sobald die Einträge geändert sind; wir zeigen Ihnen, wie.",
  previewObstacles: "Erst muss etwas behoben werden. Hinzufügen können Sie die Domain schon.",
  previewUnknown:
    "Das DNS war gerade nicht zu befragen. Hinzufügen können Sie die Domain trotzdem.",
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
};
