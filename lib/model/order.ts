import { isoTime } from "../base/clock.ts";

export const orderStatuses = ["placed", "approved", "delivered"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** One sale of an animal. Every sale writes its own; a return leaves it. */
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
