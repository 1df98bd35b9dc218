import type { DeploysWords } from "../en/deploys.ts";
import { bytes, number, plural } from "../format.ts";

const files = (count: number): string =>
  plural(count, { one: "1 Datei", other: `${number(count)} Dateien` });

export const deploys: DeploysWords = {
  liveNow: "Aktuelle Version",
  nothing: "Noch keine Version online",
  nothingText:
    "Laden Sie unten Ihre eigene Website hoch, oder beginnen Sie mit der Tierseite. Sie zeigt Ihre Tiere sofort.",
  starter: {
    action: "Tierseite veröffentlichen",
    title: "Zurück zur Tierseite?",
    text: "Besucher sehen die Tierseite statt Ihrer Seiten, Fotos und Texte. Sie können das jederzeit zurücknehmen.",
  },
  by: (author) => `von ${author}`,
  size: (count, size) => `${files(count)}, ${bytes(size)}`,
  open: "Website öffnen",
  preview: "Vorschau",
  rollBack: {
    action: "Version zurückrollen",
    title: "Zur vorherigen Version zurückrollen?",
    text: "Die vorherige Version geht wieder online. Nichts wird gelöscht: Sie können diese Version erneut veröffentlichen.",
    done: (what) => `Zurückgerollt. Jetzt online: ${what}`,
  },

  send: "Neue Version",
  drop: "Ordner, .tar.gz oder .zip hier ablegen",
  dropHint: "Bis zu 5.000 Dateien und 250 MB.",
  dropNow: "Loslassen, um zu prüfen",
  chooseFolder: "Ordner auswählen",
  chooseArchive: "Archiv auswählen",
  looking: (found) => `Wird geprüft: ${files(found)}`,
  packedArchive: (size) => `Archiv, ${bytes(size)}`,
  leftOut: (count) =>
    plural(count, {
      one: "1 Eintrag ausgelassen, der nicht auf eine Website gehört:",
      other: `${number(count)} Einträge ausgelassen, die nicht auf eine Website gehören:`,
    }),
  andMore: (count) => `und ${number(count)} weitere`,
  noIndex: "Ohne index.html ist die Tierseite die Startseite.",
  message: "Beschreibung",
  messageHint: "Optional. Kennzeichnet diese Version in der Liste.",
  when: "Nach dem Hochladen",
  activate: "Sofort veröffentlichen",
  activateHint: "Die neue Website ersetzt die alte in einem Schritt.",
  onlyPreview: "Zuerst Vorschau, später veröffentlichen",
  sendNow: "Website hochladen",
  packing: "Wird gepackt",
  sending: "Wird hochgeladen",
  processing: "Wird verarbeitet",
  sent: (sent, total) => `${bytes(sent)} von ${bytes(total)}`,
  stop: "Hochladen abbrechen",
  nowLive: "Die Version ist online.",
  nowReady: "Die Version ist bereit. Sie können sie ansehen und veröffentlichen.",
  refused:
    "Der Upload wurde abgelehnt. Besucher sehen weiterhin die vorherige Version, falls es eine gibt.",

  goneTitle: "Dateien der Website verschwinden",
  goneText: "Dieser Version fehlen Dateien der aktuellen Website. Besucher fänden nicht mehr:",
  goneFiles: (count) => files(count),
  gonePhotos: (animals) =>
    plural(animals, {
      one: "das Foto von 1 Tier",
      other: `die Fotos von ${number(animals)} Tieren`,
    }),
  goneTexts: (animals) =>
    plural(animals, { one: "den Text zu 1 Tier", other: `die Texte zu ${number(animals)} Tieren` }),
  goneSettings: "die Einstellungen in petstore.site.json",
  publishAnyway: "Trotzdem veröffentlichen",
  addToLive: "Zur Website hinzufügen",
  addToLiveHint:
    "Beim Hinzufügen bleiben alle Dateien der aktuellen Website; gleichnamige werden ersetzt.",
  goneBefore: "Mit der vorherigen Version verschwunden:",
  unused: (count) =>
    plural(count, {
      one: "Die Tierseite verwendet 1 Datei unter animals/ nicht:",
      other: `Die Tierseite verwendet ${number(count)} Dateien unter animals/ nicht:`,
    }),
  unusedReasons: {
    folder: "Der Ordner ist keine Nummer eines Tieres.",
    place: "Legen Sie sie direkt in den Ordner eines Tieres, etwa animals/7/.",
    photo_name: "Nennen Sie sie photo, etwa photo.jpg.",
    photo_format: "Speichern Sie sie als JPEG, PNG, WebP oder AVIF.",
    text_name: "Nennen Sie sie bio.md.",
    unknown_animal: "Es gibt kein Tier mit dieser Nummer.",
    text_too_long: "Der Text ist größer als 64 KiB.",
    text_not_utf8: "Speichern Sie den Text als UTF-8.",
  },

  adopt: {
    open: "Dateien in Steckbriefe verschieben",
    title: "Fotos und Texte in Steckbriefe verschieben?",
    titleDone: "Fotos und Texte in Steckbriefen",
    text: (animals) =>
      plural(animals, {
        one: "Die aktuelle Version hat ein Foto oder einen Text zu 1 Tier. Sie kommen in seinen Steckbrief, in dem Mitarbeitende sie ändern können.",
        other: `Die aktuelle Version hat Fotos oder Texte zu ${number(animals)} Tieren. Sie kommen in die Steckbriefe, in denen Mitarbeitende sie ändern können.`,
      }),
    undo: "Besucher sehen dieselbe Website. Dateien, die einem Steckbrief widersprechen, bleiben. Wenn Sie die Version zurückrollen, sind die Dateien wieder da.",
    action: "Dateien verschieben",
    nothing: "Die aktuelle Version hat keine Fotos oder Texte zu Tieren, wie animals/7/photo.jpg.",
    running: "Dateien werden verschoben",
    progress: (done, total) => `${number(done)} von ${number(total)} Tieren`,
    done: (count) =>
      plural(count, {
        one: "1 Datei ist jetzt in einem Steckbrief.",
        other: `${number(count)} Dateien sind jetzt in Steckbriefen.`,
      }),
    skipped: (count) =>
      plural(count, {
        one: "1 Datei bleibt in der Version:",
        other: `${number(count)} Dateien bleiben in der Version:`,
      }),
  },

  list: "Versionen",
  listText:
    "Petstore bewahrt die letzten 20 Versionen auf, dazu die aktuelle und alle angehefteten.",
  listEmpty:
    "Alles, was Sie veröffentlichen, erscheint hier und lässt sich erneut veröffentlichen.",
  deploy: "Version",
  state: "Status",
  sentBy: "Hochgeladen",
  sizeColumn: "Größe",
  actions: "Aktionen",
  states: {
    uploading: "Wird hochgeladen",
    processing: "Wird verarbeitet",
    ready: "Bereit",
    live: "Online",
    superseded: "Ersetzt",
    failed: "Fehlgeschlagen",
  },
  pinned: "Angeheftet",
  publish: "Veröffentlichen",
  publishAgain: "Erneut veröffentlichen",
  published: (what) => `Jetzt online: ${what}`,
  pin: "Version anheften",
  unpin: "Anheftung aufheben",
  nowPinned: "Angeheftet: Die Version wird aufbewahrt, bis Sie die Anheftung aufheben.",
  nowUnpinned: "Anheftung aufgehoben: Neuere Versionen können diese verdrängen.",
  changes: "Mit aktueller Version vergleichen",
  files: "Dateien anzeigen",
  delete: {
    action: "Version löschen",
    title: "Diese Version löschen?",
    text: "Ihre Dateien und ihre Vorschau werden endgültig gelöscht.",
    done: "Die Version wurde gelöscht.",
  },

  compared: "Unterschiede zur aktuellen Version",
  comparedText: (what) => `Diese Änderungen sähen Besucher, wenn „${what}“ online wäre.`,
  same: "Keine Unterschiede: dieselben Dateien, derselbe Inhalt.",
  added: "Neu",
  changed: "Geändert",
  removed: "Entfernt",
  moreChanges: "Weitere Änderungen werden nicht angezeigt.",
  filesOf: (what) => `Dateien von „${what}“`,
  filter: "Dateien durchsuchen",
  noneFound: "Keine Dateien gefunden.",
  empty: "Diese Version hat keine Dateien: Sie ist die Tierseite.",
};
