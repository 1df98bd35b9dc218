import type { SiteWords } from "../en/site.ts";

export const site: SiteWords = {
  about:
    "Was Besucher auf der Tierseite lesen. Änderungen sind in einer Sekunde sichtbar, ohne neue Version.",
  save: "Website speichern",
  off: "Die aktuelle Version schaltet die Tierseite ab. Diese Einstellungen haben deshalb keine Wirkung.",
  wins: (file, value) => `${file} der aktuellen Version hat Vorrang. Besucher sehen: ${value}`,
  winsOver: (file, count) =>
    count === 1
      ? `${file} der aktuellen Version bestimmt eine dieser Einstellungen, was immer Sie hier eingeben.`
      : `${file} der aktuellen Version bestimmt ${count} dieser Einstellungen, was immer Sie hier eingeben.`,

  texts: "Sprache und Texte",
  language: "Sprache der Besucherseiten",
  languageHint:
    "Schaltflächen, Daten und Beschriftungen. Namen und Beschreibungen schreiben Sie selbst.",
  languages: { en: "Englisch", de: "Deutsch", es: "Spanisch", fr: "Französisch" },
  title: "Titel",
  titleHint: (name) => `Leer: der Name des Projekts, ${name}`,
  heading: "Überschrift",
  headingHint: (usual) => `Über den Tieren. Leer: ${usual}`,
  intro: "Einleitung",
  introHint: "Unter der Überschrift. Zeilenumbrüche bleiben, wie Sie sie eingeben.",

  contact: "Kontakt",
  contactText:
    "Steht am Ende jeder Seite. Anfragen, die Besucher mit dem Formular senden, erscheinen unter „Anfragen“ und, wenn der Mailversand eingerichtet ist, an dieser E-Mail-Adresse.",
  enquiries: "Anfrageformular",
  enquiriesHint: "Ohne Formular nutzen Besucher die Kontaktdaten darunter.",
  enquiryForm: { on: "Auf der Seite jedes Tiers", off: "Kein Formular" },
  contactName: "Name des Tierheims oder der Ansprechperson",
  email: "E-Mail-Adresse",
  phone: "Telefonnummer",
  address: "Anschrift",
  hours: "Öffnungszeiten",
  website: "Ihre Website",

  links: "Links",
  linksText: "Stehen oben auf jeder Seite.",
  donate: "Spenden",
  donateHint: "Eine Adresse, die mit https:// oder mailto: beginnt",
  visit: "Besuche",
  visitHint: "Eine Adresse, die mit https://, mailto: oder tel: beginnt",

  look: "Logo und Farben",
  logo: "Logo",
  logoHint: "Ein Bild der aktuellen Version.",
  noLogo: "Kein Logo",
  noImages: "Die aktuelle Version hat noch keine Bilder.",
  addLogo: "Bild hinzufügen",
  unfitLogo:
    "Wählen Sie ein SVG-Bild mit höchstens 1 MB oder ein Bild in PNG, JPEG oder WebP mit höchstens 25 MB.",
  missingLogo: (path) => `${path} (nicht in der aktuellen Version)`,
  scheme: "Farben",
  schemes: {
    auto: "Wie im System des Besuchers",
    light: "Immer hell",
    dark: "Immer dunkel",
  },
  accent: "Akzentfarbe",
  accentHint: "Die Farbe von Links und Schaltflächen. Leer: ein warmes Rot.",
  pick: "Farbe auswählen",
  readable: "Der Kontrast ist gut.",
  adjustedDark: (shown) => `Auf Weiß zu hell: Das helle Design verwendet ${shown}.`,
  adjustedLight: (shown) => `Auf dunklem Grund zu dunkel: Das dunkle Design verwendet ${shown}.`,

  preview: "Vorschau",
  previewAnimal: "Rex",
  byDay: "Hell",
  byNight: "Dunkel",

  faults: {
    language: "Wählen Sie eine der Sprachen.",
    title: "Höchstens 120 Zeichen, keine Steuerzeichen.",
    heading: "Höchstens 120 Zeichen, keine Steuerzeichen.",
    intro: "Höchstens 4.000 Zeichen, keine Steuerzeichen.",
    enquiries: "Wählen Sie, ob es ein Formular gibt.",
    contactName: "Höchstens 120 Zeichen, keine Steuerzeichen.",
    email: "Geben Sie eine E-Mail-Adresse ein, etwa hallo@example.org.",
    phone: "Geben Sie eine Telefonnummer ein, etwa +49 30 5550100.",
    address: "Höchstens 500 Zeichen, keine Steuerzeichen.",
    hours: "Höchstens 500 Zeichen, keine Steuerzeichen.",
    website: "Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.",
    donate:
      "Geben Sie eine Adresse ein, etwa https://example.org/spenden oder mailto:spenden@example.org.",
    visit:
      "Geben Sie eine Adresse ein, etwa https://example.org/besuch, oder tel: und eine Nummer ohne Leerzeichen.",
    logo: "Wählen Sie ein Bild der aktuellen Version.",
    accent: "Geben Sie eine Farbe wie #1f6feb ein.",
    scheme: "Wählen Sie eine der Farben.",
  },
};
