import type { ImportingWords } from "../en/importing.ts";
import type { LineFault } from "../../../../lib/catalogue/pet-rows.ts";
import { bytes, number, plural } from "../format.ts";

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
    "Alle auf einmal aus einer Tabelle. Zuerst sehen wir die Datei nur an; hinzugefügt wird erst, wenn Sie es sagen.",

  drop: "CSV- oder NDJSON-Datei hier ablegen",
  dropNow: "Loslassen, um die Datei anzusehen",
  dropHint: "Bis zu 64 MB, etwa eine Million Tiere.",
  choose: "Datei auswählen",
  another: "Andere Datei auswählen",
  columnsTitle: "Was in der Datei steht",
  columnsText:
    "Die erste Zeile benennt die Spalten, in beliebiger Reihenfolge. Komma, Semikolon und Tabulator trennen sie alle. Ein Export lässt sich wieder einlesen.",
  columns: [
    ["name", "Der Name des Tiers, bis zu 120 Zeichen."],
    ["category", "Der Name seiner Kategorie, oder categoryId mit ihrer Nummer."],
    ["status", "available, pending oder sold. Ohne Angabe: available."],
    ["id", "Wird nicht beachtet: Nummern werden neu vergeben."],
  ],
  template: "Vorlage herunterladen",
  templateNames: ["Rex", "Luna", "Tom, der Zweite"],

  checking: (name) => `${name} wird angesehen`,
  adding: "Die Tiere werden hinzugefügt",
  soFar: (count) => `bisher ${rows(count)}`,
  cancel: "Anhalten",

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
  allRight: "Jede Zeile stimmt.",
  fileLine: (name, size) => `${name}, ${bytes(size)}`,
  into: (environment) => `Ziel: ${environment}`,
  byCategory: "Nach Kategorie",
  byStatus: "Nach Status",
  soldNote: (count) =>
    plural(count, {
      one: "Eines davon ist vermittelt: Dafür wird eine Vermittlung angelegt.",
      other: `${number(count)} davon sind vermittelt: Für jedes wird eine Vermittlung angelegt.`,
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
  createText: (names, count) => `${names} anlegen, für ${animals(count)}`,
  start: (count) => `${animals(count)} hinzufügen`,

  faultsTitle: "Zeilen mit Fehlern",
  line: "Zeile",
  fault: "Was nicht stimmt",
  moreFaults: (count) =>
    plural(count, { one: "und 1 weitere Zeile", other: `und ${number(count)} weitere Zeilen` }),
  downloadFaults: "Liste herunterladen",

  done: (count) => (count === 0 ? "Kein Tier wurde hinzugefügt" : `${animals(count)} hinzugefügt`),
  doneText: "Ihre Websites zeigen sie sofort.",
  leftOut: (count) =>
    plural(count, {
      one: "1 Zeile wurde ausgelassen.",
      other: `${number(count)} Zeilen wurden ausgelassen.`,
    }),
  stopped: (count) => `Angehalten: bisher ${animals(count)} hinzugefügt`,
  stoppedText: (line) => `Alles vor Zeile ${number(line)} ist erledigt.`,
  unsure: (from, to) =>
    `Niemand weiß, ob die Zeilen ${number(from)} bis ${number(to)} hinzugefügt wurden. Sehen Sie bei den Tieren nach, bevor Sie weitermachen.`,
  goOn: (line) => `Ab Zeile ${number(line)} weitermachen`,
  toAnimals: "Zu den Tieren",
  viewerText:
    "Ihre Rolle erlaubt das Ansehen, nicht das Hinzufügen. Wer dieses Konto ändern darf, kann importieren.",

  empty: "In dieser Datei steht keine Zeile.",
  spreadsheet:
    "Das ist eine Arbeitsmappe. Öffnen Sie sie, speichern Sie die Tabelle als „CSV UTF-8“ und wählen Sie dann diese Datei.",
  tooLarge: (size) =>
    `Diese Datei hat ${bytes(size)}; höchstens 64 MB gehen. Teilen Sie sie in mehrere auf.`,
  unreadable:
    "Die Datei lässt sich nicht mehr lesen. Wurde sie verschoben oder geändert? Wählen Sie sie noch einmal aus.",
  header: (fault) => {
    switch (fault.code) {
      case "unknown_column":
        return fault.meant === undefined
          ? `Eine Spalte „${fault.name}“ gibt es nicht. Die erste Zeile muss die Spalten name, category und, wenn Sie mögen, status benennen.`
          : `Eine Spalte „${fault.name}“ gibt es nicht. Meinten Sie „${fault.meant}“?`;
      case "column_twice":
        return `Die Spalte „${fault.name}“ steht zweimal da.`;
      case "no_name_column":
        return "Die Spalte „name“ fehlt.";
      case "no_category_column":
        return "Genau eine der Spalten „category“ und „categoryId“ wird gebraucht.";
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
      ? `Eine Kategorie „${name}“ gibt es nicht.`
      : `Eine Kategorie „${name}“ gibt es nicht. Meinten Sie „${meant}“?`,
  missing: (field) => `„${field}“ fehlt.`,
  unknownField: (field) => `„${field}“ gibt es nicht.`,
  badName: "Der Name muss ein einzeiliger Text von 1 bis 120 Zeichen sein.",
  badStatus: (value) => `Den Status „${value}“ gibt es nicht: Er ist available, pending oder sold.`,
  badCategory: "Die Kategorie muss ein Name sein, oder categoryId eine Zahl.",
};
