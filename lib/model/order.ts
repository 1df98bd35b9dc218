export const orderStatuses = ["placed", "approved", "delivered"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** One sale of an animal. Every sale writes its own; a return leaves it. */
export interface StoredOrder {
  readonly id: number;
  readonly petId: number;
  readonly status: OrderStatus;
  readonly createdAt: number;
}

export interface OrderFilter {
  readonly petId?: number;
  readonly status?: OrderStatus;
}
