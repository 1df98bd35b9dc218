import { foldCategoryName, MAX_SPELLING, type Category } from "../catalogue/model.ts";
import { trimText } from "../model/text.ts";
import { valueForm } from "./words.ts";

/**
 * Words for one species, in English, German, Spanish and French. Each line has the plural first, which is the name of a
 * new category, then the singular and other words.
 */
const species: readonly (readonly string[])[] = [
  [
    "Dogs,dog,canine,canines,puppy,puppies",
    "Hunde,hund,hündin,welpe,welpen",
    "Perros,perro,perra,cachorros,cachorro",
    "Chiens,chien,chienne,chiots,chiot",
  ],
  [
    "Cats,cat,feline,felines,kitten,kittens",
    "Katzen,katze,kater,kätzchen,kitten",
    "Gatos,gato,gata,gatitos",
    "Chats,chat,chatte,chatons",
  ],
  [
    "Rabbits,rabbit,bunny,bunnies",
    "Kaninchen,kaninchen,hase,hasen",
    "Conejos,conejo,coneja",
    "Lapins,lapin",
  ],
  ["Birds,bird,avian", "Vögel,vogel", "Pájaros,pajaro,aves,ave", "Oiseaux,oiseau"],
  ["Horses,horse,equine,equines", "Pferde,pferd", "Caballos,caballo", "Chevaux,cheval"],
  [
    "Guinea Pigs,guinea pig,cavy,cavies",
    "Meerschweinchen,meerschweinchen",
    "Cobayas,cobaya",
    "Cochons d’Inde,cochon d'inde",
  ],
  ["Hamsters,hamster", "Hamster,hamster"],
  ["Ferrets,ferret", "Frettchen,frettchen", "Hurones,huron", "Furets,furet"],
  ["Rats,rat", "Ratten,ratte"],
  ["Mice,mouse", "Mäuse,maus"],
  ["Pigs,pig,porcine", "Schweine,schwein", "Cerdos,cerdo", "Porcs,porc"],
  ["Goats,goat", "Ziegen,ziege"],
  ["Sheep,sheep", "Schafe,schaf"],
  ["Chickens,chicken,hens,hen", "Hühner,huhn"],
  ["Ducks,duck", "Enten,ente"],
  ["Reptiles,reptile", "Reptilien,reptil"],
  ["Turtles,turtle,tortoises,tortoise", "Schildkröten,schildkröte"],
  ["Fish,fish,fishes", "Fische,fisch"],
  ["Chinchillas,chinchilla", "Chinchillas,chinchilla"],
  [
    "Small Animals,small animal,small & furry,small and furry,rodent,rodents",
    "Kleintiere,kleintier,nager,nagetiere,nagetier",
  ],
  ["Farm Animals,farm animal,barnyard", "Hoftiere,hoftier,nutztiere,nutztier"],
  ["Livestock,livestock", "Vieh,vieh"],
  [
    "Other,others,other animals,misc,miscellaneous",
    "Andere,andere tiere,sonstige,sonstige tiere,sonstiges",
    "Otros,otro",
    "Autres,autre",
  ],
];

interface Known {
  /** The index of the species. */
  readonly species: number;
  /** The name of a new category. */
  readonly plural: string;
}

const byWord: ReadonlyMap<string, Known> = new Map(
  species
    .flatMap((languages, index) =>
      languages.flatMap((line) => {
        const words = line.split(",");
        const plural = words[0] ?? "";
        return words.map((word): [string, Known] => [valueForm(word), { species: index, plural }]);
      }),
    )
    // English wins where two languages share a word.
    .toReversed(),
);

/** The languages of the lines of `species` in which a word occurs. */
const languagesOf: ReadonlyMap<string, ReadonlySet<number>> = species
  .flatMap((lines) => lines.map((line, language) => ({ words: line.split(","), language })))
  .reduce((known, { words, language }) => {
    for (const word of words) {
      const form = valueForm(word);
      known.set(form, new Set([...(known.get(form) ?? []), language]));
    }
    return known;
  }, new Map<string, ReadonlySet<number>>());

const ENGLISH = 0;

/**
 * Returns the language of categories if they have one, other than English: every new catalogue has English names, so these
 * say nothing about the person's language.
 */
function languageOf(categories: readonly Category[]): number | undefined {
  const known = categories.flatMap(({ name }) => languagesOf.get(valueForm(name)) ?? []);
  const [first, ...others] = known;
  const common = [...(first ?? [])].filter((one) => others.every((other) => other.has(one)));
  return common.length === 1 && common[0] !== ENGLISH ? common[0] : undefined;
}

/** Finds the category that a word for a species means. */
export interface CategoryFinder {
  /** Returns the category; undefined if there is none, or if two different ones could be meant. */
  readonly find: (word: string) => Category | undefined;
  /**
   * Returns the name of a new category for a word: the plural of a known species, in the language of the other categories,
   * or else of the word. Otherwise the word.
   */
  readonly newName: (word: string) => string;
}

/** Creates a finder among the categories of a catalogue: by name, then by species, singular or plural, in any language. */
export function categoryFinder(categories: readonly Category[]): CategoryFinder {
  const byName = new Map<string, Category>();
  const bySpecies = new Map<number, Category | "several">();
  const byStem = new Map<string, Category | "several">();
  const language = languageOf(categories);
  for (const category of categories) {
    byName.set(foldCategoryName(category.name), category);
    const known = byWord.get(valueForm(category.name));
    if (known !== undefined) addOnce(bySpecies, known.species, category);
    addOnce(byStem, stem(category.name), category);
  }
  const called = (name: string): Category | undefined =>
    name.length > MAX_SPELLING ? undefined : byName.get(foldCategoryName(name));
  return {
    find: (word) => {
      const exact = called(trimText(word)) ?? called(valueForm(word));
      if (exact !== undefined) return exact;
      const known = byWord.get(valueForm(word));
      const found = (known && bySpecies.get(known.species)) ?? byStem.get(stem(word));
      return found === "several" ? undefined : found;
    },
    newName: (word) => {
      const known = byWord.get(valueForm(word));
      if (known === undefined) return trimText(word).replaceAll(/\s+/gu, " ");
      return species[known.species]?.[language ?? Infinity]?.split(",")[0] ?? known.plural;
    },
  };
}

function addOnce<Key>(map: Map<Key, Category | "several">, key: Key, category: Category): void {
  map.set(key, map.has(key) ? "several" : category);
}

/** Joins the English singular and plural of a word. */
function stem(word: string): string {
  return valueForm(word).replace(/ies$/u, "y").replace(/s$/u, "");
}
