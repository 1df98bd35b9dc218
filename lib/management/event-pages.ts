import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import type { Store } from "../storage/store.ts";

/** An event as the management API tells it: of a catalogue it names the environment, not the number. */
export interface ToldEvent extends Omit<DomainEvent, "catalogueId"> {
  readonly environment?: Environment;
}

export interface EventsWanted {
  /** Default: of everybody. */
  readonly accountId?: string | undefined;
  /** Default: all of them. */
  readonly types?: readonly string[] | undefined;
  /** Leaves out events of the other catalogue; those of the whole account stay. Default: of both. */
  readonly environment?: Environment | undefined;
  /** At most. */
  readonly limit: number;
  /** Default: oldest first. */
  readonly newestFirst?: boolean;
}

export interface EventPage {
  readonly events: readonly ToldEvent[];
  /** Everything up to here was looked at: the place to go on from. */
  readonly seq: number;
  /** There was more to look at. */
  readonly more: boolean;
}

const BATCH = 500;
/** One page looks at no more events than that, however few of them are wanted. */
const MAX_BATCHES = 20;

/** Reads on after `seq`: towards the newest, or from there towards the oldest. */
export async function eventPage(
  store: Store,
  seq: number,
  { accountId, types, environment, limit, newestFirst = false }: EventsWanted,
): Promise<EventPage> {
  const wanted = types === undefined ? undefined : new Set<string>(types);
  const all = wanted === undefined && environment === undefined;
  const environmentOf = environmentFinder(store);
  const found: ToldEvent[] = [];
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

/** Asks for each catalogue once. */
function environmentFinder({
  catalogues,
}: Store): (catalogueId: number) => Promise<Environment | undefined> {
  const known = new Map<number, Environment | undefined>();
  return async (catalogueId) => {
    if (!known.has(catalogueId)) {
      known.set(catalogueId, (await catalogues.byId(catalogueId))?.environment);
    }
    return known.get(catalogueId);
  };
}
