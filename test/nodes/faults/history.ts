import type { Pet, PetStatus } from "../../../lib/index.ts";

// What clients did and saw. The checker knows the service from its contract only, and nothing but this.

/** A request. Times are milliseconds of `performance.now()`. */
export interface Request {
  readonly node: number;
  readonly sentAt: number;
  /** Undefined: no reply came. It may yet take effect. */
  endedAt?: number;
  status?: number;
}

/** A change of an animal, sent until it is acknowledged or given up. */
export interface Write {
  readonly action: "create" | "change" | "delete";
  /** The state that it leads to; undefined: deleted. */
  readonly to: PetState | undefined;
  readonly requests: Request[];
  /** When a reply confirmed it. */
  acknowledgedAt?: number;
}

export interface PetState {
  readonly status: PetStatus;
  readonly categoryId: number;
}

/** An animal and all changes of it, one after the other. */
export interface PetHistory {
  /** Its name, which no other has. */
  readonly mark: string;
  /** Known once its creation is acknowledged. */
  id?: number;
  readonly writes: Write[];
}

/** A read of one animal of its own by a tenant. */
export interface Look {
  readonly mark: string;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly found: Pet | undefined;
}

/** What one tenant did. */
export interface TenantHistory {
  readonly name: string;
  readonly pets: PetHistory[];
  readonly looks: Look[];
  /** Names of animals in its lists that it did not create, and replies that the contract does not allow. */
  readonly surprises: string[];
}

/** What a node has in the end. */
export interface Found {
  readonly pets: readonly Pet[];
  readonly orders: readonly { readonly id: number; readonly petId: number }[];
}
