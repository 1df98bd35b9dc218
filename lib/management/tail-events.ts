import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Store } from "../storage/store.ts";
import { eventPage, type EventPage, type EventsWanted } from "./event-pages.ts";
import { eventText, HEARTBEAT, isDoubtful, isDue, OPENING } from "./sse.ts";
import { toWire } from "./wire.ts";

/** So that what any process commits is told within a second. */
const LOOK_EVERY_MS = 250;
/** Between two pages of which nothing is told: each is more work than one that is. */
const SKIP_EVERY_MS = 50;
/** At most so many are held for a reader at a time. */
const BATCH = 100;

export interface Tail extends Pick<EventsWanted, "accountId" | "types" | "environment"> {
  readonly store: Store;
  readonly clock: Clock;
  /** Begins after this one. */
  readonly seq: number;
  /** Asked twice a second; false ends it. */
  readonly stillAllowed: () => Eventual<boolean>;
}

/** Tells events as they are committed, by any process, until `signal` is aborted or the reader may no longer. */
export async function* tailEvents(tail: Tail, signal: AbortSignal): AsyncGenerator<string, void> {
  const { store, clock, accountId, types, environment, stillAllowed } = tail;
  const pause = (ms: number): Promise<void> => clock.sleep(ms, signal).catch(() => undefined);
  let { seq } = tail;
  let saidAt = clock.now();
  let allowedAt = saidAt;
  yield OPENING;
  while (!signal.aborted) {
    // Between two texts any time may have passed: a reader is served at its own pace.
    if (isDoubtful(clock, allowedAt)) {
      if (!(await stillAllowed())) return;
      allowedAt = clock.now();
    }
    const page = await eventPage(store, seq, { accountId, types, environment, limit: BATCH });
    seq = page.seq;
    if (page.events.length > 0 || isDue(clock, saidAt)) {
      saidAt = clock.now();
      yield textOf(page);
      // Weeks of events and a reader as fast as we are: everybody else must have their turn between two pages.
      if (page.more) await pause(0);
    } else {
      await pause(page.more ? SKIP_EVERY_MS : LOOK_EVERY_MS);
    }
  }
}

function textOf({ events }: EventPage): string {
  if (events.length === 0) return HEARTBEAT;
  return events
    .map((event) => eventText(event.type, JSON.stringify(toWire(event)), event.seq))
    .join("");
}
