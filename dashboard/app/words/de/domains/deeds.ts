import type { deeds as English } from "../../en/domains/deeds.ts";

export const deeds: typeof English = {
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
};
