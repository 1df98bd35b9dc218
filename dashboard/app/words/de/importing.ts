import type { ImportingWords } from "../en/importing.ts";
import type { LineFault } from "../../../../lib/catalogue/pet-rows.ts";
import { statusWords } from "../../../../lib/catalogue/status-words.ts";
import { bytes, number, plural } from "../format.ts";

const { available, pending, sold } = statusWords.de;
const statuses = `${available}, ${pending} oder ${sold}`;

const animals = (count: number): string =>
  plural(count, { one: "1 Tier", other: `${number(count)} Tiere` });
const rows = (count: number): string =>
  plural(count, { one: "1 Zeile", other: `${number(count)} Zeilen` });

const lines: Readonly<Record<LineFault, string>> = {
  open_quote: "Ein Anführungszeichen wird nie geschlossen, oder die Zeile ist länger als 64 KiB.",
  too_long: "Die Zeile ist länger als 64 KiB.",
  unclosed_quote: "Ein Anführungszeichen wird nie geschlossen.",
  stray_quote:
    'Mitten in einem Feld steht ein Anführungszeichen. Setzen Sie das ganze Feld in Anführungszeichen, und schreiben Sie darin "" für jedes.',
  not_utf8:
    "Der Text ist nicht in UTF-8. Speichern Sie die Tabelle noch einmal: in Excel als „CSV UTF-8“, sonst mit dem Zeichensatz UTF-8.",
};

