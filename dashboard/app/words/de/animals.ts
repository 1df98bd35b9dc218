import { number, plural } from "../format.ts";
import type { Words } from "../en/index.ts";

export const animals: Words["animals"] = {
  title: "Tiere",
  about: "Alle, die ein Zuhause suchen oder eines gefunden haben.",
  categories: "Kategorien",
  importing: "Import",
  deleted: "Kürzlich gelöscht",
  sections: "Bereiche des Bestands",
  stagingText:
    "Das ist Staging: ein Ort zum Ausprobieren. Besucher sehen diese Tiere nie, und Programme erreichen sie nur mit einem Testschlüssel.",

  name: "Name",
  category: "Kategorie",
  status: "Status",
  number: "Nummer",
  actions: "Aktionen",
  statusOf: (name) => `Status von ${name}`,

  find: "Nach Namen suchen",
  anyStatus: "Jeder Status",
  anyCategory: "Jede Kategorie",
  clear: "Alle zeigen",
  shown: (count, more) =>
    more
      ? `Gezeigt werden die neuesten ${number(count)}`
      : plural(count, { one: "1 Tier", other: `${number(count)} Tiere` }),

  add: "Tier hinzufügen",
  addAnother: "Speichern und noch eines",
  added: (name) => `${name} wurde hinzugefügt.`,
  addedSoFar: (names) => `Hinzugefügt: ${names}`,
  editTitle: (name) => `${name} ändern`,
  edit: "Ändern",
  ordersOf: "Seine Vermittlungen zeigen",
  nameHint: "Wie Besucher es kennen: bis zu 120 Zeichen. Zwei Tiere dürfen gleich heißen.",
  newCategory: "Neue Kategorie …",
  changed: (name) => `${name} wurde geändert.`,
  statusHint: {
    available: "Sucht ein Zuhause.",
    pending: "Jemand hat Interesse.",
    sold: "Hat ein neues Zuhause. Das legt eine Vermittlung an.",
  },

  sold: (name) => `${name} hat ein neues Zuhause. Die Vermittlung ist angelegt.`,
  pending: (name) => `${name} ist jetzt reserviert.`,
  available: (name) => `${name} ist wieder verfügbar.`,
  returnTitle: (name) => `Ist ${name} zurück?`,
  returnText:
    "Ein vermitteltes Tier wird wieder verfügbar, und Besucher sehen es sofort. Die Vermittlung bleibt stehen: Sie sagt, was damals war.",
  returnAction: "Verfügbar machen",

  removed: (name) => `${name} wurde gelöscht.`,
  restored: (name) => `${name} ist wieder da.`,
  restore: "Wiederherstellen",
  restoreOne: (name) => `${name} wiederherstellen`,
  export: "Alle als CSV exportieren",
  exporting: (count) => `Export läuft: bisher ${number(count)}`,
  exported: (count) =>
    plural(count, { one: "1 Tier exportiert.", other: `${number(count)} Tiere exportiert.` }),
  formulas: (count) =>
    plural(count, {
      one: "Ein Name beginnt mit = + - oder @: Eine Tabellenkalkulation kann ihn für eine Formel halten.",
      other: `${number(count)} Namen beginnen mit = + - oder @: Eine Tabellenkalkulation kann sie für Formeln halten.`,
    }),

  emptyTitle: "Noch keine Tiere",
  emptyText:
    "Fügen Sie sie einzeln hinzu oder alle auf einmal aus einer Tabelle. Auf Ihrer Website erscheinen sie sofort.",
  emptyViewerText: "Jemand, der dieses Konto ändern darf, muss sie hinzufügen.",
  noneFoundTitle: "Kein Tier passt dazu",
  noneFoundText: "Mit anderen oder weniger Angaben findet es sich vielleicht.",
  importInstead: "Datei importieren",

  deletedAbout: "48 Stunden lang lässt sich ein gelöschtes Tier zurückholen, so wie es war.",
  deletedAt: "Gelöscht",
  restorableUntil: "Zurückholbar bis",
  deletedEmptyTitle: "Nichts wurde gelöscht",
  deletedEmptyText: "Was Sie löschen, bleibt 48 Stunden lang hier.",

  categoriesAbout:
    "Welche Arten von Tieren es gibt. Websites und Programme können eine davon allein zeigen.",
  animalsOf: "Tiere darin zeigen",
  addCategory: "Kategorie hinzufügen",
  categoryName: "Name",
  categoryHint: "Bis zu 80 Zeichen; keine zwei Kategorien heißen gleich.",
  categoryAdded: (name) => `Die Kategorie ${name} wurde hinzugefügt.`,
  renameCategory: (name) => `${name} umbenennen`,
  rename: "Umbenennen",
  categoryRenamed: (name) => `Die Kategorie heißt jetzt ${name}.`,
  deleteCategory: (name) => `Kategorie ${name} löschen?`,
  deleteCategoryText: "Nur eine Kategorie ohne Tiere lässt sich löschen.",
  categoryDeleted: (name) => `Die Kategorie ${name} wurde gelöscht.`,
  categoryInUse: (name) =>
    `Zu ${name} gehören noch Tiere. Geben Sie ihnen zuerst eine andere Kategorie. Gelöschte Tiere zählen 48 Stunden lang mit, weil sie wiederherstellbar sind.`,
  categoriesEmptyTitle: "Noch keine Kategorien",
  categoriesEmptyText: "Jedes Tier gehört zu einer: Hunde, Katzen, Kaninchen.",
};
