import {
  MAX_PHOTOS,
  type Profile,
  type StoredPhoto,
  type StoredProfile,
} from "../../catalogue/model-profile.ts";
import { photoEvent, profileEvent } from "../../model/event.ts";
import { searchForm } from "../../model/text.ts";
import { nothing, rowOf } from "../../sql/script.ts";
import { number, text } from "../../sql/rows.ts";
import type { BatchRows, SqlValue } from "../../sql/sql.ts";
import type { ChangeOf } from "../change.ts";
import { photoChanges, PHOTOS } from "../changed-fields.ts";
import {
  photoColumns,
  photoOf,
  profileColumns,
  profileLeafColumns,
  profileValues,
  storedProfileOf,
} from "../rows.ts";
import { addCatalogueEvent, REVISE, type Outcomes, type StoreScript } from "./store-script.ts";

const HAS_PET = "SELECT 1 AS found FROM pets WHERE catalogue_id = ? AND id = ?";

const HAS_KEY = "catalogue_id = ? AND external_id = ? AND COALESCE(source, '') = ? AND pet_id <> ?";

const RELEASE_KEY = `UPDATE profiles SET external_id = NULL, version = version + 1, updated_at = ?
  WHERE ${HAS_KEY} AND NOT EXISTS (
    SELECT 1 FROM pets WHERE pets.catalogue_id = profiles.catalogue_id AND pets.id = profiles.pet_id
  )`;

const KEY_IS_FREE = `SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE ${HAS_KEY})`;

/** Demands that no other animal has the profile's key; a deleted one loses it. `petId` is 0 for a new animal. */
export function takeKey(
  script: StoreScript,
  profile: Profile,
  of: { readonly catalogueId: number; readonly petId: number; readonly at: number },
): void {
  const { externalId, source = "" } = profile;
  if (externalId === undefined) return;
  const key = [of.catalogueId, externalId, source, of.petId];
  script.add(RELEASE_KEY, [of.at, ...key]);
  script.demand(KEY_IS_FREE, key, "exists");
}

const WRITTEN = ["folded_breed", ...profileLeafColumns];

/** Adds the profile of a new animal. */
export const INSERT_PROFILE: string = `INSERT INTO profiles
  (catalogue_id, pet_id, version, updated_at, next_photo_id, ${WRITTEN.join(", ")})
  VALUES (?, ?, 1, ?, 1, ${WRITTEN.map(() => "?").join(", ")})`;

const ADD_PROFILE = `${INSERT_PROFILE} ON CONFLICT (catalogue_id, pet_id) DO NOTHING RETURNING version`;

const UPDATE_PROFILE = `UPDATE profiles
  SET version = version + 1, updated_at = ?, ${WRITTEN.map((column) => `${column} = ?`).join(", ")}
  WHERE catalogue_id = ? AND pet_id = ? AND version = ? RETURNING version`;

/** Returns the values of what a change of a profile writes. */
export function writtenValues(profile: Profile): readonly SqlValue[] {
  const breed = profile.breed?.text;
  return [breed === undefined ? null : searchForm(breed), ...profileValues(profile)];
}

export function setProfile(
  script: StoreScript,
  { catalogueId, petId, from, to, changed, at }: ChangeOf<"profile.set">,
): Outcomes {
  const revised = reviseFor(script, catalogueId, petId);
  takeKey(script, to, { catalogueId, petId, at });
  const values = writtenValues(to);
  if (from === 0) script.demand(ADD_PROFILE, [catalogueId, petId, at, ...values], "stale");
  else script.demand(UPDATE_PROFILE, [at, ...values, catalogueId, petId, from], "stale");
  addCatalogueEvent(script, revised, {
    type: "pet.profile_updated",
    catalogueId,
    at,
    changed,
    data: () => profileEvent(petId, to),
  });
  const profile: StoredProfile = { petId, version: from + 1, updatedAt: at, fields: to };
  return () => profile;
}

/** Begins a change that needs the animal. Returns the step whose row has the account. */
function reviseFor(script: StoreScript, catalogueId: number, petId: number): number {
  const revised = script.revise(catalogueId, REVISE, "missing");
  script.demand(HAS_PET, [catalogueId, petId], "missing");
  return revised;
}

// The photo that is added has the number before `next_photo_id`.
const TOUCH = `INSERT INTO profiles (catalogue_id, pet_id, version, updated_at, next_photo_id)
  VALUES (?, ?, 1, ?, ?)
  ON CONFLICT (catalogue_id, pet_id) DO UPDATE SET version = profiles.version + 1,
    updated_at = excluded.updated_at, next_photo_id = profiles.next_photo_id + excluded.next_photo_id - 1
  RETURNING next_photo_id, ${profileColumns}`;

/** Gives the profile its next version, and assigns the ids of `added` photos. */
function touch(script: StoreScript, { catalogueId, petId, at }: Of, added: number): number {
  return script.add(TOUCH, [catalogueId, petId, at, 1 + added]);
}

interface Of {
  readonly catalogueId: number;
  readonly petId: number;
  readonly at: number;
}

