import type { AnimalWords } from "../en/animal.ts";
import { number, plural } from "../format.ts";
import { animalFields } from "./animal-fields.ts";

export const animal: AnimalWords = {
  save: "Änderungen speichern",
  unsaved: "Es gibt Änderungen, die noch nicht gespeichert sind.",
  discard: "Änderungen verwerfen",
  saved: (name) => `${name} wurde gespeichert.`,
  notSet: "Nicht bekannt",
  fault: "Prüfen Sie diesen Wert.",
  yes: "Ja",
  no: "Nein",
  viewer:
    "Mit Ihrer Rolle können Sie dieses Tier ansehen, aber nicht ändern. Mitarbeitende und Inhaber können es ändern.",

  basics: "Grunddaten",
  about: "Über das Tier",
  aboutHint: "Für Besucher sichtbar, sobald Sie speichern. Lassen Sie leer, was Sie nicht wissen.",
  record: "Akte",
  staff: "Nur für Mitarbeitende",
  staffHint:
    "Nie öffentlich: nicht auf Ihren Websites, nicht in Feeds und nicht mit API-Schlüsseln lesbar.",

  fields: {
    ...animalFields,
    "birth.precision": "Angabe der Geburt",
    "birth.date": animalFields.birth,
    "breed.text": animalFields.breed,
    "breed.mixed": animalFields.mixedBreed,
    "goodWith.children": animalFields.goodWithChildren,
    "goodWith.dogs": animalFields.goodWithDogs,
    "goodWith.cats": animalFields.goodWithCats,
  },
  hints: {
    fee: "Ein Text, zum Beispiel 250 €.",
    text: "Markdown: **fett**, Listen und Links. Bis zu 32 KB.",
    externalId: "An dieser Nummer erkennt ein Import das Tier wieder.",
    source: "Zum Beispiel asm3 oder petfinder.",
    month: "Jahr und Monat, zum Beispiel 2024-03.",
    year: "Das Jahr, zum Beispiel 2024.",
  },
  sexes: { female: "Weiblich", male: "Männlich", unknown: "Nicht bestimmt" },
  sizes: { small: "Klein", medium: "Mittel", large: "Groß", extra_large: "Sehr groß" },
  answers: { yes: "Ja", no: "Nein", unknown: "Nicht getestet" },
  precisions: { day: "Genaues Datum", month: "Monat und Jahr", year: "Nur das Jahr" },
  age: (unit, count) =>
    unit === "month"
      ? plural(count, { one: "1 Monat alt", other: `${number(count)} Monate alt` })
      : plural(count, { one: "1 Jahr alt", other: `${number(count)} Jahre alt` }),

  photos: {
    title: "Fotos",
    count: (count, most) => `${number(count)} von ${number(most)}`,
    none: "Noch keine Fotos",
    add: "Fotos hinzufügen",
    drop: "Fotos hier ablegen",
    dropNow: "Loslassen, um diese Fotos hinzuzufügen",
    hint: "JPEG, PNG oder WebP, je bis zu 25 MB. Der Ort der Aufnahme wird entfernt.",
    choose: "Fotos auswählen",
    camera: "Foto aufnehmen",
    full: "Ein Tier kann 12 Fotos haben. Entfernen Sie eines, um ein anderes hinzuzufügen.",
    photo: (position) => `Foto ${number(position)}`,
    main: "Hauptfoto",
    noAlt: "Keine Beschreibung",
    edit: "Foto bearbeiten",
    editOne: (position) => `Foto ${number(position)} bearbeiten`,
    earlier: (position) => `Foto ${number(position)} nach vorn`,
    later: (position) => `Foto ${number(position)} nach hinten`,
    removeOne: (position) => `Foto ${number(position)} entfernen`,
    moved: (position, count) =>
      `Das Foto ist jetzt Nummer ${number(position)} von ${number(count)}.`,
    added: (count) =>
      plural(count, { one: "1 Foto hinzugefügt.", other: `${number(count)} Fotos hinzugefügt.` }),
    removed: "Das Foto wurde entfernt.",
    sending: (name) => `${name} wird gesendet`,
    making: (name) => `${name} wird vorbereitet`,
    dismiss: "Ausblenden",
    faults: {
      heic: "Das ist ein HEIC-Foto, das Browser nicht anzeigen können. Speichern Sie es als JPEG, oder fügen Sie es auf dem Telefon hinzu, mit dem es aufgenommen wurde.",
      no_picture:
        "Das ist kein Bild, das angezeigt werden kann. Verwenden Sie JPEG, PNG oder WebP.",
      too_large: "Diese Datei ist größer als 25 MB. Speichern Sie sie kleiner.",
      too_many:
        "Ein Tier kann 12 Fotos haben. Entfernen Sie eines, und fügen Sie dann dieses hinzu.",
    },
    refused: {
      invalid_picture:
        "Aus dieser Datei kann kein Foto werden. Speichern Sie sie noch einmal als JPEG, PNG oder WebP.",
      unsupported_media_type:
        "Diese Art von Bild wird nicht unterstützt. Speichern Sie es als JPEG, PNG oder WebP.",
      payload_too_large: "Für dieses Foto ist kein Platz.",
      limit_reached:
        "Ein Tier kann 12 Fotos haben. Entfernen Sie eines, und fügen Sie dann dieses hinzu.",
      unavailable:
        "Der Server ist ausgelastet oder nicht erreichbar. Versuchen Sie es gleich noch einmal.",
    },
    alt: "Beschreibung",
    altHint: "Was das Foto zeigt, für Menschen, die es nicht sehen. Bis zu 500 Zeichen.",
    focus: "Bildmittelpunkt",
    focusHint:
      "Die Stelle, die sichtbar bleiben muss, wenn das Foto beschnitten wird: Klicken oder tippen Sie darauf, oder bewegen Sie den Punkt mit den Pfeiltasten.",
    focusAt: (x, y) => `${number(x)} % von links, ${number(y)} % von oben`,
    centre: "In die Mitte setzen",
    savePhoto: "Foto speichern",
    saved: "Das Foto wurde gespeichert.",
  },

  history: {
    title: "Verlauf",
    none: "Keine Änderungen in den letzten 30 Tagen",
    about: "Die letzten Änderungen, bis zu 30 Tage zurück.",
    happened: {
      "pet.created": "Hinzugefügt",
      "pet.updated": "Grunddaten geändert",
      "pet.available": "Verfügbar",
      "pet.pending": "Reserviert",
      "pet.sold": "Vermittelt",
      "pet.deleted": "Gelöscht",
      "pet.restored": "Wiederhergestellt",
      "pet.profile_updated": "Steckbrief oder Reihenfolge der Fotos geändert",
      "photo.added": "Foto hinzugefügt",
      "photo.removed": "Foto entfernt",
      "order.placed": "Vermittlung erfasst",
      "order.updated": "Vermittlung geändert",
      "order.removed": "Vermittlung als Versehen entfernt",
    },
  },
};
