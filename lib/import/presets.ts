import type { DateOrder } from "./dates.ts";
import { columnForm, type ImportField } from "./fields.ts";

/** The names of the presets: systems whose exports are recognised by their header. */
export const importPresets = [
  "asm3",
  "petfinder",
  "adoptapet",
  "rescuegroups",
  "shelterluv",
  "austin",
  "sonoma",
] as const;
/** The name of a preset. */
export type ImportPreset = (typeof importPresets)[number];

/** What a system's exports look like. */
export interface Preset {
  readonly name: ImportPreset;
  /** The system's name, for people. */
  readonly title: string;
  /** A file with all of these columns is such an export. */
  readonly known: readonly string[];
  /** The columns that give fields. The others are known, and not imported. */
  readonly columns: Readonly<Record<string, ImportField>>;
  /** What words mean in this system, by field; the words are in the form of `valueForm`. An empty word is an empty cell. */
  readonly values: Partial<Record<ImportField, Readonly<Record<string, string>>>>;
  /**
   * Columns that give the status of a row if they are filled, before the column of the status: the value to look up. A
   * cell that says no is like an empty one.
   */
  readonly marks?: Readonly<Record<string, string>>;
  /** The order of its dates; absent if it depends on the installation. */
  readonly dates?: DateOrder;
  /** Its texts are HTML. */
  readonly html?: true;
}

const asm3: Preset = {
  name: "asm3",
  title: "ShelterManager (ASM)",
  known: ["ANIMALCODE", "ANIMALNAME", "ANIMALSPECIES"],
  columns: {
    ANIMALCODE: "externalId",
    ANIMALNAME: "name",
    ANIMALSPECIES: "category",
    ANIMALSEX: "sex",
    ANIMALCOLOR: "colour",
    ANIMALBREED1: "breed",
    ANIMALBREED2: "secondBreed",
    ANIMALDOB: "birth",
    ANIMALAGE: "age",
    ANIMALCOMMENTS: "text",
    ANIMALDESCRIPTION: "text",
    ANIMALMARKINGS: "staffNotes",
    ANIMALHIDDENDETAILS: "staffNotes",
    ANIMALREASONFORENTRY: "staffNotes",
    ANIMALHEALTHPROBLEMS: "staffNotes",
    ANIMALWARNING: "staffNotes",
    ANIMALNEUTERED: "neutered",
    ANIMALMICROCHIP: "microchip",
    ANIMALENTRYDATE: "intakeAt",
    ANIMALGOODWITHCATS: "goodWithCats",
    ANIMALGOODWITHDOGS: "goodWithDogs",
    ANIMALGOODWITHKIDS: "goodWithChildren",
    ANIMALIMAGE: "photo",
    MOVEMENTTYPE: "status",
    MOVEMENTDATE: "soldAt",
  },
  values: {
    // Movements: none, foster and retailer leave the animal for adoption; 1 is an adoption.
    status: { "": "available", "0": "available", "1": "sold", "2": "available", "8": "available" },
    goodWithCats: { "0": "yes", "1": "no", "2": "unknown" },
    goodWithDogs: { "0": "yes", "1": "no", "2": "unknown" },
    goodWithChildren: { "0": "yes", "1": "no", "2": "unknown", "5": "yes", "12": "yes" },
  },
  marks: {
    ANIMALDECEASEDDATE: "deceased",
    ANIMALNONSHELTER: "not a shelter animal",
    ANIMALNOTFORADOPTION: "not for adoption",
  },
};

const petfinder: Preset = {
  name: "petfinder",
  title: "Petfinder",
  known: ["ID", "AnimalName", "PrimaryBreed", "Type", "Status"],
  columns: {
    ID: "externalId",
    AnimalName: "name",
    PrimaryBreed: "breed",
    SecondaryBreed: "secondBreed",
    Sex: "sex",
    Size: "size",
    Desc: "text",
    Type: "category",
    Status: "status",
    Altered: "neutered",
    NoDogs: "notGoodWithDogs",
    NoCats: "notGoodWithCats",
    NoKids: "notGoodWithChildren",
    specialNeeds: "specialNeeds",
    special_needs_notes: "specialNeeds",
    Mix: "mixedBreed",
    photo1: "photo",
    photo2: "photo",
    photo3: "photo",
    photo4: "photo",
    photo5: "photo",
    photo6: "photo",
    arrival_date: "intakeAt",
    birth_date: "birth",
    primaryColor: "colour",
    adoption_fee: "fee",
  },
  values: {
    // A found animal waits for its owner: it cannot be adopted yet.
    status: { a: "available", h: "pending", p: "pending", f: "pending", x: "sold" },
  },
  dates: "month",
  html: true,
};

