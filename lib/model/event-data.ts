import { isoTime } from "../base/clock.ts";
import type { Account } from "./account.ts";
import type { ApiKey } from "./api-key.ts";
import type { Category } from "./category.ts";
import type { StoredOrder } from "./order.ts";
import type { Pet } from "./pet.ts";

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
export function petEvent({ id, name, categoryId, status }: Pet): EventData {
  return { pet: { id, name, categoryId, status } };
}

export function categoryEvent({ id, name }: Category): EventData {
  return { category: { id, name } };
}

export function orderEvent({ id, petId, status, createdAt }: StoredOrder): EventData {
  return { order: { id, petId, status, createdAt: isoTime(createdAt) } };
}

/** What events tell of a key: never its hash. */
export function keyEvent({
  id,
  name,
  environment,
}: Pick<ApiKey, "id" | "name" | "environment">): EventData {
  return { keyId: id, name, environment };
}
