import { csvRow } from "../../base/csv.ts";
import type { PetStatus } from "../../catalogue/model.ts";
import type { AnimalSize, Birth, GoodWithAnswer, Sex } from "../../catalogue/model-profile.ts";
import type { Animal } from "./catalogue.ts";
import { figureOf } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";
import type { PortalList } from "./route.ts";

/** A column and its value for an animal. */
type Columns = readonly (readonly [
  name: string,
  value: (animal: Animal, presentation: Presentation) => string,
])[];

/** Writes the table of a portal, which removes the animals that the table lacks. Every animal has one line: portals accept no line breaks in texts. */
export function portalList(
  portal: PortalList,
  animals: readonly Animal[],
  presentation: Presentation,
): string {
  const columns = portals[portal];
  const row = (animal: Animal): string =>
    csvRow(columns.map(([, value]) => value(animal, presentation)));
  return csvRow(columns.map(([name]) => name)) + animals.map(row).join("");
}

const nothing = (): string => "";

/** https://userguide.rescuegroups.org/display/DMG/Supported+animal+import+fields */
const rescueGroups: Columns = [
  ["externalID", ({ pet }) => String(pet.id)],
  ["internalID", nothing],
  ["rescueID", nothing],
  ["name", ({ pet }) => pet.name],
  ["status", ({ pet }) => STATUSES[pet.status]],
  ["type", ({ category }) => speciesOf(category)],
  ["priBreed", ({ profile }) => profile.breed?.text ?? ""],
  ["secBreed", nothing],
  ["mix", ({ profile }) => yesOrNo(profile.breed?.mixed)],
  ["sex", ({ profile }) => SEXES[profile.sex ?? "unknown"].long],
  ["age", ({ profile }, { today }) => AGES[ageGroup(profile.birth, today) ?? "none"]],
  ["okwithdogs", ({ profile }) => ANSWERS[profile.goodWith?.dogs ?? "unknown"]],
  ["okwithcats", ({ profile }) => ANSWERS[profile.goodWith?.cats ?? "unknown"]],
  ["okwithkids", ({ profile }) => ANSWERS[profile.goodWith?.children ?? "unknown"]],
  ["declawed", nothing],
  ["housebroken", nothing],
  ["specialNeeds", ({ profile }) => (profile.specialNeeds === undefined ? "" : "Yes")],
  ["altered", ({ profile }) => yesOrNo(profile.neutered)],
  ["size", ({ profile }) => (profile.size === undefined ? "" : SIZES[profile.size].long)],
  ["uptodate", nothing],
  ["color", ({ profile }) => profile.colour ?? ""],
  ["pattern", nothing],
  ["coatLength", nothing],
  ["courtesy", nothing],
  ["dsc", description],
  ["found", nothing],
  ["foundDate", nothing],
  ["foundZipcode", nothing],
  ...[0, 1, 2, 3].map(
    (place) =>
      [
        `photo${place + 1}`,
        ({ photo, gallery }: Animal, { origin }: Presentation) => {
          const one = [...(photo === undefined ? [] : [photo]), ...gallery][place];
          return one === undefined ? "" : `${origin}${one.plain.path}`;
        },
      ] as const,
  ),
  ["videoUrl", nothing],
];

