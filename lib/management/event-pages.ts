import type { Principal } from "../accounts/principal.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import { actorText, type Actor } from "../model/actor.ts";
import type { StoreReads } from "../storage/store.ts";
import { actorShown, type ActorView, type FindActor, type KnownActor } from "./actor-views.ts";

/** An event with the environment instead of the catalogue's number. */
interface Located extends Omit<DomainEvent, "catalogueId" | "actor"> {
  readonly environment?: Environment;
}

/** An event as it was found, before it is decided what its reader may know. */
export interface FoundEvent extends Located {
  /** Absent if an older version wrote the event. */
  readonly by?: KnownActor;
}

/** An event as the management API sends it. */
export interface EventView extends Located {
  /** Who caused it. Absent for readers without the role staff, and if an older version wrote the event. */
  readonly actor?: ActorView;
}

/** Returns an event as a reader may see it. */
export function eventShown(
  { by, ...event }: FoundEvent,
  reader: Pick<Principal, "role" | "accountId">,
): EventView {
  const actor = by && actorShown(by, reader);
  return actor === undefined ? event : { ...event, actor };
}

/** Where events and the names in them are read. */
export interface EventSources {
  readonly store: Pick<StoreReads, "events" | "catalogues">;
  readonly findActor: FindActor;
}

/** Which events a page contains. */
export interface EventsWanted {
  /** Default: all accounts. */
  readonly accountId?: string | undefined;
  /** Default: all types. */
  readonly types?: readonly string[] | undefined;
  /** Omits events of the other catalogue, but not those of the whole account. Default: both catalogues. */
  readonly environment?: Environment | undefined;
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
  sources: EventSources,
  seq: number,
  { accountId, types, environment, limit, newestFirst = false }: EventsWanted,
): Promise<EventPage> {
  const wanted = types === undefined ? undefined : new Set<string>(types);
  const all = wanted === undefined && environment === undefined;
  const { store } = sources;
  const environmentOf = environmentFinder(store);
  const actorOf = oncePerActor(sources.findActor);
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
      found.push(await foundEvent(event, own, actorOf));
      if (found.length >= limit) return { events: found, seq: place, more: true };
    }
    if (events.length < size) return { events: found, seq: place, more: false };
  }
  return { events: found, seq: place, more: true };
}

/** Adds what is not in the event itself. */
export async function foundEvent(
  { catalogueId: _catalogueId, actor, ...event }: DomainEvent,
  environment: Environment | undefined,
  findActor: FindActor,
): Promise<FoundEvent> {
  return {
    ...event,
    ...(environment === undefined ? {} : { environment }),
    ...(actor === undefined ? {} : { by: await findActor(actor) }),
  };
}

/** Looks up each actor once, for events that are read together: names change. */
export function oncePerActor(findActor: FindActor): FindActor {
  const known = new Map<string, Eventual<KnownActor>>();
  return (actor: Actor) => {
    const text = actorText(actor);
    const found = known.get(text) ?? findActor(actor);
    known.set(text, found);
    return found;
  };
}

const MOST_KNOWN = 10_000;

/** Looks up each catalogue once. */
export function environmentFinder({
  catalogues,
}: Pick<StoreReads, "catalogues">): (catalogueId: number) => Promise<Environment | undefined> {
  const known = new Map<number, Environment | undefined>();
  return async (catalogueId) => {
    if (!known.has(catalogueId)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(catalogueId, (await catalogues.byId(catalogueId))?.environment);
    }
    return known.get(catalogueId);
  };
}
