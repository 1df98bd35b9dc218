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
  { accountId, types, limit, newestFirst = false }: EventsWanted,
): Promise<EventPage> {
  const wanted = types === undefined ? undefined : new Set<string>(types);
  const found: DomainEvent[] = [];
  let place = seq;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const size = wanted === undefined ? limit - found.length : BATCH;
    const events = await (newestFirst
      ? store.events.before(place, size, accountId)
      : store.events.after(place, size, accountId));
    for (const event of events) {
      place = event.seq;
      if (wanted !== undefined && !wanted.has(event.type)) continue;
      found.push(event);
      if (found.length >= limit) return pageOf(store, found, { seq: place, more: true });
    }
    if (events.length < size) return pageOf(store, found, { seq: place, more: false });
  }
  return pageOf(store, found, { seq: place, more: true });
}

async function pageOf(
  { catalogues }: Store,
  found: readonly DomainEvent[],
  rest: Pick<EventPage, "seq" | "more">,
): Promise<EventPage> {
  const environments = new Map<number, Environment | undefined>();
  const events: ToldEvent[] = [];
  for (const { catalogueId, ...event } of found) {
    if (catalogueId !== undefined && !environments.has(catalogueId)) {
      environments.set(catalogueId, (await catalogues.byId(catalogueId))?.environment);
    }
    const environment = catalogueId === undefined ? undefined : environments.get(catalogueId);
    events.push(environment === undefined ? event : { ...event, environment });
  }
  return { events, ...rest };
}
