import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { ActorReader, ShowActor } from "./actor-views.ts";
import { eventsShown, type EventsWanted, type EventView } from "./event-pages.ts";
import { LOOK_EVERY_MS, type EventTail } from "./event-tail.ts";
import { eventText, HEARTBEAT, needsAccessCheck, needsHeartbeat, OPENING } from "./sse.ts";
import { toWire } from "../base/wire.ts";

/** Pause after a page without a matching event, because such a page is the most work. */
const SKIP_EVERY_MS = 50;
/** Most events that are held for a reader. */
const BATCH = 100;

export interface EventReader extends Pick<EventsWanted, "accountId" | "types" | "environment"> {
  readonly tail: EventTail;
  readonly showActor: ShowActor;
  /** Decides what the first events show. */
  readonly principal: ActorReader;
  readonly clock: Clock;
  /** The stream starts after this event. */
  readonly seq: number;
  /** Called twice a second. Decides what the next events show; undefined ends the stream. */
  readonly principalNow: () => Eventual<ActorReader | undefined>;
}

/** Yields events as any process commits them, until `signal` aborts or the reader loses access. */
export async function* tailEvents(
  reader: EventReader,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { tail, clock, accountId, types, environment, principalNow } = reader;
  const pause = (ms: number): Promise<void> => clock.sleep(ms, signal).catch(() => undefined);
  let { seq, principal } = reader;
  let sentAt = clock.now();
  let allowedAt = sentAt;
  yield OPENING;
  while (!signal.aborted) {
    // The reader sets the pace, so any time may have passed since the last text.
    if (needsAccessCheck(clock, allowedAt)) {
      const now = await principalNow();
      if (now === undefined) return;
      principal = now;
      allowedAt = clock.now();
    }
    const page = await tail.page(seq, { accountId, types, environment, limit: BATCH });
    seq = page.seq;
    if (page.events.length > 0 || needsHeartbeat(clock, sentAt)) {
      sentAt = clock.now();
      yield textOf(await eventsShown(page.events, principal, reader.showActor));
      // A fast reader of weeks of events must not keep other requests waiting.
      if (page.more) await pause(0);
    } else {
      await pause(page.more ? SKIP_EVERY_MS : LOOK_EVERY_MS);
    }
  }
}

function textOf(events: readonly EventView[]): string {
  if (events.length === 0) return HEARTBEAT;
  return events
    .map((event) => eventText(event.type, JSON.stringify(toWire(event)), event.seq))
    .join("");
}
