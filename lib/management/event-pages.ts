import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import type { Store } from "../storage/store.ts";

/** An event as the management API sends it, with the environment instead of the catalogue's number. */
export interface EventView extends Omit<DomainEvent, "catalogueId"> {
  readonly environment?: Environment;
}

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

export interface EventPage {
  readonly events: readonly EventView[];
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
  store: Store,
  seq: number,
  { accountId, types, environment, limit, newestFirst = false }: EventsWanted,
): Promise<EventPage> {
  const wanted = types === undefined ? undefined : new Set<string>(types);
  const all = wanted === undefined && environment === undefined;
  const environmentOf = environmentFinder(store);
  const found: EventView[] = [];
  let place = seq;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const size = all ? limit - found.length : BATCH;
    const events = await (newestFirst
      ? store.events.before(place, size, accountId)
      : store.events.after(place, size, accountId));
    for (const { catalogueId, ...event } of events) {
      place = event.seq;
      if (wanted?.has(event.type) === false) continue;
      const own = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
      if (environment !== undefined && own !== undefined && own !== environment) continue;
      found.push(own === undefined ? event : { ...event, environment: own });
      if (found.length >= limit) return { events: found, seq: place, more: true };
    }
    if (events.length < size) return { events: found, seq: place, more: false };
  }
  return { events: found, seq: place, more: true };
}

const MOST_KNOWN = 10_000;

/** Looks up each catalogue once. */
export function environmentFinder({
  catalogues,
}: Store): (catalogueId: number) => Promise<Environment | undefined> {
  const known = new Map<number, Environment | undefined>();
  return async (catalogueId) => {
    if (!known.has(catalogueId)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(catalogueId, (await catalogues.byId(catalogueId))?.environment);
    }
    return known.get(catalogueId);
  };
}
