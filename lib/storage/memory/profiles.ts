import { done, refused } from "../../base/result.ts";
import {
  MAX_PHOTOS,
  type Profile,
  type StoredPhoto,
  type StoredProfile,
} from "../../catalogue/model-profile.ts";
import { photoEvent, profileEvent } from "../../model/event.ts";
import { photoChanges, PHOTOS } from "../changed-fields.ts";
import { writeEvent, type Appliers, type CatalogueTables, type MemoryState } from "./state.ts";

/** Changes of profiles and photos. */
export const profileAppliers: Appliers<`profile.${string}` | `photo.${string}`> = {
  "profile.set": (state, { catalogueId, petId, from, to, changed, at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables?.pets.has(petId) !== true) return refused("missing");
    if (!takeKey(state, tables, to, at, petId)) return refused("exists");
    if ((tables.profiles.get(petId)?.version ?? 0) !== from) return refused("stale");
    const profile = { petId, version: from + 1, updatedAt: at, fields: to };
    state.advance(catalogueId);
    putProfile(state, tables, profile);
    writeEvent(state, tables, "pet.profile_updated", at, profileEvent(petId, to), changed);
    return done(structuredClone(profile));
  },
  "photo.add": (state, { catalogueId, petId, photo, maxBytes, at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables?.pets.has(petId) !== true) return refused("missing");
    const photos = tables.photos.get(petId) ?? [];
    if (photos.length >= MAX_PHOTOS) return refused("limit");
    const { accountId } = tables.catalogue;
    if (photoBytes(state, accountId) + photo.bytes > maxBytes) return refused("quota");
    const id = tables.profiles.get(petId)?.nextPhotoId ?? 1;
    const position = Math.max(0, ...photos.map((one) => one.position)) + 1;
    const added: StoredPhoto = structuredClone({ ...photo, id, petId, position, createdAt: at });
    state.advance(catalogueId);
    touch(state, tables, petId, at, 1);
    state.put(tables.photos, petId, [...photos, added]);
    writeEvent(state, tables, "photo.added", at, photoEvent(added));
    return done(structuredClone(added));
  },
  "photo.change": (state, change) => {
    const { catalogueId, petId, photoId, alt, focus, at } = change;
    const tables = state.tablesOf(catalogueId);
    const photo = tables?.photos.get(petId)?.find(({ id }) => id === photoId);
    if (tables?.pets.has(petId) !== true || photo === undefined) return refused("missing");
    const { alt: altBefore, focus: focusBefore, ...rest } = photo;
    const [altAfter, focusAfter] = [
      alt === undefined ? altBefore : alt,
      focus === undefined ? focusBefore : focus,
    ];
    const changed: StoredPhoto = {
      ...rest,
      ...(altAfter === undefined || altAfter === null ? {} : { alt: altAfter }),
      ...(focusAfter === undefined || focusAfter === null ? {} : { focus: { ...focusAfter } }),
    };
    const photos = tables.photos.get(petId) ?? [];
    state.advance(catalogueId);
    state.put(
      tables.photos,
      petId,
      photos.map((one) => (one.id === photoId ? changed : one)),
    );
    const { fields } = touch(state, tables, petId, at);
    const data = profileEvent(petId, fields);
    writeEvent(state, tables, "pet.profile_updated", at, data, photoChanges(change));
    return done(structuredClone(changed));
  },
  "photo.order": (state, { catalogueId, petId, ids, at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables?.pets.has(petId) !== true) return refused("missing");
    const photos = tables.photos.get(petId) ?? [];
    const ordered = ids.flatMap((wanted, index) =>
      photos.filter(({ id }) => id === wanted).map((photo) => ({ ...photo, position: index + 1 })),
    );
    const isComplete = new Set(ids).size === photos.length && ordered.length === photos.length;
    if (!isComplete || ids.length !== photos.length) return refused("stale");
    state.advance(catalogueId);
    state.put(tables.photos, petId, ordered);
    const { fields } = touch(state, tables, petId, at);
    writeEvent(state, tables, "pet.profile_updated", at, profileEvent(petId, fields), PHOTOS);
    return done(undefined);
  },
  "photo.remove": (state, { catalogueId, petId, photoId, at }) => {
    const tables = state.tablesOf(catalogueId);
    const photos = tables?.photos.get(petId) ?? [];
    const photo = photos.find(({ id }) => id === photoId);
    if (tables?.pets.has(petId) !== true || photo === undefined) return refused("missing");
    state.advance(catalogueId);
    const left = photos.filter(({ id }) => id !== photoId);
    state.put(tables.photos, petId, left);
    touch(state, tables, petId, at);
    writeEvent(state, tables, "photo.removed", at, photoEvent(photo));
    return done(undefined);
  },
};

