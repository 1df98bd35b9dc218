import { isoTime } from "../base/clock.ts";
import type { ApiKey } from "./api-key.ts";
import type { Category } from "./category.ts";
import type { StoredOrder } from "./order.ts";
import type { Pet } from "./pet.ts";

type EventData = Readonly<Record<string, unknown>>;

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
