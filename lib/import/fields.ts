import { normalized } from "../base/normalized.ts";
import { wordForm } from "../model/text.ts";

/** A field of an imported animal that a column can give. */
export type ImportField = keyof typeof fieldKinds;

/** How the values of a field are read, and whether several columns can give it together. */
interface FieldRule {
  readonly kind:
    | "name"
    | "category"
    | "categoryId"
    | "status"
    | "sex"
    | "size"
    | "yesNo"
    | "date"
    | "age"
    | "line"
    | "lines"
    | "key"
    | "photo";
  /** Several columns give one value together, in the order of the file. */
  readonly joins?: true;
}

/** The fields in the order in which they are shown. */
const fieldKinds = {
  name: { kind: "name" },
  category: { kind: "category" },
  categoryId: { kind: "categoryId" },
  status: { kind: "status" },
  sex: { kind: "sex" },
  neutered: { kind: "yesNo" },
  birth: { kind: "date" },
  age: { kind: "age" },
  breed: { kind: "line" },
  secondBreed: { kind: "line" },
  mixedBreed: { kind: "yesNo" },
  purebred: { kind: "yesNo" },
  colour: { kind: "line" },
  size: { kind: "size" },
  goodWithChildren: { kind: "yesNo" },
  goodWithDogs: { kind: "yesNo" },
  goodWithCats: { kind: "yesNo" },
  notGoodWithChildren: { kind: "yesNo" },
  notGoodWithDogs: { kind: "yesNo" },
  notGoodWithCats: { kind: "yesNo" },
  specialNeeds: { kind: "lines", joins: true },
  fee: { kind: "line" },
  text: { kind: "lines", joins: true },
  staffNotes: { kind: "lines", joins: true },
  microchip: { kind: "key" },
  externalId: { kind: "key" },
  source: { kind: "line" },
  intakeAt: { kind: "date" },
  soldAt: { kind: "date" },
  photo: { kind: "photo", joins: true },
} as const satisfies Readonly<Record<string, FieldRule>>;

/** Returns the names of the fields, in the order in which they are shown. */
export const importFields: readonly ImportField[] = Object.keys(fieldKinds).filter(isField);

function isField(name: string): name is ImportField {
  return Object.hasOwn(fieldKinds, name);
}

/** Returns how the values of a field are read. */
export function ruleOf(field: ImportField): FieldRule {
  return fieldKinds[field];
}

