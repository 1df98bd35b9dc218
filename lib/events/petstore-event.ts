import type { ValueOf } from "../base/shape.ts";
import { toWire, type WireForm } from "../base/wire.ts";
import type { Environment } from "../model/account.ts";
import type { Actor } from "../model/actor.ts";
import type { EventChoice } from "../model/event-groups.ts";
import type { DomainEvent, EventType } from "../model/event.ts";
import type { eventData } from "./event-data.ts";

/**
 * The `data` of the events of each type, as the messages to webhooks have it: instants are RFC 3339. docs/webhooks.md has an
 * example of each.
 */
export type EventData = {
  readonly [Type in EventType]: WireForm<ValueOf<(typeof eventData)[Type]["data"]>>;
};

/** An event of one type. */
export interface EventOf<Type extends EventType> {
  /** Its position: it grows with each event of the store, has gaps, and is what `from` takes. */
  readonly seq: number;
  readonly type: Type;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Empty for events that belong to no account, such as those about an operator's token. */
  readonly accountId: string;
  /** Absent for events about the whole account, or about none. */
  readonly environment?: Environment;
  /** Who caused it; absent if an older version wrote it. */
  readonly actor?: Actor;
  /** What it says. Never contains a secret. */
  readonly data: EventData[Type];
}

/** An event as a handler gets it: `type` decides which `data` it has. */
export type PetstoreEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: EventOf<One>;
}[Type];

/** Which events a handler gets: a type, a group such as `pet.*`, or all of them. */
export type EventSelection = EventChoice | "*";

/** The types of events that a selection contains. */
export type SelectedType<Selection extends EventSelection> = Selection extends "*"
  ? EventType
  : Selection extends `${infer Noun}.*`
    ? Extract<EventType, `${Noun}.${string}`>
    : Extract<EventType, Selection>;

/** Returns a stored event in the form that handlers get. */
export function petstoreEvent(
  { seq, type, at, accountId, actor, data }: DomainEvent,
  environment: Environment | undefined,
): PetstoreEvent {
  // A test compares what the service writes with the shapes that the types follow from.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    seq,
    type,
    at,
    accountId,
    ...(environment === undefined ? {} : { environment }),
    ...(actor === undefined ? {} : { actor }),
    data: toWire(data),
  } as PetstoreEvent;
}
