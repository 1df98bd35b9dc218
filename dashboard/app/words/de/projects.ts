import type { Words } from "../en/index.ts";

export const projects: Words["projects"] = {
  title: "Projekte",
  about: "Ein Projekt veröffentlicht eine Website, die Ihre Tiere zeigt.",
  none: "Noch keine Projekte",
  noneText:
    "Ein Projekt bringt Ihre Tiere ins Netz, mit der Tierseite oder mit eigenen Seiten. Das dauert eine Minute.",
  live: "Online",
  empty: "Nicht online",
  deleted: "Gelöscht",
  domains: "Domains",
  open: "Website öffnen",
  restorable: (until) => `Das Projekt ist gelöscht. Sie können es bis ${until} wiederherstellen.`,
  restore: "Projekt wiederherstellen",
  restored: (name) => `${name} wurde wiederhergestellt.`,
  tabs: "Projekt",
  deploys: "Versionen",
  site: "Website",
  settings: "Einstellungen",

  name: "Name",
  nameHint: "Der Titel der Tierseite, sofern unter „Website“ kein anderer festgelegt ist.",
  slug: "Adresse",
  slugHint: "3 bis 40 Zeichen aus a–z, 0–9 und einzelnen Bindestrichen. Später änderbar.",
  slugFault:
    "Verwenden Sie 3 bis 40 Zeichen aus a–z, 0–9 und einzelnen Bindestrichen. Einige Namen wie www und api sind reserviert.",
  slugTaken: "Diese Adresse hat schon ein anderes Projekt. Wählen Sie eine andere.",
  starter: "Tierseite sofort veröffentlichen",
  starterHint: "Ihre Tiere sind sofort online. Eigene Seiten können Sie jederzeit veröffentlichen.",
  create: "Projekt erstellen",
  created: (name) => `${name} wurde erstellt.`,
  createdLive: (name) => `${name} ist online.`,
  readOnly:
    "Mit Ihrer Rolle können Sie diese Einstellungen ansehen, aber nicht ändern. Mitarbeitende und Inhaber können es.",
  storefront: "Tierseite",
  archive: "Website-Dateien",
};
