import type { ProjectSettingsWords } from "../en/project-settings.ts";

export const projectSettings: ProjectSettingsWords = {
  general: { title: "Name und Adresse", save: "Name und Adresse speichern" },
  moves: (from, to) =>
    `Besucher von ${from} werden 30 Tage lang zu ${to} weitergeleitet. Eigene Domains sind davon nicht betroffen.`,
  shown: { title: "Gezeigte Tiere", save: "Auswahl speichern" },
  shownText: "Tiere, die nicht mehr passen, verschwinden sofort von der Website.",
  statuses: "Status",
  statusFault: "Wählen Sie mindestens einen Status.",
  categories: "Kategorien",
  everyCategory: "Alle, auch künftige",
  someCategories: "Nur diese",
  categoryFault: "Wählen Sie mindestens eine Kategorie.",
  category: (id) => `Kategorie ${id}`,
  share: "Einbettung und Feeds",
  shareEmpty: "Die eingebettete Liste und die Feeds funktionieren, sobald das Projekt online ist.",
  embed: "Tiere in eine andere Website einbetten",
  embedHint:
    "Fügen Sie diesen Code dort ein, wo die Tiere erscheinen sollen. In WordPress verwenden Sie einen Block „Individuelles HTML“.",
  embedTitle: "Unsere Tiere",
  embedCode: "Code zum Einbetten",
  feeds: "Feeds",
  feedsHint: "Portale und Programme lesen hier Ihre aktuellen Tiere.",
  feedJson: "JSON Feed",
  feedAtom: "Atom",
  feedRss: "RSS",
  feedSitemap: "Sitemap",
  deletion: "Löschung",
  delete: {
    action: "Projekt löschen",
    title: (name) => `${name} löschen?`,
    text: "Nimmt die Website sofort unter allen Adressen offline. Sie können das Projekt 24 Stunden lang wiederherstellen; danach werden seine Versionen endgültig gelöscht.",
    done: (name) => `${name} wurde gelöscht, und die Website ist offline.`,
  },
  onlyOwners: "Nur Inhaber des Kontos können ein Projekt löschen.",
};
