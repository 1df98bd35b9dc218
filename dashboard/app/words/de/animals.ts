import { number, plural } from "../format.ts";
import type { AnimalsWords } from "../en/animals.ts";
import { animalFields } from "./animal-fields.ts";

export const animals: AnimalsWords = {
  title: "Tiere",
  about: "Tiere, die ein Zuhause suchen oder gefunden haben.",
  categories: "Kategorien",
  importing: "Import",
  deleted: "Kürzlich gelöscht",
  sections: "Bereiche des Bestands",

  name: animalFields.name,
  category: animalFields.categoryId,
  status: animalFields.status,
  number: "Nummer",
  numbered: (id) => `Nummer ${id}`,
  actions: "Aktionen",
  statusOf: (name) => `Status von ${name}`,

  find: "Nach Namen suchen",
  anyStatus: "Alle Status",
  anyCategory: "Alle Kategorien",
  clear: "Filter zurücksetzen",
  shown: (count, total) =>
    total === undefined || total <= count
      ? plural(count, { one: "1 Tier", other: `${number(count)} Tiere` })
      : `${number(count)} von ${number(total)} Tieren`,

  order: {
    label: "Reihenfolge",
    newest: "Neueste zuerst",
    oldest: "Älteste zuerst",
    name: "Nach Namen",
    tooMany: (most) =>
      `Nach Namen lassen sich höchstens ${number(most)} Tiere sortieren. Suchen oder filtern Sie zuerst.`,
  },
  bulk: {
    pick: "Auswählen",
    pickOne: (name) => `${name} auswählen`,
    selectAll: "Alle angezeigten auswählen",
    selected: (count) =>
      plural(count, { one: "1 ausgewählt", other: `${number(count)} ausgewählt` }),
    selectMatching: (count) => `Alle ${number(count)} passenden auswählen`,
    selectFirst: (most, count) => `Die ersten ${number(most)} von ${number(count)} auswählen`,
    actions: "Ausgewählte Tiere ändern",
    status: "Status setzen",
    category: "Kategorie setzen",
    clear: "Auswahl aufheben",
    stop: "Anhalten",
    running: "Tiere werden geändert",
    progress: (done, total) => `${number(done)} von ${number(total)}`,
    adopt: {
      title: (count) => `${count} Vermittlungen erfassen?`,
      text: "Jedes ausgewählte Tier gilt dann als vermittelt, und seine Vermittlung wird erfasst.",
      action: "Vermittlungen erfassen",
    },
    return: {
      title: (count) => `Sind ${count} Tiere wieder im Tierheim?`,
      text: "Besucher sehen diese Tiere wieder als verfügbar. Die erfassten Vermittlungen bleiben erhalten.",
      action: "Verfügbar machen",
    },
    delete: {
      title: (count) => `${count} Tiere löschen?`,
      text: "Sie verschwinden sofort von Ihren Websites. Sie lassen sich 48 Stunden lang wiederherstellen.",
      action: "Tiere löschen",
    },
    moved: {
      available: (count) =>
        plural(count, {
          one: "1 Tier ist verfügbar.",
          other: `${number(count)} Tiere sind verfügbar.`,
        }),
      pending: (count) =>
        plural(count, {
          one: "1 Tier ist reserviert.",
          other: `${number(count)} Tiere sind reserviert.`,
        }),
      sold: (count) =>
        plural(count, {
          one: "1 Tier wurde vermittelt.",
          other: `${number(count)} Tiere wurden vermittelt.`,
        }),
    },
    filed: (count, category) =>
      plural(count, {
        one: `1 Tier ist jetzt in ${category}.`,
        other: `${number(count)} Tiere sind jetzt in ${category}.`,
      }),
    removed: (count) =>
      plural(count, { one: "1 Tier gelöscht.", other: `${number(count)} Tiere gelöscht.` }),
    undone: (count) =>
      plural(count, {
        one: "1 Tier ist wieder wie zuvor.",
        other: `${number(count)} Tiere sind wieder wie zuvor.`,
      }),
    failed: (count) =>
      plural(count, {
        one: "1 Tier wurde nicht geändert.",
        other: `${number(count)} Tiere wurden nicht geändert.`,
      }),
    fault: (name, reason) => `${name}: ${reason}`,
    moreFailed: (count) => `und ${number(count)} weitere`,
    adopted: "Ein vermitteltes Tier kann nur wieder verfügbar werden.",
  },

  add: "Tier hinzufügen",
  save: "Tier speichern",
  addAnother: "Speichern und weiteres hinzufügen",
  delete: "Tier löschen",
  added: (name) => `${name} wurde hinzugefügt.`,
  addedSoFar: (names) => `Hinzugefügt: ${names}`,
  edit: "Tier bearbeiten",
  addPhotos: "Fotos hinzufügen",
  showOn: (site) => `Auf „${site}“ ansehen`,
  photosOf: {
    title: "Fotos zu mehreren Tieren hinzufügen",
    text: "Benennen Sie jede Datei nach dem Tier oder seiner Nummer: Rex.jpg, Rex 2.jpg, 7.jpg.",
    hint: (most) => `JPEG, PNG oder WebP, höchstens ${number(most)} auf einmal.`,
    looking: "Die Tiere werden gesucht",
    sending: "Fotos werden hinzugefügt",
    progress: (done, total) => `${number(done)} von ${number(total)}`,
    action: (count) =>
      plural(count, { one: "1 Foto hinzufügen", other: `${number(count)} Fotos hinzufügen` }),
    left: (count) =>
      plural(count, {
        one: "1 Datei wird ausgelassen:",
        other: `${number(count)} Dateien werden ausgelassen:`,
      }),
    beyond: (count) =>
      plural(count, {
        one: "1 weitere Datei: Fügen Sie sie danach hinzu.",
        other: `${number(count)} weitere Dateien: Fügen Sie sie danach hinzu.`,
      }),
    none: "Kein Tier hat diesen Namen oder diese Nummer.",
    several: "Mehrere Tiere heißen so. Verwenden Sie stattdessen die Nummer des Tieres.",
  },
  ordersOf: "Vermittlungen anzeigen",
  nameHint: "Für Besucher sichtbar. Bis zu 120 Zeichen.",
  newCategory: "Neue Kategorie …",
  statusHint: {
    available: "Sucht ein Zuhause.",
    pending: "Jemand hat Interesse.",
    sold: "Hat ein Zuhause. Beim Speichern wird eine Vermittlung erfasst.",
  },

  sold: (name) => `${name} wurde vermittelt.`,
  pending: (name) => `${name} ist jetzt reserviert.`,
  available: (name) => `${name} ist wieder verfügbar.`,
  return: {
    action: "Verfügbar machen",
    title: (name) => `Ist ${name} wieder im Tierheim?`,
    text: "Besucher sehen das Tier wieder als verfügbar. Die erfasste Vermittlung bleibt erhalten.",
  },

  removed: (name) => `${name} wurde gelöscht.`,
  restored: (name) => `${name} wurde wiederhergestellt.`,
  restore: "Tier wiederherstellen",
  restoreOne: (name) => `Tier wiederherstellen: ${name}`,
  export: "Tiere als CSV exportieren",
  exportPhotos: "Mit Fotos exportieren (Zip)",
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
    "Fügen Sie Tiere einzeln hinzu, oder importieren Sie eine Tabelle. Sie erscheinen sofort auf Ihren Websites.",
  emptyViewerText: "Mitarbeitende und Inhaber dieses Kontos können Tiere hinzufügen.",
  noneFoundTitle: "Keine Tiere gefunden",
  noneFoundText: "Ändern Sie die Filter, oder setzen Sie sie zurück.",
  importInstead: "Datei importieren",

  deletedAbout: "Gelöschte Tiere lassen sich 48 Stunden lang wiederherstellen.",
  deletedAt: "Gelöscht",
  restorableUntil: "Endgültig gelöscht",
  deletedEmptyTitle: "Keine gelöschten Tiere",
  deletedEmptyText: "Gelöschte Tiere bleiben 48 Stunden lang hier.",

  categoriesAbout:
    "Kategorien gliedern Ihre Tiere. Ein Projekt kann alle oder einzelne Kategorien zeigen.",
  animalsOf: "Tiere anzeigen",
  addCategory: "Kategorie hinzufügen",
  categoryName: "Name",
  categoryHint: "Bis zu 80 Zeichen. Jede Kategorie braucht einen eigenen Namen.",
  categoryAdded: (name) => `Die Kategorie ${name} wurde hinzugefügt.`,
  renameCategory: { action: "Kategorie umbenennen", title: (name) => `${name} umbenennen` },
  categoryRenamed: (name) => `Die Kategorie heißt jetzt ${name}.`,
  deleteCategory: {
    action: "Kategorie löschen",
    title: (name) => `Kategorie ${name} löschen?`,
    text: "Nur eine Kategorie ohne Tiere lässt sich löschen.",
    done: (name) => `Die Kategorie ${name} wurde gelöscht.`,
  },
  categoryInUse: (name) =>
    `${name} enthält noch Tiere. Verschieben Sie diese zuerst in eine andere Kategorie. Gelöschte Tiere zählen 48 Stunden lang mit, weil sie sich wiederherstellen lassen.`,
  categoriesEmptyTitle: "Noch keine Kategorien",
  categoriesEmptyText: "Jedes Tier gehört zu einer Kategorie, etwa Hunde, Katzen oder Kaninchen.",
};
