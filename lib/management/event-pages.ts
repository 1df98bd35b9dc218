import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import { actorText } from "../model/actor.ts";
import { environmentFinder } from "../storage/environment-finder.ts";
import type { StoreReads } from "../storage/store.ts";
import type { ActorReader, ActorView, ShowActor } from "./actor-views.ts";

/** An event with the environment instead of the catalogue's number, before it is decided what its reader may know. */
export interface FoundEvent extends Omit<DomainEvent, "catalogueId"> {
  readonly environment?: Environment;
}

/** An event as the management API sends it. */
export interface EventView extends Omit<FoundEvent, "actor"> {
  /** Who caused it. Absent for readers without the role staff, and if an older version wrote the event. */
  readonly actor?: ActorView;
}

/** Returns the events of a page as a reader may see them. Looks up each actor once: names change. */
export async function eventsShown(
  events: readonly FoundEvent[],
  reader: ActorReader,
  showActor: ShowActor,
): Promise<readonly EventView[]> {
  const known = new Map<string, ActorView | undefined>();
  const views: EventView[] = [];
  for (const { actor: by, ...event } of events) {
    const text = by === undefined ? "" : actorText(by);
    if (by !== undefined && !known.has(text)) known.set(text, await showActor(by, reader));
    const actor = known.get(text);
    views.push(actor === undefined ? event : { ...event, actor });
  }
  return views;
}

/** Where events are read. */
export type EventSource = Pick<StoreReads, "events" | "catalogues">;

/** Which events a page contains. */
export interface EventsWanted {
  /** Default: all accounts. */
  readonly accountId?: string | undefined;
  /** Default: all types. */
  readonly types?: readonly string[] | undefined;
  /** Omits events of the other catalogue, but not those of the whole account. Default: both catalogues. */
  readonly environment?: Environment | undefined;
  /** Only events of this animal. Animals of both catalogues may have the number: to be given with `environment`. */
  readonly petId?: number | undefined;
  /** Maximum number of events. */
  readonly limit: number;
  /** Default: oldest first. */
  readonly newestFirst?: boolean;
}

/** A page of events. */
export interface EventPage {
  readonly events: readonly FoundEvent[];
  /** The last event that was read; the next page starts after it. */
  readonly seq: number;
  /** True if there are more events to read. */
  readonly more: boolean;
}

const BATCH = 500;
/** Most batches that one page reads, even if few of their events match. */
const MAX_BATCHES = 20;

/** Reads a page of events after `seq`, or before it if the newest come first. */
export async function eventPage(
  store: EventSource,
  seq: number,
  { accountId, types, environment, petId, limit, newestFirst = false }: EventsWanted,
): Promise<EventPage> {
  const wanted = types === undefined ? undefined : new Set<string>(types);
  const all = wanted === undefined && environment === undefined && petId === undefined;
  const environmentOf = environmentFinder(store);
  const found: FoundEvent[] = [];
  let place = seq;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const size = all ? limit - found.length : BATCH;
    const events = await (newestFirst
      ? store.events.before(place, size, accountId)
      : store.events.after(place, size, accountId));
    for (const event of events) {
      const { catalogueId } = event;
      place = event.seq;
      if (wanted?.has(event.type) === false) continue;
      const own = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
      if (environment !== undefined && own !== undefined && own !== environment) continue;
      if (petId !== undefined && petOf(event.data) !== petId) continue;
      found.push(foundEvent(event, own));
      if (found.length >= limit) return { events: found, seq: place, more: true };
    }
    if (events.length < size) return { events: found, seq: place, more: false };
  }
  return { events: found, seq: place, more: true };
}

/** Returns the number of the animal that an event is about, itself, its profile, a photo or an adoption. */
export function petOf({ pet, petId, order }: DomainEvent["data"]): unknown {
  return petId ?? memberOf(pet, "id") ?? memberOf(order, "petId");
}

/** Returns a member of an object; undefined for any other value. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Names the environment of an event. */
export function foundEvent(
  { catalogueId: _catalogueId, ...event }: DomainEvent,
  environment: Environment | undefined,
): FoundEvent {
  return environment === undefined ? event : { ...event, environment };
}
