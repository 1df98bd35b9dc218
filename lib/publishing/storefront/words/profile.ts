import type { AnimalSize, Sex } from "../../../catalogue/model-profile.ts";
import type { SiteLanguage } from "../../model/project.ts";

type Known = Exclude<Sex, "unknown">;

/** The texts about profiles in one language. Amounts, dates and names arrive written. */
export interface ProfileWords {
  readonly sex: string;
  readonly sexes: Readonly<Record<Known, string>>;
  /** Follow the sex, or stand alone. */
  readonly neutered: Readonly<Record<Sex, string>>;
  readonly intact: Readonly<Record<Sex, string>>;
  readonly age: string;
  readonly underMonth: string;
  readonly underYear: string;
  readonly about: (age: string) => string;
  readonly born: (date: string) => string;
  readonly breed: string;
  readonly mix: (breed: string) => string;
  readonly mixed: string;
  readonly size: string;
  readonly sizes: Readonly<Record<AnimalSize, string>>;
  readonly colour: string;
  readonly goodWith: string;
  readonly notWith: string;
  readonly companions: Readonly<Record<"children" | "dogs" | "cats", string>>;
  readonly specialNeeds: string;
  readonly fee: string;
  /** The heading of the form that filters. */
  readonly moreFilters: string;
  /** Every value of a filter. */
  readonly any: string;
  readonly ages: Readonly<Record<"young" | "adult" | "senior", string>>;
  readonly apply: string;
}

const english: ProfileWords = {
  sex: "Sex",
  sexes: { female: "Female", male: "Male" },
  neutered: { female: "spayed", male: "neutered", unknown: "neutered" },
  intact: { female: "not spayed", male: "not neutered", unknown: "not neutered" },
  age: "Age",
  underMonth: "under 1 month",
  underYear: "under 1 year",
  about: (age) => `about ${age}`,
  born: (date) => `born ${date}`,
  breed: "Breed",
  mix: (breed) => `${breed} (mix)`,
  mixed: "Mixed breed",
  size: "Size",
  sizes: { small: "Small", medium: "Medium", large: "Large", extra_large: "Extra large" },
  colour: "Colour",
  goodWith: "Gets on with",
  notWith: "Not suitable for homes with",
  companions: { children: "children", dogs: "dogs", cats: "cats" },
  specialNeeds: "Special needs",
  fee: "Adoption fee",
  moreFilters: "More filters",
  any: "Any",
  ages: { young: "Under 1 year", adult: "1 to 7 years", senior: "8 years or older" },
  apply: "Show animals",
};

const german: ProfileWords = {
  sex: "Geschlecht",
  sexes: { female: "weiblich", male: "männlich" },
  neutered: { female: "kastriert", male: "kastriert", unknown: "kastriert" },
  intact: { female: "nicht kastriert", male: "nicht kastriert", unknown: "nicht kastriert" },
  age: "Alter",
  underMonth: "unter 1 Monat",
  underYear: "unter 1 Jahr",
  about: (age) => `etwa ${age}`,
  born: (date) => `geb. ${date}`,
  breed: "Rasse",
  mix: (breed) => `${breed} (Mischling)`,
  mixed: "Mischling",
  size: "Größe",
  sizes: { small: "klein", medium: "mittelgroß", large: "groß", extra_large: "sehr groß" },
  colour: "Farbe",
  goodWith: "Verträgt sich mit",
  notWith: "Nicht geeignet für ein Zuhause mit",
  companions: { children: "Kindern", dogs: "Hunden", cats: "Katzen" },
  specialNeeds: "Besondere Bedürfnisse",
  fee: "Schutzgebühr",
  moreFilters: "Weitere Filter",
  any: "Alle",
  ages: { young: "Unter 1 Jahr", adult: "1 bis 7 Jahre", senior: "8 Jahre und älter" },
  apply: "Tiere anzeigen",
};

const spanish: ProfileWords = {
  sex: "Sexo",
  sexes: { female: "Hembra", male: "Macho" },
  neutered: { female: "esterilizada", male: "esterilizado", unknown: "esterilizado/a" },
  intact: { female: "sin esterilizar", male: "sin esterilizar", unknown: "sin esterilizar" },
  age: "Edad",
  underMonth: "menos de 1 mes",
  underYear: "menos de 1 año",
  about: (age) => `alrededor de ${age}`,
  born: (date) => `fecha de nacimiento: ${date}`,
  breed: "Raza",
  mix: (breed) => `${breed} (cruce)`,
  mixed: "Cruce",
  size: "Tamaño",
  sizes: { small: "Pequeño", medium: "Mediano", large: "Grande", extra_large: "Muy grande" },
  colour: "Color",
  goodWith: "Se lleva bien con",
  notWith: "No recomendado para hogares con",
  companions: { children: "niños", dogs: "perros", cats: "gatos" },
  specialNeeds: "Necesidades especiales",
  fee: "Tasa de adopción",
  moreFilters: "Más filtros",
  any: "Cualquiera",
  ages: { young: "Menos de 1 año", adult: "De 1 a 7 años", senior: "8 años o más" },
  apply: "Mostrar animales",
};

const french: ProfileWords = {
  sex: "Sexe",
  sexes: { female: "Femelle", male: "Mâle" },
  neutered: { female: "stérilisée", male: "castré", unknown: "stérilisé(e)" },
  intact: { female: "non stérilisée", male: "non castré", unknown: "non stérilisé(e)" },
  age: "Âge",
  underMonth: "moins de 1 mois",
  underYear: "moins de 1 an",
  about: (age) => `environ ${age}`,
  born: (date) => `date de naissance\u00a0: ${date}`,
  breed: "Race",
  mix: (breed) => `${breed} (croisement)`,
  mixed: "Croisement",
  size: "Taille",
  sizes: { small: "Petite", medium: "Moyenne", large: "Grande", extra_large: "Très grande" },
  colour: "Couleur",
  goodWith: "S’entend avec",
  notWith: "Déconseillé dans un foyer avec",
  companions: { children: "enfants", dogs: "chiens", cats: "chats" },
  specialNeeds: "Besoins particuliers",
  fee: "Frais d’adoption",
  moreFilters: "Plus de filtres",
  any: "Indifférent",
  ages: { young: "Moins de 1 an", adult: "De 1 à 7 ans", senior: "8 ans et plus" },
  apply: "Voir les animaux",
};

/** The texts about profiles by language. */
export const profileWords: Readonly<Record<SiteLanguage, ProfileWords>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};
