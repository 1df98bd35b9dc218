import { petFieldsOf, type NewPet, type StoredOrder, type StoredPet } from "./model.ts";
import type { PetStatus } from "./model-statuses.ts";

/** Returns the first version of an order. */
export function placedOrder(
  order: Omit<StoredOrder, "status" | "version" | "updatedAt" | "returnedAt">,
): StoredOrder {
  return { ...order, status: "placed", version: 1, updatedAt: order.createdAt };
}

/** Returns the next version of an order. */
export function changedOrder(
  from: StoredOrder,
  { status, returnedAt }: Pick<StoredOrder, "status" | "returnedAt">,
  at: number,
): StoredOrder {
  const { returnedAt: _before, ...rest } = from;
  const returned = returnedAt === undefined ? {} : { returnedAt };
  return { ...rest, status, version: from.version + 1, updatedAt: at, ...returned };
}

/** Returns the first version of a pet. */
export function createdPet(id: number, pet: NewPet, at: number): StoredPet {
  return { id, ...petFieldsOf(pet), version: 1, createdAt: at, updatedAt: at };
}

/** Returns the next version of a pet. */
export function changedPet(from: StoredPet, to: NewPet, at: number): StoredPet {
  const { id, version, createdAt } = from;
  return { id, ...petFieldsOf(to), version: version + 1, createdAt, updatedAt: at };
}

/** The statuses to which each status may change. */
export const allowedAfter: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ["pending", "sold"],
  pending: ["available", "sold"],
  sold: ["available"],
};

/** Returns true for the return of a sold pet, which needs the scope `pets:admin`. */
export function isReturn(from: PetStatus, to: PetStatus): boolean {
  return from === "sold" && to === "available";
}

/** Returns true if the change is a sale, which writes an order. */
export function isSale(from: PetStatus | undefined, to: PetStatus): boolean {
  return to === "sold" && from !== "sold";
}
