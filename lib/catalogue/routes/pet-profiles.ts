import { isoTime } from "../../base/clock.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import {
  choiceParameter,
  choicesParameter,
  integerParameter,
  textParameter,
  type Parameter,
  type QueryOf,
} from "../../http/parameters.ts";
import { SEARCHABLE, trimText } from "../../model/text.ts";
import type { StoreReads } from "../../storage/store.ts";
import type { StoredPet } from "../model.ts";
import {
  animalSizes,
  bornFor,
  companions,
  sexes,
  type ProfileFilter,
  type StoredPhoto,
} from "../model-profile.ts";
import type { ProfileRow } from "../profile-schema.ts";

/** An animal, with its profile if that was asked for. */
export interface PetRow extends StoredPet {
  readonly profile?: ProfileRow;
}

/** The longest text that a search looks for, in characters. */
const MAX_SEARCHED = 120;
/** The highest age in years. */
const MAX_AGE = 200;

const words = textParameter(
  "With `include=profile`: only animals whose name or breed contains this text, without regard to case and accents.",
  {
    maxLength: MAX_SEARCHED,
    rule: `must be a text of 1 to ${MAX_SEARCHED} characters`,
    pattern: SEARCHABLE,
  },
);
const q: Parameter<string> = {
  ...words,
  read: (text) => {
    const read = words.read(text);
    return read === undefined ? undefined : trimText(read);
  },
};

/** The parameters of lists of animals that have to do with profiles. All others need `include`. */
export const profileParameters = {
  include: choiceParameter("`profile` adds the profile and the photos of each animal.", [
    "profile",
  ]),
  sex: choiceParameter("With `include=profile`: only animals of this sex.", sexes),
  size: choiceParameter("With `include=profile`: only animals of this size.", animalSizes),
  goodWith: choicesParameter(
    "With `include=profile`: only animals that get on with all of these, separated by commas.",
    companions,
  ),
  ageMin: integerParameter(
    "With `include=profile`: only animals of at least this age, in full years.",
    {
      maximum: MAX_AGE,
    },
  ),
  ageMax: integerParameter(
    "With `include=profile`: only animals of at most this age, in full years.",
    {
      maximum: MAX_AGE,
    },
  ),
  q,
} as const;

/** Which animals a list with profiles selects. */
interface ProfileSelection {
  readonly filter: ProfileFilter;
  /** The day on which the selection depends: `2026-11-20`. Absent: none. */
  readonly day: string | undefined;
}

/** Returns what a query selects by profiles; undefined without `include`. Refuses a filter without it. */
export function profileFilterOf(
  { include, ...query }: QueryOf<typeof profileParameters>,
  now: number,
): Result<ProfileSelection | undefined, Problem> {
  const { sex, size, goodWith, ageMin, ageMax, q: searched } = query;
  if (include === undefined) {
    const named = filterNames.find((name) => query[name] !== undefined);
    return named === undefined ? done(undefined) : refused(needsInclude(named));
  }
  const today = isoTime(now).slice(0, 10);
  const byAge = ageMin !== undefined || ageMax !== undefined;
  return done({
    filter: {
      sex,
      size,
      goodWith,
      ...bornFor({ least: ageMin, most: ageMax }, today),
      words: searched,
    },
    day: byAge ? today : undefined,
  });
}

const filterNames = ["sex", "size", "goodWith", "ageMin", "ageMax", "q"] as const;

function needsInclude(name: string): Problem {
  return problem("invalid_parameter", `The parameter "${name}" needs include=profile.`);
}

/** Adds profiles and photos to the animals of a page, with one query for each of them. */
export function withProfiles(
  { profiles, photos }: StoreReads,
  catalogueId: number,
  found: Eventual<readonly StoredPet[]>,
): Eventual<readonly PetRow[]> {
  return andThen(found, (pets) => {
    const ids = pets.map(({ id }) => id);
    return andThen(profiles.of(catalogueId, ids), (described) =>
      andThen(photos.of(catalogueId, ids), (pictures) => {
        const fieldsOf = new Map(described.map(({ petId, fields }) => [petId, fields]));
        const photosOf = new Map<number, StoredPhoto[]>(ids.map((id) => [id, []]));
        for (const picture of pictures) photosOf.get(picture.petId)?.push(picture);
        return pets.map((pet) => ({
          ...pet,
          profile: { fields: fieldsOf.get(pet.id) ?? {}, photos: photosOf.get(pet.id) ?? [] },
        }));
      }),
    );
  });
}