/** Returns the form in which column names are compared: without case, accents, white space and punctuation. */
export function columnForm(name: string): string {
  return normalized(wordForm(name), "NFD").replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * The names of columns for each field, in the order of preference: the field's own name, then English and German words
 * and the names that shelter programs use.
 */
const columnNames: Readonly<Record<ImportField, string>> = {
  name: "name, animal name, pet name, tiername, rufname, nombre, nom",
  category:
    "category, categories, species, animal species, type, animal type, pet type, kategorie, tierart, art, gattung, spezies, especie, espece, categoria, categorie",
  categoryId: "category id, category number, kategorie id, kategorienummer, nummer der kategorie",
  status:
    "status, adoption status, animal status, availability, outcome type, verfugbarkeit, vermittlungsstatus, estado, statut",
  sex: "sex, gender, animal sex, sex upon outcome, geschlecht, sexo, sexe",
  neutered:
    "neutered, altered, spayed neutered, spayed, sterilized, sterilised, fixed, kastriert, sterilisiert, esterilizado, sterilise",
  birth:
    "birth, birth date, birthdate, date of birth, dob, birthday, born, animal dob, geburtsdatum, geburtstag, geboren, geboren am, geb, fecha de nacimiento, date de naissance",
  age: "age, animal age, age upon outcome, alter, edad",
  breed:
    "breed, primary breed, pri breed, breed primary, breeds primary, breed 1, rasse, raza, race",
  secondBreed:
    "second breed, secondary breed, sec breed, breed secondary, breeds secondary, breed 2, zweite rasse",
  mixedBreed: "mixed breed, mixed, mix, is mixed, breeds mixed, mischling",
  purebred: "purebred, pure bred, reinrassig",
  colour:
    "colour, color, primary color, primary colour, color primary, colors primary, animal color, farbe, fellfarbe",
  size: "size, animal size, grosse, große, groesse, tamano, taille",
  goodWithChildren:
    "good with children, good with kids, ok with kids, ok with children, kids, children, good w kids, kinder, kinderlieb, vertragt kinder, vertraglich mit kindern, environment children",
  goodWithDogs:
    "good with dogs, ok with dogs, good w dogs, dog friendly, hundefreundlich, vertragt hunde, vertraglich mit hunden, environment dogs",
  goodWithCats:
    "good with cats, ok with cats, good w cats, cat friendly, katzenfreundlich, vertragt katzen, vertraglich mit katzen, environment cats",
  notGoodWithChildren:
    "not good with children, no kids, no children, keine kinder, nicht vertraglich mit kindern",
  notGoodWithDogs: "not good with dogs, no dogs, keine hunde, nicht vertraglich mit hunden",
  notGoodWithCats: "not good with cats, no cats, keine katzen, nicht vertraglich mit katzen",
  specialNeeds:
    "special needs, special needs notes, besondere bedurfnisse, besonderheiten, handicap",
  fee: "fee, adoption fee, price, schutzgebuhr, vermittlungsgebuhr, gebuhr, preis",
  text: "text, description, bio, biography, desc, dsc, memo, web memo, kennel card web memo, story, about, beschreibung, beschreibungstext, steckbrief, geschichte",
  staffNotes:
    "staff notes, notes, note, internal notes, comments, remarks, bemerkung, bemerkungen, notiz, notizen, interne notizen, anmerkungen, kommentar",
  microchip:
    "microchip, microchip number, chip, chip number, chip nr, chipnummer, transponder, transpondernummer, mikrochip, microchip no",
  externalId:
    "external id, external number, animal id, animal code, shelter code, animal number, tier id, tiernummer, tier nr, externe nummer",
  source: "source, external source, quelle, external system, externes system",
  intakeAt:
    "intake at, intake date, intake, date in, entry date, arrival date, arrived, animal entry date, aufnahmedatum, aufnahme, aufgenommen am, im tierheim seit, eingang, eingangsdatum",
  soldAt:
    "sold at, adoption date, adopted at, adopted on, date adopted, outcome date, vermittelt am, vermittlungsdatum",
  photo:
    "photo, photos, picture, pictures, image, images, photo url, image url, picture url, animal image, foto, fotos, bild, bilder, photos full, photo 1, photo 2, photo 3, photo 4, photo 5, photo 6",
};

/** A field that a column's name stands for; the lower the rank, the better the name. */
interface Named {
  readonly field: ImportField;
  readonly rank: number;
}

const byColumn: ReadonlyMap<string, Named> = new Map(
  importFields.flatMap((field) =>
    [field, ...columnNames[field].split(",")].map((name, rank): [string, Named] => [
      columnForm(name),
      { field, rank },
    ]),
  ),
);

/** Returns the field that a column's name stands for. */
export function fieldNamed(column: string): Named | undefined {
  return byColumn.get(columnForm(column));
}

/** Returns the field whose own name is `word`, ignoring case and punctuation, for choices that people type. */
export function fieldTyped(word: string): ImportField | undefined {
  const form = columnForm(word);
  return importFields.find((field) => columnForm(field) === form) ?? byColumn.get(form)?.field;
}

/** Names of columns that are understood and not imported: Petstore gives every animal a number of its own. */
const unused: ReadonlySet<string> = new Set(
  "id, number, nr, nummer, lfd nr, row, count, no, url, link, created at, updated at"
    .split(",")
    .map(columnForm),
);

/** Returns true for a column that numbers the animals of a file, and is not imported. */
export function isNumberColumn(column: string): boolean {
  return ["id", "number", "nr", "nummer"].includes(columnForm(column));
}

/** Returns true for a column that is understood although no field takes it. */
export function isUnused(column: string): boolean {
  const form = columnForm(column);
  return form === "" || unused.has(form);
}
