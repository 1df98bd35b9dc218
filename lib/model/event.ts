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

/** An event of the outbox, written in the same commit as its cause. */
export interface DomainEvent {
  /** Grows in the order of commits; readers continue after it. */
  readonly seq: number;
  readonly type: EventType;
  /** Empty for events of no account, such as those of an operator's token. */
  readonly accountId: string;
  /** Absent for events of the whole account. */
  readonly catalogueId?: number;
  readonly at: number;
  /** The subject of the event, as the API sends it. Never a secret. */
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

/** An account in an event. */
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

/** A deleted account in an event, which outlives it and so contains only the id. */
export function departedEvent(accountId: string): EventData {
  return { account: { id: accountId } };
}

/** An animal in an event. */
export function petEvent(pet: Pet): EventData {
  return { pet: petShown(pet) };
}

export function categoryEvent(category: Category): EventData {
  return { category: categoryShown(category) };
}

export function orderEvent(order: StoredOrder): EventData {
  return { order: orderShown(order) };
}

/** A key in an event, without its hash. */
export function keyEvent({
  id,
  name,
  environment,
}: Pick<ApiKey, "id" | "name" | "environment">): EventData {
  return { keyId: id, name, environment };
}
