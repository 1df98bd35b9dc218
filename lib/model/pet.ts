export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];

/** An animal as it is sent. */
export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: PetStatus;
}

/** An animal as it is remembered. */
export interface StoredPet extends Pet {
  /** 1 at creation, one more with every change: what `If-Match` compares. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a person may say about a new animal, already checked: name in NFC, trimmed, 1 to 120 code points. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status: PetStatus;
}

/** Which animals a list is about. */
export interface PetFilter {
  readonly status?: PetStatus;
  readonly categoryId?: number;
  /** Only these, at most 100. */
  readonly ids?: readonly number[];
  /** Part of the name, in any case and with or without accents. Looks at every animal that the others let through. */
  readonly name?: string;
}

/** A deleted animal that can be restored. */
export interface DeletedPet extends StoredPet {
  readonly deletedAt: number;
}

/** The largest id: what JSON carries exactly everywhere (2^53 − 1). */
export const MAX_ID: number = Number.MAX_SAFE_INTEGER;

/** How long a deleted animal can be restored. */
export const RESTORE_MS: number = 48 * 3_600_000;

/** The statuses that may follow another one. */
export const allowedAfter: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ["pending", "sold"],
  pending: ["available", "sold"],
  sold: ["available"],
};

/** True for a sold animal that comes back, which takes the scope `pets:admin`. */
export function isReturn(from: PetStatus, to: PetStatus): boolean {
  return from === "sold" && to === "available";
}

/** True when a change from one to the other writes an order. */
export function isSale(from: PetStatus | undefined, to: PetStatus): boolean {
  return to === "sold" && from !== "sold";
}
