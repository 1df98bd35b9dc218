import { isoTime } from "../base/clock.ts";
import type { Account } from "./account.ts";
import type { ApiKey } from "./api-key.ts";
import {
  categoryShown,
  type Category,
  orderShown,
  type StoredOrder,
  petShown,
  type Pet,
} from "../catalogue/model.ts";

/** What happened, as the outbox tells it. Written in the same commit as its cause. */
export interface DomainEvent {
  /** Grows by order of commit; the place to go on from. */
  readonly seq: number;
  readonly type: EventType;
  /** Empty for what belongs to no account, as an operator's token. */
  readonly accountId: string;
  /** Absent for events of the whole account. */
  readonly catalogueId?: number;
  readonly at: number;
  /** What the event is about, as the API would send it. Never a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventTypes = [
  "account.created",
  "account.updated",
  "account.suspended",
  "account.resumed",
  "account.deleted",
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.deleted",
  "pet.restored",
  "category.created",
  "category.updated",
  "category.deleted",
  "order.placed",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "key.banned",
  "key.unbanned",
  "quota.threshold_reached",
  "token.created",
  "token.revoked",
  "member.created",
  "member.updated",
  "member.removed",
  "project.created",
  "project.updated",
  "project.deleted",
  "project.restored",
  "deploy.created",
  "deploy.ready",
  "deploy.activated",
  "deploy.failed",
  "deploy.deleted",
  "domain.added",
  "domain.verified",
  "domain.contested",
  "domain.issuing",
  "domain.live",
  "domain.renewed",
  "domain.expiring",
  "domain.failed",
  "domain.removed",
  "clock.skewed",
] as const;

export type EventType = (typeof eventTypes)[number];

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