const adoptapet: Preset = {
  name: "adoptapet",
  title: "Adopt-a-Pet",
  known: ["Id", "Animal", "Breed", "Name", "GoodWKids"],
  columns: {
    Id: "externalId",
    Animal: "category",
    Breed: "breed",
    Breed2: "secondBreed",
    Purebred: "purebred",
    Name: "name",
    Size: "size",
    Sex: "sex",
    Color: "colour",
    Description: "text",
    Status: "status",
    GoodWKids: "goodWithChildren",
    GoodWCats: "goodWithCats",
    GoodWDogs: "goodWithDogs",
    SpayedNeutered: "neutered",
    SpecialNeeds: "specialNeeds",
  },
  values: {},
  dates: "month",
  html: true,
};

const rescuegroups: Preset = {
  name: "rescuegroups",
  title: "RescueGroups",
  known: ["externalID", "name", "status", "type", "priBreed"],
  columns: {
    externalID: "externalId",
    name: "name",
    status: "status",
    type: "category",
    priBreed: "breed",
    secBreed: "secondBreed",
    mix: "mixedBreed",
    sex: "sex",
    okwithdogs: "goodWithDogs",
    okwithcats: "goodWithCats",
    okwithkids: "goodWithChildren",
    specialNeeds: "specialNeeds",
    altered: "neutered",
    size: "size",
    color: "colour",
    dsc: "text",
    photo1: "photo",
    photo2: "photo",
    photo3: "photo",
    photo4: "photo",
  },
  values: {},
  dates: "month",
  html: true,
};

const shelterluv: Preset = {
  name: "shelterluv",
  title: "Shelterluv",
  known: ["Animal ID", "Name", "Type", "Primary Breed", "Status", "Intake Date"],
  columns: {
    "Animal ID": "externalId",
    Name: "name",
    Type: "category",
    Sex: "sex",
    "Primary Breed": "breed",
    "Secondary Breed": "secondBreed",
    "Color Primary": "colour",
    Altered: "neutered",
    Age: "age",
    "Date of Birth": "birth",
    Status: "status",
    "Intake Date": "intakeAt",
    "Microchip Number": "microchip",
    "Kennel Card / Web Memo": "text",
    Photo: "photo",
  },
  values: {},
  dates: "month",
};

const austin: Preset = {
  name: "austin",
  title: "Austin Animal Center",
  known: ["Animal ID", "Name", "Outcome Type", "Animal Type", "Sex upon Outcome"],
  columns: {
    "Animal ID": "externalId",
    Name: "name",
    DateTime: "soldAt",
    "Date of Birth": "birth",
    "Outcome Type": "status",
    "Animal Type": "category",
    "Sex upon Outcome": "sex",
    "Age upon Outcome": "age",
    Breed: "breed",
    Color: "colour",
  },
  values: {},
  dates: "month",
};

const sonoma: Preset = {
  name: "sonoma",
  title: "Sonoma County",
  known: ["Name", "Type", "Animal ID", "Impound Number", "Outcome Type"],
  columns: {
    Name: "name",
    Type: "category",
    Breed: "breed",
    Color: "colour",
    Sex: "sex",
    Size: "size",
    "Date Of Birth": "birth",
    "Animal ID": "externalId",
    "Intake Date": "intakeAt",
    "Outcome Date": "soldAt",
    "Outcome Type": "status",
  },
  values: {
    size: { kitten: "small", kittn: "small", puppy: "small" },
  },
  dates: "month",
};

const presets: readonly Preset[] = [
  asm3,
  petfinder,
  adoptapet,
  rescuegroups,
  shelterluv,
  austin,
  sonoma,
];

/** Returns the preset of a name. */
export function presetNamed(name: ImportPreset): Preset | undefined {
  return presets.find((preset) => preset.name === name);
}

/** Returns the preset whose columns a header has. */
export function presetFor(columns: readonly string[]): Preset | undefined {
  const forms = new Set(columns.map(columnForm));
  return presets.find(({ known }) => known.every((column) => forms.has(columnForm(column))));
}

/** Returns the field that a column gives in a preset. */
export function presetField(preset: Preset, column: string): ImportField | undefined {
  const form = columnForm(column);
  return Object.entries(preset.columns).find(([name]) => columnForm(name) === form)?.[1];
}

/** Returns the status word of a column that marks a row in a preset. */
export function presetMark(preset: Preset, column: string): string | undefined {
  const form = columnForm(column);
  return Object.entries(preset.marks ?? {}).find(([name]) => columnForm(name) === form)?.[1];
}
