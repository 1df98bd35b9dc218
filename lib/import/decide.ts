import { petFields, petFieldsOf, type NewPet, type StoredPet } from "../catalogue/model.ts";
import type { Profile, StoredProfile } from "../catalogue/model-profile.ts";
import { emptyProfile, sameProfile } from "../catalogue/model-profile-leaves.ts";
import { changedFields } from "../model/event.ts";
import { petOf, type Change, type Outcome } from "../storage/change.ts";
import type { StoreReads } from "../storage/store.ts";
import type { ImportedAnimal } from "./animal.ts";
import type { Looks } from "./looks.ts";
import { keyOf } from "./read-profile.ts";

/** What an import did with an animal of the file. */
export type Applied = { readonly line: number } & (
  | { readonly kind: "added"; readonly petId: number }
  /** `before` is what an undo restores. */
  | {
      readonly kind: "updated";
      readonly petId: number;
      readonly before: Present;
    }
  /** The animal is like that already. */
  | { readonly kind: "same"; readonly petId: number; readonly before: Present }
  /** It looks like an animal that is there, and such animals are left out. */
  | { readonly kind: "skipped" }
);

/** An animal that is in the catalogue. */
interface Present {
  readonly pet: StoredPet;
  readonly profile: StoredProfile;
}

/** The changes that bring a batch of animals into a catalogue. */
export interface Decision {
  readonly changes: readonly Change[];
  /** The animals that are there, by key. */
  readonly present: readonly number[];
  /** Says, in the order of the animals, what the changes did. */
  readonly applied: (outcomes: readonly Outcome[]) => readonly Applied[];
}

/** How animals are brought into a catalogue. */
export interface DecisionOptions {
  /** The present time. */
  readonly at: number;
  /** Leaves out animals without a known key that look like one of these. */
  readonly skip?: Looks;
}

/**
 * Decides how to bring at most 1,000 animals into a catalogue. An animal whose `externalId` and `source` exist is changed
 * to what the file says, and keeps what the file does not say; the others are added. Every category must exist.
 */
export async function decideAnimals(
  store: StoreReads,
  catalogueId: number,
  animals: readonly ImportedAnimal[],
  { at, skip }: DecisionOptions,
): Promise<Decision> {
  const present = await presentAnimals(
    store,
    catalogueId,
    animals.map(({ profile }) => profile),
  );
  const changes: Change[] = [];
  const results: ((outcomes: readonly Outcome[]) => Applied)[] = [];
  for (const animal of animals) {
    const { line, profile, soldAt = null } = animal;
    const known = present.get(keyOf(profile));
    const pet = { ...(known && petFieldsOf(known.pet)), ...petIn(animal) };
    if (known === undefined && skip?.has(animal) === true) {
      results.push(() => ({ kind: "skipped", line }));
      continue;
    }
    if (known === undefined) {
      const index = changes.length;
      const described = Object.keys(profile).length === 0 ? {} : { profile };
      changes.push({ kind: "pet.create", catalogueId, at, pet, ...described, soldAt });
      results.push((outcomes) => ({ kind: "added", line, petId: petOf(outcomes[index]).id }));
      continue;
    }
    const to = mergedProfile(known.profile.fields, profile);
    const samePet = petFields.every((field) => pet[field] === known.pet[field]);
    const sameFields = sameProfile(known.profile.fields, to);
    const petId = known.pet.id;
    if (!samePet) {
      const profileVersion = known.profile.version;
      const from = known.pet;
      changes.push({ kind: "pet.update", catalogueId, at, from, profileVersion, to: pet, soldAt });
    }
    if (!sameFields) {
      changes.push({
        kind: "profile.set",
        catalogueId,
        at,
        petId,
        from: known.profile.version,
        to,
        changed: changedFields(known.profile.fields, to),
      });
    }
    results.push(() =>
      samePet && sameFields
        ? { kind: "same", line, petId, before: known }
        : { kind: "updated", line, petId, before: known },
    );
  }
  const ids = Array.from(present.values(), ({ pet }) => pet.id);
  return {
    changes,
    present: ids,
    applied: (outcomes) => results.map((result) => result(outcomes)),
  };
}

/** The most ids of one list of animals. */
const IDS = 100;

/** Finds the animals that are in the catalogue, by key. */
async function presentAnimals(
  store: StoreReads,
  catalogueId: number,
  keys: readonly Profile[],
): Promise<ReadonlyMap<string, Present>> {
  const profiles = await presentProfiles(store, catalogueId, keys);
  const present = new Map<string, Present>();
  for (let from = 0; from < profiles.length; from += IDS) {
    const some = new Map(
      profiles.slice(from, from + IDS).map((profile) => [profile.petId, profile]),
    );
    const page = { limit: IDS, order: "asc" } as const;
    for (const pet of await store.pets.list(catalogueId, { ids: [...some.keys()] }, page)) {
      const profile = some.get(pet.id) ?? emptyProfile(pet.id);
      present.set(keyOf(profile.fields), { pet, profile });
    }
  }
  return present;
}

/** Finds the profiles with the keys of at most 1,000 animals. */
export async function presentProfiles(
  store: StoreReads,
  catalogueId: number,
  keys: readonly Profile[],
): Promise<readonly StoredProfile[]> {
  const bySource = new Map<string | undefined, string[]>();
  for (const { externalId, source } of keys) {
    if (externalId === undefined) continue;
    const ids = bySource.get(source);
    if (ids === undefined) bySource.set(source, [externalId]);
    else ids.push(externalId);
  }
  const profiles: StoredProfile[] = [];
  for (const [source, ids] of bySource) {
    profiles.push(...(await store.profiles.byExternalIds(catalogueId, source, ids)));
  }
  return profiles;
}

/** Returns the fields of Pet that the file says. */
function petIn({ category, ...animal }: ImportedAnimal): NewPet {
  if (typeof category === "string") throw new TypeError("The category of a row was not created.");
  return petFieldsOf({ ...animal, categoryId: category });
}

/** Returns a profile with what the file says, and what it had where the file says nothing. */
function mergedProfile(from: Profile, file: Profile): Profile {
  const breed = { ...from.breed, ...file.breed };
  const goodWith = { ...from.goodWith, ...file.goodWith };
  return {
    ...from,
    ...file,
    ...(Object.keys(breed).length === 0 ? {} : { breed }),
    ...(Object.keys(goodWith).length === 0 ? {} : { goodWith }),
  };
}
