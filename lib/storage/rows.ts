import { lacking, number, optionalNumber, optionalText, present, text } from "../sql/rows.ts";
import type { Account, Catalogue, Environment, Plan } from "../model/account.ts";
import type { ApiKey, Ban } from "../model/api-key.ts";
import {
  type Adopter,
  type StoredCategory,
  type StoredOrder,
  optionalPetFields,
  petFields,
  type DeletedPet,
  type StoredPet,
} from "../catalogue/model.ts";
import {
  profileLeafNames,
  profileLeaves,
  type Profile,
  type ProfileLeaf,
  type StoredPhoto,
  type StoredProfile,
} from "../catalogue/model-profile.ts";
import { leavesOf, profileOf } from "../catalogue/model-profile-leaves.ts";
import { actorIn, originIn } from "../model/actor.ts";
import type { DomainEvent, EventType, RecordedEvent } from "../model/event.ts";
import type { Scope } from "../model/scope.ts";
import type { UsageRow } from "../model/usage.ts";
import type { SavedCounter, Notice, RememberedAnswer } from "./change.ts";
import type { SqlRow, SqlValue } from "../sql/sql.ts";

// The casts hold because only this folder writes these tables, and because each column list is next to the function that
// reads it.

/** All fields of a row of `pets`. A row of `deleted_pets` has them too, and `deletedAt`. */
export const storedPetFields: readonly (keyof StoredPet)[] = [
  "id",
  ...petFields,
  "version",
  "createdAt",
  "updatedAt",
];

/** Returns the column of a field: `category_id` for `categoryId`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const selected = (fields: readonly string[]): string =>
  fields.map((field) => `${columnOf(field)} AS "${field}"`).join(", ");

export const petColumns: string = selected(storedPetFields);

/** The columns that lists show. */
export const shownPetColumns: string = selected(["id", ...petFields]);

/** Returns the values of a pet's columns: NULL for a field that it lacks. */
export function petValues(pet: StoredPet, fields: readonly (keyof StoredPet)[]): SqlValue[] {
  return fields.map((field) => pet[field] ?? null);
}

/** Returns the rows uncopied: copying twenty rows costs as much as finding three. */
export function petsOf(rows: readonly SqlRow[]): readonly StoredPet[] {
  for (const row of rows) lacking(row, optionalPetFields);
  return rows as unknown as readonly StoredPet[];
}

export function petOf(row: SqlRow): StoredPet {
  return lacking(row, optionalPetFields) as unknown as StoredPet;
}

export const deletedPetColumns: string = `${petColumns}, deleted_at AS "deletedAt"`;

export function deletedPetOf(row: SqlRow): DeletedPet {
  return lacking(row, optionalPetFields) as unknown as DeletedPet;
}

// `text` would be the name of a type.
const profileColumnOf = (leaf: ProfileLeaf): string =>
  leaf === "text"
    ? "markdown"
    : columnOf(leaf.replaceAll(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase()));

/** The columns of a profile's leaves, in their order. */
export const profileLeafColumns: readonly string[] = profileLeafNames.map(profileColumnOf);

export const profileColumns: string = `pet_id AS "petId", version, updated_at AS "updatedAt", ${profileLeafNames
  .map((leaf) => `${profileColumnOf(leaf)} AS "${leaf}"`)
  .join(", ")}`;

/** Returns the values of the columns of a profile's leaves. */
export function profileValues(profile: Profile): readonly SqlValue[] {
  const leaves = leavesOf(profile);
  return profileLeafNames.map((leaf) => {
    const value = leaves[leaf] ?? null;
    return typeof value === "boolean" ? Number(value) : value;
  });
}

export function storedProfileOf(row: SqlRow): StoredProfile {
  const leaves = { ...row } as Record<ProfileLeaf, SqlValue>;
  for (const flag of flags)
    if (row[flag] !== null) Object.assign(leaves, { [flag]: row[flag] === 1 });
  return {
    petId: number(row, "petId"),
    version: number(row, "version"),
    updatedAt: number(row, "updatedAt"),
    fields: profileOf(leaves),
  };
}

/** Returns the leaves that a query selects. */
export function profileValuesOf(row: SqlRow): Profile {
  return profileOf(row);
}

const flags = profileLeafNames.filter((leaf) => profileLeaves[leaf].kind === "flag");

export const photoColumns = `id, pet_id AS "petId", position, alt, focus_x, focus_y, hash, width, height, sizes,
  bytes, created_at AS "createdAt"`;

export function photoOf(row: SqlRow): StoredPhoto {
  const [x, y] = [optionalNumber(row, "focus_x"), optionalNumber(row, "focus_y")];
  return {
    id: number(row, "id"),
    petId: number(row, "petId"),
    position: number(row, "position"),
    ...present({
      alt: optionalText(row, "alt"),
      focus: x === undefined || y === undefined ? undefined : { x, y },
    }),
    hash: text(row, "hash"),
    width: number(row, "width"),
    height: number(row, "height"),
    sizes: JSON.parse(text(row, "sizes")) as StoredPhoto["sizes"],
    bytes: number(row, "bytes"),
    createdAt: number(row, "createdAt"),
  };
}

export const categoryColumns: string = selected(["id", "name", "version", "updatedAt"]);