/** Gives the profile its next version because its photos changed, and writes its event. */
function addTouchEvent(
  script: StoreScript,
  revised: number,
  of: Of,
  changed: readonly string[],
): void {
  const touched = touch(script, of, 0);
  const { catalogueId, petId, at } = of;
  addCatalogueEvent(script, revised, {
    type: "pet.profile_updated",
    catalogueId,
    at,
    changed,
    data: (rows) => profileEvent(petId, storedProfileOf(rowOf(rows, touched)).fields),
  });
}

const HAS_ROOM = `SELECT 1 AS found
  WHERE (SELECT COUNT(*) FROM photos WHERE catalogue_id = ? AND pet_id = ?) < ${MAX_PHOTOS}`;

const HAS_QUOTA = `SELECT 1 AS found WHERE (
  SELECT COALESCE(SUM(bytes), 0) FROM photos
  WHERE catalogue_id IN (SELECT id FROM catalogues WHERE account_id = ?)
) <= ?`;

const INSERT_PHOTO = `INSERT INTO photos (catalogue_id, pet_id, id, position, alt, focus_x, focus_y, hash,
    width, height, sizes, bytes, created_at)
  VALUES (?, ?, ?,
    (SELECT COALESCE(MAX(position), 0) + 1 FROM photos WHERE catalogue_id = ? AND pet_id = ?),
    ?, ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING ${photoColumns}`;

export function addPhoto(
  script: StoreScript,
  { catalogueId, petId, photo, maxBytes, at }: ChangeOf<"photo.add">,
): Outcomes {
  const revised = reviseFor(script, catalogueId, petId);
  script.demand(HAS_ROOM, [catalogueId, petId], "limit");
  script.demand(
    HAS_QUOTA,
    (rows) => [text(rowOf(rows, revised), "account_id"), maxBytes - photo.bytes],
    "quota",
  );
  const touched = touch(script, { catalogueId, petId, at }, 1);
  const { alt = null, focus, hash, width, height, sizes, bytes } = photo;
  const added = script.add(INSERT_PHOTO, (rows) => [
    ...[catalogueId, petId, number(rowOf(rows, touched), "next_photo_id") - 1],
    ...[catalogueId, petId],
    ...[alt, focus?.x ?? null, focus?.y ?? null, hash],
    ...[width, height, JSON.stringify(sizes), bytes, at],
  ]);
  const stored = (rows: BatchRows): StoredPhoto => photoOf(rowOf(rows, added));
  addCatalogueEvent(script, revised, {
    type: "photo.added",
    catalogueId,
    at,
    data: (rows) => photoEvent(stored(rows)),
  });
  return stored;
}

const SAME = "catalogue_id = ? AND pet_id = ? AND id = ?";

export function changePhoto(script: StoreScript, change: ChangeOf<"photo.change">): Outcomes {
  const { catalogueId, petId, photoId, alt, focus, at } = change;
  const revised = reviseFor(script, catalogueId, petId);
  const sets = ["id = id"];
  const values: SqlValue[] = [];
  if (alt !== undefined) {
    sets.push("alt = ?");
    values.push(alt);
  }
  if (focus !== undefined) {
    sets.push("focus_x = ?", "focus_y = ?");
    values.push(focus?.x ?? null, focus?.y ?? null);
  }
  const changed = script.demand(
    `UPDATE photos SET ${sets.join(", ")} WHERE ${SAME} RETURNING ${photoColumns}`,
    [...values, catalogueId, petId, photoId],
    "missing",
  );
  addTouchEvent(script, revised, { catalogueId, petId, at }, photoChanges(change));
  return (rows) => photoOf(rowOf(rows, changed));
}

const HAS_PHOTOS = `SELECT 1 AS found
  WHERE (SELECT COUNT(*) FROM photos WHERE catalogue_id = ? AND pet_id = ?) = ?`;

const PLACE_PHOTO = `UPDATE photos SET position = ? WHERE ${SAME} RETURNING id`;

export function orderPhotos(
  script: StoreScript,
  { catalogueId, petId, ids, at }: ChangeOf<"photo.order">,
): Outcomes {
  const revised = reviseFor(script, catalogueId, petId);
  const isRepeated = new Set(ids).size < ids.length;
  script.demand(HAS_PHOTOS, [catalogueId, petId, isRepeated ? -1 : ids.length], "stale");
  for (const [index, id] of ids.entries()) {
    script.demand(PLACE_PHOTO, [index + 1, catalogueId, petId, id], "stale");
  }
  addTouchEvent(script, revised, { catalogueId, petId, at }, PHOTOS);
  return nothing;
}

const DELETE_PHOTO = `DELETE FROM photos WHERE ${SAME} RETURNING ${photoColumns}`;

export function removePhoto(
  script: StoreScript,
  { catalogueId, petId, photoId, at }: ChangeOf<"photo.remove">,
): Outcomes {
  const revised = reviseFor(script, catalogueId, petId);
  const removed = script.demand(DELETE_PHOTO, [catalogueId, petId, photoId], "missing");
  touch(script, { catalogueId, petId, at }, 0);
  addCatalogueEvent(script, revised, {
    type: "photo.removed",
    catalogueId,
    at,
    data: (rows) => photoEvent(photoOf(rowOf(rows, removed))),
  });
  return nothing;
}
