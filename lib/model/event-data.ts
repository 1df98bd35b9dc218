import { isoTime } from "../base/clock.ts";
import type { Account } from "./account.ts";
import type { ApiKey } from "./api-key.ts";
import { categoryShown, type Category } from "./category.ts";
import { orderShown, type StoredOrder } from "./order.ts";
import { petShown, type Pet } from "./pet.ts";

type EventData = Readonly<Record<string, unknown>>;

/** What events tell of an account. */
export function accountEvent({
  id,
  name,
  plan,
  limits,
  createdAt,
  suspendedAt,
}: Account): EventData {
  const { perMinute, perDay } = limits;
  return {
    account: {
      id,
      name,
      plan,
      limits: { perMinute, perDay },
      createdAt: isoTime(createdAt),
      ...(suspendedAt === undefined ? {} : { suspendedAt: isoTime(suspendedAt) }),
    },
  };
}

/** What is told of an account that is gone: this outlives it, so nothing of what it held. */
export function departedEvent(accountId: string): EventData {
  return { account: { id: accountId } };
}

/** What events tell of an animal: what the API would. */
export function petEvent(pet: Pet): EventData {
  return { pet: petShown(pet) };
}

export function categoryEvent(category: Category): EventData {
  return { category: categoryShown(category) };
}

export function orderEvent(order: StoredOrder): EventData {
  return { order: orderShown(order) };
}

/** What events tell of a key: never its hash. */
export function keyEvent({
  id,
  name,
  environment,
}: Pick<ApiKey, "id" | "name" | "environment">): EventData {
  return { keyId: id, name, environment };
}
