import { DAY_MS, isoTime } from "../base/clock.ts";
import {
  changedFields,
  fieldNames,
  fieldsIn,
  fieldsOf,
  type EveryField,
  type FieldChanges,
  type FieldKinds,
  type NewRow,
  type WithNulls,
} from "../base/fields.ts";
import { normalized } from "../base/normalized.ts";
import type { ProfileFilter } from "./model-profile.ts";
import type { PetStatus } from "./model-statuses.ts";

export { petStatuses, type PetStatus } from "./model-statuses.ts";

/** The longest name, in code points. */
export const MAX_CATEGORY_NAME = 80;
/** Longer than any spelling of such a name, in UTF-16 code units. */
export const MAX_SPELLING = 1_000;

/** A category of animals. */
export interface Category {
  readonly id: number;
  /** 1 to 80 code points, unique within its catalogue, ignoring case. */
  readonly name: string;
}

/** A category as it is stored. Instants are in milliseconds since the Unix epoch. */
export interface StoredCategory extends Category {
  readonly version: number;
  readonly updatedAt: number;
}

/** Returns a category in the form the API sends. */
export function categoryShown({ id, name }: Category): Category {
  return { id, name };
}

/** Returns the form in which two spellings of a name are equal: NFKC, lower case. */
export function foldCategoryName(name: string): string {
  return normalized(name, "NFKC").toLowerCase();
}

/** The states of an order, in the order in which it usually has them. */
export const orderStatuses = ["placed", "approved", "delivered"] as const;
/** The state of an order. */
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * A sale of an animal. Every sale writes an order; a return keeps it. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface StoredOrder {
  readonly id: number;
  readonly petId: number;
  readonly status: OrderStatus;
  readonly createdAt: number;
  /** Starts at 1 and increases by one with each change. */
  readonly version: number;
  readonly updatedAt: number;
  /** The animal's status before the sale. Absent: it was created sold, or an older version wrote the order. */
  readonly statusBefore?: PetStatus;
  /** When the animal was returned. Absent: it was not, or an older version made it available. */
  readonly returnedAt?: number;
}

/** An order as the public API sends it. */
export interface Order extends Pick<StoredOrder, "id" | "petId" | "status"> {
  /** RFC 3339. */
  readonly createdAt: string;
}

/** Default of how long adopters are kept after staff last saved them: two years. */
export const ADOPTERS_KEEP_MS: number = 730 * DAY_MS;

/** The person who adopted an animal. Personal data: only staff read it, and it is deleted after a retention time. */
export interface Adopter {
  readonly name?: string;
  /** How to reach the person, such as a phone number. */
  readonly contact?: string;
  /** The date of the adoption by the calendar, `2026-11-20`. */
  readonly date?: string;
}

/** An order with its adopter, for staff. */
export interface Adoption extends StoredOrder {
  readonly adopter?: Adopter;
}

/** Returns an order in the form that the public API sends. */
export function orderShown({ id, petId, status, createdAt }: StoredOrder): Order {
  return { id, petId, status, createdAt: isoTime(createdAt) };
}

/** Returns an order as events send it: as the public API does, and when the animal was returned. */
export function orderInEvent(order: StoredOrder): Order & { readonly returnedAt?: string } {
  const { returnedAt } = order;
  return {
    ...orderShown(order),
    ...(returnedAt === undefined ? {} : { returnedAt: isoTime(returnedAt) }),
  };
}

/** Which orders a list contains. Default: all. */
export interface OrderFilter {
  readonly petId?: number | undefined;
  readonly status?: OrderStatus | undefined;
}

/**
 * The fields of a pet that the caller sets, validated and normalized: texts in NFC and trimmed, the name with 1 to 120
 * code points. A field that a pet may lack is an optional member, which is absent if the pet lacks it: never null or empty.
 */
export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status: PetStatus;
}

/** The values of fields that a new pet may omit. */
export const petDefaults = { status: "available" } as const satisfies Partial<NewPet>;

/** The kind of every field, in the order in which fields are sent, stored and exported. */
export const petFieldKinds: FieldKinds<NewPet, typeof petDefaults> = {
  name: "required",
  categoryId: "required",
  status: "default",
};

/** The fields of `NewPet`, in their order. */
export const petFields: readonly (keyof NewPet)[] = fieldNames(petFieldKinds);

/** The fields that a pet may lack. */
export const optionalPetFields: readonly (keyof NewPet)[] = fieldNames(petFieldKinds, "optional");

/** Some fields of a pet, as the caller sends them. */
export type PetFields = FieldChanges<NewPet>;

/** A new pet as the caller sends it: validated but not normalized. */
export type PetInput = NewRow<NewPet, typeof petDefaults>;

/** A pet in the form the API sends. */
export interface Pet extends NewPet {
  readonly id: number;
}

/** A pet in the form the store keeps. Instants are in milliseconds since the Unix epoch. */
export interface StoredPet extends Pet {
  /** Starts at 1 and increases by one with each change. `If-Match` compares it. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A deleted pet that can still be restored. Instants are in milliseconds since the Unix epoch. */
export interface DeletedPet extends StoredPet {
  readonly deletedAt: number;
}

/** Selects the pets of a list. */
export interface PetFilter {
  readonly status?: PetStatus | undefined;
  readonly categoryId?: number | undefined;
  /** Only these ids, at most 100. */
  readonly ids?: readonly number[] | undefined;
  /** A part of the name, ignoring case and accents. Reads every pet that passes the other filters. */
  readonly name?: string | undefined;
  readonly profile?: ProfileFilter | undefined;
}

/** How long a deleted pet can be restored. */
export const RESTORE_MS: number = 48 * 3_600_000;

/** Returns the fields that the caller sets, without other members. Null means that the pet lacks the field. */
export function petFieldsOf(pet: WithNulls<NewPet>): NewPet {
  return fieldsOf(petFields, pet);
}

/** Returns the fields that `input` names, without other members. Null removes a field. */
export function petFieldsIn(input: PetFields): Partial<WithNulls<NewPet>> {
  return fieldsIn(petFields, input);
}

/** Returns the fields of `to` that differ from those of `from`. */
export function petChanges(from: NewPet, to: EveryField<NewPet>): Partial<WithNulls<NewPet>> {
  return changedFields(petFields, from, to);
}

/** Returns a pet in the form the API sends. All responses, events and exports use it. */
export function petShown(pet: Pet): Pet {
  return { id: pet.id, ...petFieldsOf(pet) };
}
