import { isoTime } from "../base/clock.ts";

/** The longest name, in code points. */
export const MAX_CATEGORY_NAME = 80;

export interface Category {
  readonly id: number;
  /** 1 to 80 code points, unique in its catalogue without regard to case. */
  readonly name: string;
}

/** A category as it is stored. */
export interface StoredCategory extends Category {
  readonly version: number;
  readonly updatedAt: number;
}

/** A category as it is sent. */
export function categoryShown({ id, name }: Category): Category {
  return { id, name };
}

/** The form in which equal names are equal: NFKC, lower case. */
export function foldCategoryName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

export const orderStatuses = ["placed", "approved", "delivered"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** A sale of an animal. Every sale writes an order; a return keeps it. */
export interface StoredOrder {
  readonly id: number;
  readonly petId: number;
  readonly status: OrderStatus;
  readonly createdAt: number;
}

/** An order as it is sent. */
export function orderShown({ id, petId, status, createdAt }: StoredOrder): object {
  return { id, petId, status, createdAt: isoTime(createdAt) };
}

export interface OrderFilter {
  readonly petId?: number;
  readonly status?: OrderStatus;
}

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];

/** What a caller sets of a new animal, checked and normalised: the name in NFC, trimmed, 1 to 120 code points. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status: PetStatus;
}

/** The fields of `NewPet`, in the order in which they are sent, stored and exported. */
export const petFields = [
  "name",
  "categoryId",
  "status",
] as const satisfies readonly (keyof NewPet)[];

/** The fields that a new animal may leave out. */
export const petDefaults = { status: "available" } as const satisfies Partial<NewPet>;

/** Some fields of an animal, as a caller sends them. */
export type PetFields = { readonly [Field in keyof NewPet]?: NewPet[Field] | undefined };

/** What a caller sends to add an animal; its schema has checked it, nothing is normalised yet. */
export type PetInput = Omit<NewPet, keyof typeof petDefaults> & PetFields;

/** An animal as it is sent. */
export interface Pet extends NewPet {
  readonly id: number;
}

/** An animal as it is stored. */
export interface StoredPet extends Pet {
  /** 1 at creation, one more with every change: what `If-Match` compares. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A deleted animal that can be restored. */
export interface DeletedPet extends StoredPet {
  readonly deletedAt: number;
}

/** Which animals a list contains. */
export interface PetFilter {
  readonly status?: PetStatus;
  readonly categoryId?: number;
  /** Only these, at most 100. */
  readonly ids?: readonly number[];
  /** Part of the name, in any case and with or without accents. Reads every animal that the other filters let through. */
  readonly name?: string;
}

/** The largest id: what JSON carries exactly everywhere (2^53 − 1). */
export const MAX_ID: number = Number.MAX_SAFE_INTEGER;

/** How long a deleted animal can be restored. */
export const RESTORE_MS: number = 48 * 3_600_000;

/** The fields that a caller sets, and no other member. */
export function petFieldsOf({ name, categoryId, status }: NewPet): NewPet {
  return { name, categoryId, status };
}

/** The fields that `input` names, and no other member. */
export function petFieldsIn(input: PetFields): Partial<NewPet> {
  return picked(input, (field) => input[field] !== undefined);
}

/** The fields of `to` that differ from those of `from`. */
export function petChanges(from: NewPet, to: NewPet): Partial<NewPet> {
  return picked(to, (field) => to[field] !== from[field]);
}

function picked(pet: PetFields, wanted: (field: keyof NewPet) => boolean): Partial<NewPet> {
  const entries = petFields.filter(wanted).map((field) => [field, pet[field]]);
  // Each value stands under its own name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Partial<NewPet>;
}

/** An animal as it is sent: every answer, event and export shows this. */
export function petShown(pet: Pet): Pet {
  return { id: pet.id, ...petFieldsOf(pet) };
}

/** The first version of an animal. */
export function createdPet(id: number, pet: NewPet, at: number): StoredPet {
  return { id, ...petFieldsOf(pet), version: 1, createdAt: at, updatedAt: at };
}

/** The next version of an animal. */
export function changedPet(from: StoredPet, to: NewPet, at: number): StoredPet {
  const { id, version, createdAt } = from;
  return { id, ...petFieldsOf(to), version: version + 1, createdAt, updatedAt: at };
}

/** The statuses that may follow another one. */
export const allowedAfter: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ["pending", "sold"],
  pending: ["available", "sold"],
  sold: ["available"],
};

/** True for the return of a sold animal, which takes the scope `pets:admin`. */
export function isReturn(from: PetStatus, to: PetStatus): boolean {
  return from === "sold" && to === "available";
}

/** True when a change from one to the other writes an order. */
export function isSale(from: PetStatus | undefined, to: PetStatus): boolean {
  return to === "sold" && from !== "sold";
}