/** Makes the key of a profile free: a deleted animal loses it. Returns false if a present one other than `petId` has it. */
export function takeKey(
  state: MemoryState,
  { pets, profiles }: CatalogueTables,
  { externalId, source }: Profile,
  at: number,
  petId?: number,
): boolean {
  if (externalId === undefined) return true;
  for (const [id, profile] of profiles) {
    const { externalId: held, ...rest } = profile.fields;
    if (id === petId || held !== externalId || rest.source !== source) continue;
    if (pets.has(id)) return false;
    const { version } = profile;
    state.put(profiles, id, { ...profile, fields: rest, version: version + 1, updatedAt: at });
  }
  return true;
}

/** Writes a profile. The photos of its animal keep their numbers. */
export function putProfile(
  state: MemoryState,
  { profiles }: CatalogueTables,
  profile: StoredProfile,
): void {
  const { petId, fields } = profile;
  const nextPhotoId = profiles.get(petId)?.nextPhotoId ?? 1;
  state.put(profiles, petId, { ...profile, fields: structuredClone(fields), nextPhotoId });
}

/** Gives the profile its next version because its photos changed. */
function touch(
  state: MemoryState,
  { profiles }: CatalogueTables,
  petId: number,
  at: number,
  added: number = 0,
): StoredProfile {
  const { version = 0, nextPhotoId = 1, fields = {} } = profiles.get(petId) ?? {};
  const touched = { petId, version: version + 1, updatedAt: at, fields };
  state.put(profiles, petId, { ...touched, nextPhotoId: nextPhotoId + added });
  return touched;
}

/** Returns what the photos of an account take, in bytes. */
export function photoBytes(state: MemoryState, accountId: string): number {
  return [...state.catalogues.values()]
    .filter(({ catalogue }) => catalogue.accountId === accountId)
    .flatMap(({ photos }) => [...photos.values()].flat())
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns photos by the hash of their file: one for each status and category of a catalogue, those of deleted animals last. */
export function photosByHash(
  state: MemoryState,
  hash: string,
  catalogueId: number | undefined,
): readonly (StoredPhoto & { readonly catalogueId: number })[] {
  const present = new Map<string, StoredPhoto & { readonly catalogueId: number }>();
  const deleted = new Map<string, StoredPhoto & { readonly catalogueId: number }>();
  for (const [id, { photos, pets }] of state.catalogues) {
    if (catalogueId !== undefined && id !== catalogueId) continue;
    const found = [...photos.values()].flat().filter((photo) => photo.hash === hash);
    for (const photo of found.toSorted((a, b) => a.petId - b.petId || a.id - b.id)) {
      const pet = pets.get(photo.petId);
      const group = `${id} ${pet?.status} ${pet?.categoryId}`;
      const groups = pet === undefined ? deleted : present;
      if (!groups.has(group)) groups.set(group, { ...photo, catalogueId: id });
    }
  }
  return structuredClone(
    [present, deleted].flatMap((groups) =>
      [...groups.values()].toSorted((a, b) => a.catalogueId - b.catalogueId || a.petId - b.petId),
    ),
  );
}
