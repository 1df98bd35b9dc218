import type { ImportField } from "../../../../lib/import/fields.ts";
import type { ShownFault, ShownQuestion } from "../../../../lib/import/plan-shown.ts";
import type { ImportingWords } from "../en/importing.ts";
import { bytes, number, plural } from "../format.ts";
import { animalFields } from "./animal-fields.ts";

const animals = (count: number): string =>
  plural(count, { one: "1 Tier", other: `${number(count)} Tiere` });
const rows = (count: number): string =>
  plural(count, { one: "1 Zeile", other: `${number(count)} Zeilen` });

const fields: Readonly<Record<ImportField, string>> = {
  ...animalFields,
  category: animalFields.categoryId,
  categoryId: "Nummer der Kategorie",
  age: "Alter",
  secondBreed: "Zweite Rasse",
  purebred: "Reinrassig",
  notGoodWithChildren: "Nicht verträglich mit Kindern",
  notGoodWithDogs: "Nicht verträglich mit Hunden",
  notGoodWithCats: "Nicht verträglich mit Katzen",
  soldAt: "Vermittlungsdatum",
  photo: "Foto",
};

const inColumn = (column: string | undefined): string =>
  column === undefined || column === "" ? "" : ` in „${column}“`;

export const importing: ImportingWords = {
  title: "Tiere importieren",
  recent: {
    title: "Letzte Importe",
    file: "Datei",
    begun: "Begonnen",
    result: "Ergebnis",
    added: (count) => `${animals(count)} hinzugefügt`,
    changed: (count) => `${animals(count)} geändert`,
    show: (name) => `${name === "" ? "Import" : name} anzeigen`,
    action: "Anzeigen",
  },
  about:
    "Übernehmen Sie Tiere aus einer Tabelle oder einem anderen Programm. Es wird erst importiert, wenn alles in der Datei verstanden ist.",

  drop: "Datei hier ablegen, Fotos als Zip dazu",
  dropNow: "Zum Hochladen loslassen",
  dropHint: "CSV, Excel (.xlsx) oder JSON, bis 64 MB, und ein Zip mit Fotos",
  choose: "Dateien auswählen",
  another: "Andere Datei auswählen",
  columnsTitle: "Dateien",
  columnsText:
    "Nehmen Sie die Datei so, wie Ihr Programm sie exportiert. Spalten werden an ihren Namen erkannt; Sie können ändern, wofür sie stehen. Exporte von ShelterManager, Petfinder, Adopt-a-Pet, RescueGroups und Shelterluv sind bekannt.",
  template: "Vorlage herunterladen",
  templateNames: ["Rex", "Luna", "Tom, der Zweite"],

  sending: (name) => `${name} wird hochgeladen`,
  working: {
    reading: "Die Datei wird gelesen",
    running: "Tiere werden importiert",
    undoing: "Der Import wird rückgängig gemacht",
  },
  percent: (percent, seconds) =>
    seconds === undefined ? `${percent} %` : `${percent} %, noch ${number(seconds)} s`,
  keepsGoing: "Der Import läuft weiter, wenn Sie diese Seite verlassen.",
  cancel: "Import abbrechen",
  stop: "Hochladen abbrechen",

  ready: (count) => `${animals(count)} können importiert werden`,
  none: "Noch kann kein Tier importiert werden",
  recognized: (system) => `Das ist ein Export von ${system}.`,
  noRows: "Die Datei hat keine Zeilen mit Tieren.",
  allRight: "Jede Zeile ist verstanden.",
  faulty: (count) =>
    plural(count, {
      one: "1 Zeile hat einen Fehler oder einen unbekannten Wert.",
      other: `${number(count)} Zeilen haben Fehler oder unbekannte Werte.`,
    }),
  updates: (count) =>
    plural(count, {
      one: "1 Tier ist schon da und wird aktualisiert.",
      other: `${number(count)} Tiere sind schon da und werden aktualisiert.`,
    }),
  skipped: (count) => `Ausgelassen: ${rows(count)}.`,
  newCategories: (names) => `Neue Kategorien: ${names}.`,
  goodRows: (count) => `${rows(count)} auslassen und die übrigen importieren`,
  fileLine: (name, size) => `${name}, ${bytes(size)}`,
  into: (environment) => `Umgebung: ${environment}`,
  start: (count) => `${animals(count)} importieren`,
  preview: "Vorschau",

  questionsTitle: "Fragen",
  choosePlease: "Antwort auswählen",
  question: ({ code, field = "name", column = "", count = 0 }: ShownQuestion): string => {
    switch (code) {
      case "no_column":
        return `In welcher Spalte steht: ${fields[field]}?`;
      case "several_columns":
        return `Mehrere Spalten kommen in Frage für: ${fields[field]}. Welche ist es?`;
      case "no_such_column":
        return `Die Datei hat keine Spalte „${column}“. In welcher steht: ${fields[field]}?`;
      case "no_status":
        return "Wir haben keine Spalte mit dem Status gefunden. Was gilt?";
      case "too_many_categories":
        return "Die Datei hat mehr als 50 neue Kategorien. In welcher Spalte steht die Kategorie?";
      case "alike":
        return plural(count, {
          one: "1 Tier mit gleichem Namen und gleicher Kategorie ist schon da. Ist es dasselbe?",
          other: `${number(count)} Tiere mit gleichem Namen und gleicher Kategorie sind schon da. Sind es dieselben?`,
        });
      case "missing_key":
        return "Welche Tiere in der Datei fehlen, ist nicht zu erkennen: Sie hat unlesbare Zeilen oder keine Spalte mit Nummern der Tiere.";
      case "many_missing":
        return `Als vermittelt markiert würden ${animals(count)}, mehr als die Hälfte. Ist das die ganze Liste?`;
    }
  },
  datesAsked: (column, sample) =>
    `Daten in „${column}“ wie ${sample} haben zwei Bedeutungen. Ohne Antwort wird bei Geburten nur das Jahr importiert.`,
  dateOrders: { day: "Tag zuerst: 31/12/2024", month: "Monat zuerst: 12/31/2024" },
  photos: (count) =>
    plural(count, {
      one: "1 Foto gefunden. Es wird hinzugefügt, wenn das Tier noch keine Fotos hat.",
      other: `${number(count)} Fotos gefunden. Sie werden bei Tieren hinzugefügt, die noch keine Fotos haben.`,
    }),
  unusedPhotos: (count, names) =>
    plural(count, {
      one: `1 Bild im Archiv gehört zu keinem Tier: ${names.join(", ")}. Benennen Sie es nach der Nummer oder dem Namen des Tiers, zum Beispiel „Bella 2.jpg“.`,
      other: `${number(count)} Bilder im Archiv gehören zu keinem Tier: ${names.join(", ")}${count > names.length ? ", …" : ""}. Benennen Sie sie nach der Nummer oder dem Namen des Tiers, zum Beispiel „Bella 2.jpg“.`,
    }),
  allAre: (status) => `Alle Tiere: ${status}`,
  alikeSkip: "Dieselben: auslassen",
  alikeAdd: "Andere: hinzufügen",
  missing: (count, names) =>
    `Aus derselben Quelle und nicht mehr in der Datei: ${names.join(", ")}${count > names.length ? ", …" : ""}`,
  missingSell: (count) => `${animals(count)} als vermittelt markieren`,
  missingLeave: "Tiere, die in der Datei fehlen, so lassen",
  skipRows: "Diese Zeilen auslassen",
  leaveEmpty: "Leer lassen",
  sexes: { female: "Weiblich", male: "Männlich", unknown: "Nicht bestimmt" },
  sizes: { small: "Klein", medium: "Mittel", large: "Groß", extra_large: "Sehr groß" },
  answers: { yes: "Ja", no: "Nein", unknown: "Nicht getestet" },
  createCategory: (name) => `Kategorie „${name}“ anlegen`,
  columnNamed: (name, at) => (name === "" ? `Spalte ${number(at)}` : name),
  lines: (count, lines) =>
    count === 1
      ? `Zeile ${number(lines[0] ?? 0)}`
      : `${rows(count)}: Zeilen ${lines.map(number).join(", ")}${count > lines.length ? ", …" : ""}`,

  mappingTitle: "Spalten",
  columnHeading: "Spalte",
  fieldHeading: "Steht für",
  samplesHeading: "Werte",
  filledHeading: "Gefüllt",
  fieldOf: (column) => `Wofür steht „${column}“?`,
  notImported: "Nicht importiert",
  fields,

  faultsTitle: "Zeilen mit Fehlern",
  fault: "Fehler",
  lineHeading: "Zeilennummern",
  rowsHeading: "Zeilen",
  faultOf: ({ code, field = "name", found = "", column, message }: ShownFault): string => {
    switch (code) {
      case "no_name":
        return "Die Zeile hat keinen Namen.";
      case "unknown_value":
        if (found !== "") return `Was bedeutet „${found}“${inColumn(column)}? (${fields[field]})`;
        return field === "status"
          ? "Welchen Status haben Zeilen ohne Status?"
          : "Die Zeile hat keine Kategorie.";
      case "invalid_value":
        return `${fields[field]}: „${found}“ ist zu lang, liegt in der Zukunft oder enthält Zeichen, die nicht erlaubt sind.`;
      case "not_text":
        return `${fields[field]}: „${found}“ ist kein Text.`;
      case "two_categories":
        return "Die Kategorie und ihre Nummer passen nicht zusammen.";
      case "key_twice":
        return `Die Nummer „${found}“ kommt zweimal vor.`;
      case "nul":
        return "Die Zeile enthält das Zeichen U+0000.";
      case "field_count":
        return "Die Zeile hat mehr Felder als die Kopfzeile.";
      case "too_long":
        return "Die Zeile ist zu lang.";
      case "not_json":
        return "Die Zeile ist kein gültiges JSON.";
      case "not_an_object":
        return "Die Zeile muss ein JSON-Objekt sein.";
      default:
        return message;
    }
  },

  unreadable: "Die Datei ist nicht lesbar",
  asWindows: "Als Windows-1252 lesen",

  done: (count) => (count === 0 ? "Kein Tier hinzugefügt" : `${animals(count)} hinzugefügt`),
  doneText: "Ihre Seiten zeigen sie jetzt.",
  updated: (count) => `${animals(count)} aktualisiert.`,
  same: (count) => `${animals(count)} unverändert.`,
  sold: (count) => `Nicht mehr in der Datei, als vermittelt markiert: ${animals(count)}.`,
  leftOut: (count) => `${rows(count)} ausgelassen.`,
  stopped: (count) => `Der Import endete vorzeitig: ${animals(count)} hinzugefügt`,
  undone: (count) => `Der Import wurde rückgängig gemacht: ${animals(count)}`,
  kept: (count, names) =>
    `Seither geändert und deshalb geblieben: ${animals(count)} (${names.join(", ")}${count > names.length ? ", …" : ""}).`,
  photosAdded: (count) =>
    count === 1 ? "1 Foto wurde hinzugefügt." : `${count} Fotos wurden hinzugefügt.`,
  photosFailed: (count, names) =>
    `${count === 1 ? "1 Bild konnte" : `${count} Bilder konnten`} nicht gelesen oder abgerufen werden: ${[...new Set(names)].join(", ")}${count > names.length ? ", …" : ""}. Fügen Sie Fotos auf den Seiten der Tiere hinzu.`,
  undo: "Import rückgängig machen",
  undoUntil: "Die Frist zum Rückgängigmachen endet",
  toAnimals: "Tiere anzeigen",
  viewerText:
    "Ihre Rolle darf Tiere ansehen, aber nicht hinzufügen. Mitarbeitende und Inhaber dieses Kontos können importieren.",
};
