import { SECOND_MS, type Clock } from "../base/clock.ts";
import { environmentFinder } from "../storage/environment-finder.ts";
import {
  eventPage,
  foundEvent,
  type EventPage,
  type EventSource,
  type EventsWanted,
  type FoundEvent,
} from "./event-pages.ts";

/**
 * Reads the newest events once for all streams of the process, however many there are. Streams that are further behind
 * read from the store.
 */
export interface EventTail {
  /** Returns events after `seq`, oldest first. May miss events of the last quarter of a second. */
  page(seq: number, wanted: Omit<EventsWanted, "newestFirst">): Promise<EventPage>;
  /** Whether one of the newest events after `seq` is the deletion of the account. */
  sawDeletion(accountId: string, seq: number): boolean;
}

/** Interval of reads, so that events of any process are sent within a second. */
export const LOOK_EVERY_MS = 250;
/** Most events in memory, and most events of a read. */
const MOST = 1_000;
/** Without readers for so long, the tail begins at the end again. */
const IDLE_MS = 5 * SECOND_MS;

export function createEventTail(store: EventSource, clock: Clock): EventTail {
  const environmentOf = environmentFinder(store);
  /** The events after `from`, up to and including `to`. */
  let recent: readonly FoundEvent[] = [];
  let from = Infinity;
  let to = Infinity;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    from = to = await store.events.last();
    recent = [];
  };
  const read = async (): Promise<void> => {
    const events = await store.events.after(to, MOST);
    const found: FoundEvent[] = [];
    for (const event of events) {
      const { catalogueId } = event;
      const environment = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
      found.push(foundEvent(event, environment));
    }
    const all = [...recent, ...found];
    const dropped = Math.max(0, all.length - MOST);
    from = all[dropped - 1]?.seq ?? from;
    recent = all.slice(dropped);
    to = events.at(-1)?.seq ?? to;
  };

  /** Reads what is new, unless that was done a moment ago. */
  const refresh = (): Promise<void> | undefined => {
    const since = Math.abs(clock.now() - readAt);
    if (reading !== undefined || since < LOOK_EVERY_MS) return reading;
    readAt = clock.now();
    reading = (since > IDLE_MS ? begin() : read()).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    page: async (seq, wanted) => {
      await refresh();
      if (seq < from) {
        const reached = Number.isFinite(to) ? to : seq;
        const page = await eventPage(store, seq, wanted);
        return page.more ? page : { ...page, seq: Math.max(page.seq, reached) };
      }
      if (seq >= to) return { events: [], seq, more: false };
      const { accountId, types, environment, limit } = wanted;
      const found: FoundEvent[] = [];
      for (const event of recent) {
        if (event.seq <= seq || (accountId !== undefined && event.accountId !== accountId))
          continue;
        if (types?.includes(event.type) === false) continue;
        const own = event.environment ?? environment;
        if (environment !== undefined && own !== environment) continue;
        found.push(event);
        if (found.length >= limit) return { events: found, seq: event.seq, more: true };
      }
      return { events: found, seq: to, more: false };
    },
    sawDeletion: (accountId, since) =>
      recent.some(
        ({ seq, type, accountId: of }) =>
          type === "account.deleted" && of === accountId && seq > since,
      ),
  };
}
