import { isoTime } from "../base/clock.ts";
import type { Account } from "./account.ts";
import type { Actor, Origin } from "./actor.ts";
import type { RecordedType } from "./audit-types.ts";
import type { EventType } from "./event-types.ts";
import type { ApiKey } from "./api-key.ts";
import {
  categoryShown,
  type Category,
  orderInEvent,
  type StoredOrder,
  petShown,
  type Pet,
} from "../catalogue/model.ts";
import { publicProfile, type Profile, type StoredPhoto } from "../catalogue/model-profile.ts";
import { withoutUndefined } from "../base/without-undefined.ts";

export { eventTypes, type EventType } from "./event-types.ts";

/**
 * An event in the outbox. Written in the same commit as the change that caused it. Instants are in milliseconds since
 * the Unix epoch.
 */
export interface DomainEvent {
  /** Increases in commit order; readers resume after the last value they saw. */
  readonly seq: number;
  readonly type: EventType;
  /** Empty for events that belong to no account, such as those about an operator's token. */
  readonly accountId: string;
  /** Absent for events about the whole account. */
  readonly catalogueId?: number;
  readonly at: number;
  /** Who caused it; absent if an older version wrote it. */
  readonly actor?: Actor;
  /** The event's subject in the form the API sends. Never contains a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event or an entry of the audit log, with what only the audit log shows. */
export interface RecordedEvent extends Omit<DomainEvent, "type"> {
  readonly type: RecordedType;
  /** Where the change comes from; absent if it is not known, or if an older version wrote the event. */
  readonly origin?: Origin;
  /** The names of the changed fields; absent if the event has none, or if an older version wrote it. */
  readonly changed?: readonly string[];
}

/** Returns the names of the members of `to` whose values differ from those in `from`, and of those that only `from` has. */
export function changedFields(from: object, to: object): readonly string[] {
  const [before, after] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)),
  );
}

type EventData = Readonly<Record<string, unknown>>;

/** Returns the data of an account's event. */
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

/** Returns the data of `account.deleted`. The event outlives the account, so it contains only the id. */
export function deletedAccountEvent(accountId: string): EventData {
  return { account: { id: accountId } };
}

export function petEvent(pet: Pet): EventData {
  return { pet: petShown(pet) };
}

/** Returns the data of a profile's event, without what only staff may see. */
export function profileEvent(petId: number, profile: Profile): EventData {
  const { intakeAt, ...shown } = publicProfile(profile);
  const taken = intakeAt === undefined ? {} : { intakeAt: isoTime(intakeAt) };
  return { petId, profile: { ...shown, ...taken } };
}

/** Returns the data of a photo's event. */
export function photoEvent({ id, petId, alt, focus, width, height }: StoredPhoto): EventData {
  return { petId, photo: withoutUndefined({ id, alt, focus, width, height }) };
}

export function categoryEvent(category: Category): EventData {
  return { category: categoryShown(category) };
}

export function orderEvent(order: StoredOrder): EventData {
  return { order: orderInEvent(order) };
}

/** Returns the data of a key's event, without the key's hash. */
export function keyEvent({
  id,
  name,
  environment,
}: Pick<ApiKey, "id" | "name" | "environment">): EventData {
  return { keyId: id, name, environment };
}