/** The columns that Adopt-a-Pet maps for uploads by FTP. In its answers 1 means yes, 0 no, and an empty cell unknown. */
const adoptAPet: Columns = [
  ["Id", ({ pet }) => String(pet.id)],
  ["Animal", ({ category }) => speciesOf(category)],
  ["Breed", ({ profile }) => profile.breed?.text ?? ""],
  ["Breed2", nothing],
  [
    "Purebred",
    ({ profile: { breed } }) => oneOrNought(breed?.mixed === undefined ? undefined : !breed.mixed),
  ],
  ["Age", ({ profile, category }, { today }) => ageAt(profile.birth, category, today)],
  ["Name", ({ pet }) => pet.name],
  ["Size", ({ profile }) => (profile.size === undefined ? "" : SIZES[profile.size].short)],
  ["Sex", ({ profile }) => SEXES[profile.sex ?? "unknown"].short],
  ["Color", ({ profile }) => profile.colour ?? ""],
  ["Description", description],
  ["Status", ({ pet }) => STATUSES[pet.status]],
  ["GoodWKids", ({ profile }) => good(profile.goodWith?.children)],
  ["GoodWCats", ({ profile }) => good(profile.goodWith?.cats)],
  ["GoodWDogs", ({ profile }) => good(profile.goodWith?.dogs)],
  ["SpayedNeutered", ({ profile }) => oneOrNought(profile.neutered)],
  ["ShotsCurrent", nothing],
  ["Housetrained", nothing],
  ["Declawed", nothing],
  ["SpecialNeeds", ({ profile }) => (profile.specialNeeds === undefined ? "" : "1")],
  ["HairLength", nothing],
  ["YouTubeVideoURL", nothing],
];

const portals: Readonly<Record<PortalList, Columns>> = { rescueGroups, adoptAPet };

const STATUSES: Readonly<Record<PetStatus, string>> = {
  available: "Available",
  pending: "Adoption Pending",
  sold: "Adopted",
};

const ANSWERS: Readonly<Record<GoodWithAnswer, string>> = { yes: "Yes", no: "No", unknown: "" };

const SEXES: Readonly<Record<Sex, { readonly long: string; readonly short: string }>> = {
  female: { long: "Female", short: "F" },
  male: { long: "Male", short: "M" },
  unknown: { long: "", short: "" },
};

const SIZES: Readonly<Record<AnimalSize, { readonly long: string; readonly short: string }>> = {
  small: { long: "Small", short: "S" },
  medium: { long: "Medium", short: "M" },
  large: { long: "Large", short: "L" },
  extra_large: { long: "X-Large", short: "XL" },
};

/** The portals' names of species, by the figures of categories. Other categories keep their names. */
const SPECIES: Readonly<Record<string, string>> = {
  dog: "Dog",
  cat: "Cat",
  rabbit: "Rabbit",
  bird: "Bird",
  horse: "Horse",
};

function speciesOf(category: string): string {
  return SPECIES[figureOf(category)] ?? category;
}

function yesOrNo(value: boolean | undefined): string {
  return value === undefined ? "" : value ? "Yes" : "No";
}

function oneOrNought(value: boolean | undefined): string {
  return value === undefined ? "" : value ? "1" : "0";
}

function good(answer: GoodWithAnswer = "unknown"): string {
  return { yes: "1", no: "0", unknown: "" }[answer];
}

type AgeGroup = "baby" | "young" | "adult" | "senior";

const AGES: Readonly<Record<AgeGroup | "none", string>> = {
  baby: "Baby",
  young: "Young",
  adult: "Adult",
  senior: "Senior",
  none: "",
};

/** The portals' groups: babies are younger than one year, the young than three and adults than eight. */
function ageGroup(birth: Birth | undefined, today: string): AgeGroup | undefined {
  if (birth === undefined) return undefined;
  const [year, rest] = [Number(birth.date.slice(0, 4)), birth.date.slice(4)];
  const years = Number(today.slice(0, 4)) - year - Number(today.slice(4) < rest);
  if (years < 1) return "baby";
  return years < 3 ? "young" : years < 8 ? "adult" : "senior";
}

/** What Adopt-a-Pet calls babies of a species. */
const BABIES: Readonly<Record<string, string>> = { dog: "Puppy", cat: "Kitten" };

function ageAt(birth: Birth | undefined, category: string, today: string): string {
  const group = ageGroup(birth, today);
  if (group !== "baby") return AGES[group ?? "none"];
  return BABIES[figureOf(category)] ?? "Young";
}

/** The text of an animal as HTML without line breaks. */
function description({ bio }: Animal): string {
  return (bio?.html.toString() ?? "").replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
}