export const importing: ImportingWords = {
  title: "Tiere importieren",
  about:
    "Fügen Sie viele Tiere aus einer Tabelle hinzu. Wir prüfen die Datei zuerst; hinzugefügt wird erst nach Ihrer Bestätigung.",

  drop: "CSV- oder NDJSON-Datei hier ablegen",
  dropNow: "Loslassen, um die Datei zu prüfen",
  dropHint: "Bis zu 64 MB, etwa eine Million Tiere.",
  choose: "Datei auswählen",
  another: "Andere Datei auswählen",
  columnsTitle: "Dateiformat",
  columnsText:
    "Die erste Zeile benennt die Spalten, in beliebiger Reihenfolge, getrennt durch Komma, Semikolon oder Tabulator. Unbekannte Spalten werden nicht beachtet. Exporte lassen sich wieder importieren.",
  columns: {
    name: "Der Name des Tiers, bis zu 120 Zeichen.",
    category: "Der Name der Kategorie. Stattdessen geht auch categoryId mit ihrer Nummer.",
    status: `${statuses}. Wenn leer: ${available}.`,
    id: "Wird nicht verwendet: Petstore gibt jedem Tier eine neue Nummer.",
  },
  template: "Vorlage herunterladen",
  templateNames: ["Rex", "Luna", "Tom, der Zweite"],

  checking: (name) => `${name} wird geprüft`,
  adding: "Die Tiere werden hinzugefügt",
  soFar: (count) => `bisher ${rows(count)}`,
  cancel: "Import abbrechen",

  ready: (count) =>
    plural(count, {
      one: "1 Tier kann hinzugefügt werden",
      other: `${number(count)} Tiere können hinzugefügt werden`,
    }),
  none: "Kein Tier kann hinzugefügt werden",
  faulty: (count) =>
    plural(count, {
      one: "1 Zeile hat einen Fehler und wird ausgelassen",
      other: `${number(count)} Zeilen haben einen Fehler und werden ausgelassen`,
    }),
  allRight: "Alle Zeilen sind gültig.",
  fileLine: (name, size) => `${name}, ${bytes(size)}`,
  into: (environment) => `Umgebung: ${environment}`,
  byCategory: "Nach Kategorie",
  byStatus: "Nach Status",
  soldNote: (count) =>
    plural(count, {
      one: "Ein Tier ist bereits vermittelt. Der Import erfasst die Vermittlung.",
      other: `${number(count)} Tiere sind bereits vermittelt. Der Import erfasst für jedes eine Vermittlung.`,
    }),
  preview: "Vorschau",
  ignored: (columns) =>
    `Unbekannte Spalten werden nicht beachtet: ${columns
      .map(({ name, meant }) =>
        meant === undefined ? `„${name}“` : `„${name}“ (meinten Sie „${meant}“?)`,
      )
      .join(", ")}.`,
  createTitle: (count) =>
    plural(count, {
      one: "Eine Kategorie gibt es noch nicht",
      other: `${number(count)} Kategorien gibt es noch nicht`,
    }),
  createText: (names, count) => `${names} erstellen, für ${animals(count)}`,
  start: (count) => `${animals(count)} hinzufügen`,

  faultsTitle: "Zeilen mit Fehlern",
  line: "Zeile",
  fault: "Fehler",
  moreFaults: (count) =>
    plural(count, { one: "und 1 weitere Zeile", other: `und ${number(count)} weitere Zeilen` }),
  downloadFaults: "Fehler herunterladen",

  done: (count) => (count === 0 ? "Kein Tier wurde hinzugefügt" : `${animals(count)} hinzugefügt`),
  doneText: "Ihre Websites zeigen sie jetzt.",
  leftOut: (count) =>
    plural(count, {
      one: "1 Zeile wurde ausgelassen.",
      other: `${number(count)} Zeilen wurden ausgelassen.`,
    }),
  stopped: (count) => `Abgebrochen: bisher ${animals(count)} hinzugefügt`,
  stoppedText: (line) => `Die Zeilen vor ${number(line)} wurden importiert.`,
  unsure: (from, to) =>
    `Die Zeilen ${number(from)} bis ${number(to)} wurden möglicherweise schon hinzugefügt. Prüfen Sie Ihre Tiere, bevor Sie fortfahren.`,
  goOn: (line) => `Ab Zeile ${number(line)} fortfahren`,
  toAnimals: "Tiere anzeigen",
  viewerText:
    "Mit Ihrer Rolle können Sie Tiere ansehen, aber nicht hinzufügen. Mitarbeitende und Inhaber dieses Kontos können importieren.",

  spreadsheet:
    "Das ist eine Arbeitsmappe. Öffnen Sie sie, speichern Sie die Tabelle als „CSV UTF-8“, und wählen Sie diese Datei.",
  tooLarge: (size) =>
    `Die Datei ist ${bytes(size)} groß; höchstens 64 MB sind möglich. Teilen Sie sie in mehrere Dateien auf.`,
  unreadable:
    "Die Datei lässt sich nicht mehr lesen. Vielleicht wurde sie verschoben oder geändert. Wählen Sie sie noch einmal.",
  header: (fault) => {
    switch (fault.code) {
      case "unknown_column":
        return `Unbekannte Spalte „${fault.name}“. Meinten Sie „${fault.meant}“?`;
      case "column_twice":
        return `Die Spalte „${fault.name}“ kommt zweimal vor.`;
      case "no_name_column":
        return `Keine Spalte enthält die Namen der Tiere.${
          fault.columns.length === 0
            ? ""
            : ` Ihre Datei hat: ${fault.columns.map((column) => `„${column}“`).join(", ")}.`
        } Nennen Sie diese Spalte „name“.`;
      case "no_category_column":
        return "Die Datei braucht eine Spalte „category“ oder „categoryId“, nicht beide.";
      case "empty":
        return "Die Datei ist leer.";
      case "no_rows":
        return "Die Datei hat keine Zeilen mit Tieren.";
      case "open_quote":
      case "too_long":
      case "unclosed_quote":
      case "stray_quote":
      case "not_utf8":
        return lines[fault.code];
    }
  },
  row: (fault) => {
    switch (fault.code) {
      case "field_count":
        return `Die Zeile hat ${number(fault.found)} Felder statt ${number(fault.expected)}.`;
      case "not_json":
        return "Die Zeile ist kein gültiges JSON.";
      case "not_an_object":
        return "Die Zeile muss ein JSON-Objekt enthalten.";
      case "unknown_member":
        return `Unbekanntes Feld „${fault.name}“. Meinten Sie „${fault.meant}“?`;
      case "two_categories":
        return "Geben Sie category oder categoryId an, nicht beides.";
      case "open_quote":
      case "too_long":
      case "unclosed_quote":
      case "stray_quote":
      case "not_utf8":
        return lines[fault.code];
    }
  },
  unknownCategory: (name, meant) =>
    meant === undefined
      ? `Die Kategorie „${name}“ gibt es nicht.`
      : `Die Kategorie „${name}“ gibt es nicht. Meinten Sie „${meant}“?`,
  missing: (field) => `„${field}“ fehlt.`,
  unknownField: (field) => `Unbekanntes Feld „${field}“.`,
  badName: "Der Name muss 1 bis 120 Zeichen in einer Zeile haben.",
  badStatus: (value) => `„${value}“ ist kein Status. Verwenden Sie ${statuses}.`,
  badCategory: "Geben Sie einen Namen als category oder eine Nummer als categoryId an.",
};