export function categoriesOf(rows: readonly SqlRow[]): readonly StoredCategory[] {
  return rows as unknown as readonly StoredCategory[];
}

export function categoryOf(row: SqlRow): StoredCategory {
  return row as unknown as StoredCategory;
}

const optionalOrderFields = ["statusBefore", "returnedAt"] as const;

const orderFields = ["id", "petId", "status", "createdAt", "version", ...optionalOrderFields];

export const orderColumns: string = `${selected(orderFields)},
  COALESCE(updated_at, created_at) AS "updatedAt"`;

export function ordersOf(rows: readonly SqlRow[]): readonly StoredOrder[] {
  for (const row of rows) lacking(row, optionalOrderFields);
  return rows as unknown as readonly StoredOrder[];
}

export function orderOf(row: SqlRow): StoredOrder {
  return lacking(row, optionalOrderFields) as unknown as StoredOrder;
}

const adopterFields = ["name", "contact", "date"] as const;

export const adopterColumns: string = selected(adopterFields);

export function adopterOf(row: SqlRow): Adopter {
  return lacking(row, adopterFields);
}

export const accountColumns = "id, name, plan, per_minute, per_day, created_at, suspended_at";

export function accountOf(row: SqlRow): Account {
  return {
    id: text(row, "id"),
    name: text(row, "name"),
    plan: text(row, "plan") as Plan,
    limits: { perMinute: number(row, "per_minute"), perDay: number(row, "per_day") },
    createdAt: number(row, "created_at"),
    ...present({ suspendedAt: optionalNumber(row, "suspended_at") }),
  };
}

export const catalogueColumns = "id, account_id, environment";

export function catalogueOf(row: SqlRow): Catalogue {
  return {
    id: number(row, "id"),
    accountId: text(row, "account_id"),
    environment: text(row, "environment") as Environment,
  };
}

export const keyColumns = `id, account_id, catalogue_id, environment, name, scopes, hash, created_at,
  expires_at, revoked_at, last_used_at, replaced_by, ban_until, ban_level, banned_at, ban_lifted_at,
  allowed_addresses`;

export function keyOf(row: SqlRow): ApiKey {
  return {
    id: text(row, "id"),
    accountId: text(row, "account_id"),
    catalogueId: number(row, "catalogue_id"),
    environment: text(row, "environment") as Environment,
    name: text(row, "name"),
    scopes: text(row, "scopes").split(" ") as Scope[],
    hash: text(row, "hash"),
    createdAt: number(row, "created_at"),
    ...present({
      expiresAt: optionalNumber(row, "expires_at"),
      revokedAt: optionalNumber(row, "revoked_at"),
      lastUsedAt: optionalNumber(row, "last_used_at"),
      replacedBy: optionalText(row, "replaced_by"),
      ban: banOf(row),
      allowedAddresses: optionalText(row, "allowed_addresses")?.split(" "),
    }),
  };
}

function banOf(row: SqlRow): Ban | undefined {
  const until = optionalNumber(row, "ban_until");
  if (until === undefined) return undefined;
  const liftedAt = optionalNumber(row, "ban_lifted_at");
  const [level, bannedAt] = [number(row, "ban_level"), number(row, "banned_at")];
  return { until, level, bannedAt, ...present({ liftedAt }) };
}

export const answerColumns = "fingerprint, status, headers, body, expires_at";

export function answerOf(row: SqlRow): RememberedAnswer {
  return {
    fingerprint: text(row, "fingerprint"),
    status: number(row, "status"),
    headers: JSON.parse(text(row, "headers")) as RememberedAnswer["headers"],
    body: text(row, "body"),
    expiresAt: number(row, "expires_at"),
  };
}

export const counterColumns = "name, state, ends_at";

export function counterOf(row: SqlRow): SavedCounter {
  return { name: text(row, "name"), state: text(row, "state"), endsAt: number(row, "ends_at") };
}

export const eventColumns = "seq, type, account_id, catalogue_id, occurred_at, data, actor";

export function eventOf(row: SqlRow): DomainEvent {
  const actor = optionalText(row, "actor");
  return {
    seq: number(row, "seq"),
    type: text(row, "type") as EventType,
    accountId: text(row, "account_id"),
    ...present({ catalogueId: optionalNumber(row, "catalogue_id") }),
    at: number(row, "occurred_at"),
    ...present({ actor: actor === undefined ? undefined : actorIn(actor) }),
    data: JSON.parse(text(row, "data")) as DomainEvent["data"],
  };
}

export const recordedColumns: string = `${eventColumns}, origin, changed`;

export function recordedOf(row: SqlRow): RecordedEvent {
  const [origin, changed] = [optionalText(row, "origin"), optionalText(row, "changed")];
  return {
    ...eventOf(row),
    ...present({
      origin: origin === undefined ? undefined : originIn(origin),
      changed: changed?.split(" "),
    }),
  };
}

export const noticeColumns = "seq, topic, subject";

export function noticeOf(row: SqlRow): Notice {
  return {
    seq: number(row, "seq"),
    topic: text(row, "topic") as Notice["topic"],
    subject: text(row, "subject"),
  };
}

export const usageColumns = `key_id AS "keyId", environment, operation, started_at AS "at",
  requests, limited, refused, failed`;

export function usageOf(rows: readonly SqlRow[]): readonly UsageRow[] {
  return rows as unknown as readonly UsageRow[];
}
