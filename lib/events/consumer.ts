import { MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { nextTurn } from "../base/steps.ts";
import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import type { StoreReads } from "../storage/store.ts";
import { BEGINNING, EventsMissing, type EventCall, type Registration } from "./on.ts";
import { petstoreEvent } from "./petstore-event.ts";
import type { Place, PlaceState } from "./places.ts";
import { timedCalls } from "./timed.ts";

/** Delivers the events of one handler, one after the other. */
export interface Consumer {
  /**
   * Begins to deliver what is new, and returns the end of that; undefined if it does so already, or waits after a failure.
   * `head` is the last event. Never rejects.
   */
  run(head: number): Promise<void> | undefined;
  /** Lets other processes deliver. */
  leave(): Promise<void>;
}

/** The dependencies of delivering. */
export interface ConsumerParts {
  readonly store: Pick<StoreReads, "events" | "feed">;
  readonly place: Place;
  readonly environmentOf: (catalogueId: number) => Promise<Environment | undefined>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether nothing more is to be delivered now. */
  readonly isOver: () => boolean;
}

/** Events in memory, and events between two saved positions. */
const BATCH = 200;
/** How many delivered events are remembered, to find where a failover continued. */
const REMEMBERED = 500;
/** Unwanted events after which their position is kept: otherwise, they are read again after a restart. */
const SKIPPED_AT_MOST = 1_000;
/** The wait after the first failure. It doubles. */
const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS: number = 5 * MINUTE_MS;
/** The longest wait if not the handler failed, but the store or a position. */
const LONGEST_STORE_PAUSE_MS: number = 10 * SECOND_MS;
/** How soon to look again at a position at which another process delivers. */
const LOOK_AGAIN_MS = SECOND_MS;
const ENDED = "A process ended while it handled this event.";
/** How much longer than a call this process delivers alone: time to save the position. */
const MARGIN_MS: number = 10 * SECOND_MS;

/** An event that was read. */
type Seen = Pick<DomainEvent, "seq" | "at">;

/** Creates the consumer of a registration. */
export function createConsumer(registration: Registration, parts: ConsumerParts): Consumer {
  const { store, place, environmentOf, clock, log, isOver } = parts;
  const { consumer, environment, timeoutMs } = registration;
  const turnMs = timeoutMs + MARGIN_MS;
  const facts = consumer === undefined ? {} : { consumer };
  /** The last event that was handled, or that is not wanted. */
  let reached: number | undefined;
  /** The position that is kept. */
  let kept = 0;
  /** True if events were handled since. */
  let isUnsaved = false;
  let seen: readonly Seen[] = [];
  let timeline: number | undefined;
  /** True while the position is before the kept one, because numbers were used again. */
  let isBack = false;
  let failures = 0;
  let isLogged = false;
  let pausedUntil = -Infinity;
  const handling = timedCalls(clock, timeoutMs);
  /** A handler that never ends must not keep its failures from being reported. */
  const reporting = timedCalls(clock, timeoutMs);
  let running: Promise<void> | undefined;

  const isPaused = (): boolean => {
    const left = pausedUntil - clock.now();
    // If the clock was set back, the age of the failure is unknown.
    return left > 0 && left <= LONGEST_PAUSE_MS;
  };

  /** Reports a failure, and decides when to try again. Returns true if the event is to be skipped. */
  const failed = async (
    error: unknown,
    event?: DomainEvent,
    own?: Environment,
  ): Promise<boolean> => {
    failures++;
    const longest = event === undefined ? LONGEST_STORE_PAUSE_MS : LONGEST_PAUSE_MS;
    const retryInMs = Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
    const about = { ...facts, ...(event && { type: event.type, seq: event.seq }) };
    if (!isLogged) log.error("delivering events failed and is retried", error, about);
    isLogged = true;
    let verdict: unknown;
    try {
      const { onError } = registration;
      const failure = {
        attempt: failures,
        retryInMs,
        ...(event && { event: petstoreEvent(event, own) }),
      };
      verdict = onError && (await reporting(() => onError(error, failure)));
    } catch (worse) {
      log.error("onError of an event handler failed", worse, about);
    }
    pausedUntil = clock.now() + retryInMs;
    if (verdict !== "skip" || event === undefined) return false;
    log.warn("an event was skipped because onError said so", about);
    works();
    return true;
  };
  const works = (): void => {
    if (failures > 0) log.info("delivering events works again", facts);
    failures = 0;
    isLogged = false;
    pausedUntil = -Infinity;
  };

  /** Returns true if the event was handled, or is to be skipped. */
  const deliver = async (event: DomainEvent, own: Environment | undefined): Promise<boolean> => {
    try {
      await handling((signal): unknown => {
        const call: EventCall = { attempt: failures + 1, signal };
        return registration.handle(event, own, call);
      });
      works();
      return true;
    } catch (error) {
      return failed(error, event, own);
    }
  };

  /** Returns the last position before which events are as they were: after a failover, numbers may be used again. */
  const common = async (position: number): Promise<number> => {
    const last = await store.events.last();
    const now = await store.events.after((seen[0]?.seq ?? position + 1) - 1, REMEMBERED);
    const first = now[0];
    // In an empty outbox, all events were removed after their time.
    if (first === undefined) return last === 0 ? position : Math.min(position, last);
    const times = new Map(now.map(({ seq, at }) => [seq, at]));
    let same = first.seq - 1;
    for (const { seq, at } of seen) {
      // Older ones were removed after their time.
      if (seq < first.seq) continue;
      if (times.get(seq) !== at) break;
      same = seq;
    }
    return Math.min(position, same);
  };

  /** Finds the position to continue at. */
  const begin = async (): Promise<number> => {
    const before = timeline;
    timeline = store.feed.timeline?.();
    if (reached !== undefined && before !== timeline) {
      reached = await common(reached);
      isBack = true;
      seen = seen.filter(({ seq }) => seq <= (reached ?? 0));
    }
    if (reached !== undefined) return reached;
    const found = await place.read();
    reached = kept = found ?? (await place.begin(await registration.start()));
    const last = await store.events.last();
    // An empty outbox says nothing: its events may have been removed after their time.
    if (found !== undefined && last > 0 && found > last) await skipGap(found);
    return reached;
  };

  /** Lets the host take note of events that are missing, and continues after them. */
  const skipGap = async (after: number): Promise<void> => {
    const [oldest] = await store.events.recorded(0, 1);
    const gap = new EventsMissing(after, oldest?.seq ?? 1);
    const { onGap } = registration;
    try {
      if (onGap === undefined) throw gap;
      await handling(() => onGap(gap));
    } catch (error) {
      // So that a position that is beyond the end is found to be so again.
      if (after >= gap.oldest) reached = undefined;
      throw error;
    }
    log.warn("events are missing: delivery continues with the oldest one", {
      ...facts,
      after,
      oldest: gap.oldest,
    });
    reached = gap.oldest - 1;
    isBack ||= reached < after;
  };

  const isGap = async (position: number, first: DomainEvent): Promise<boolean> => {
    if (position === BEGINNING || first.seq === position + 1) return false;
    const [oldest] = await store.events.recorded(0, 1);
    return oldest !== undefined && oldest.seq > position + 1;
  };

  /** Keeps the position. Returns false if another process delivers: then the position is read again. */
  const save = async (position: number, ms: number, state?: PlaceState): Promise<boolean> => {
    // Another timeline may have used the number for something else.
    if (store.feed.timeline?.() !== timeline) return false;
    if (await place.keep(position, ms, state)) {
      kept = position;
      isBack = false;
      isUnsaved = false;
      return true;
    }
    isUnsaved = false;
    log.warn("another process delivers events: this one ended its turn late", facts);
    reached = undefined;
    return false;
  };

  /** Reads and delivers some events. Returns true if there may be more. */
  const batch = async (head: number): Promise<boolean> => {
    const from = await begin();
    if (isUnsaved && !(await save(from, 0))) return false;
    const events = await store.events.after(from, BATCH);
    if (store.feed.timeline?.() !== timeline) return false;
    const first = events[0];
    const last = events.at(-1);
    if (first === undefined || last === undefined) {
      // An empty outbox has no last event.
      if (head > 0) reached = Math.max(from, head);
      return false;
    }
    const more = events.length === BATCH;
    const end = more ? last.seq : Math.max(last.seq, head);
    const wanted: (readonly [DomainEvent, Environment | undefined])[] = [];
    for (const event of events) {
      if (!registration.wants(event)) continue;
      const { catalogueId } = event;
      const own = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
      // The environment of a catalogue is no longer known once its account is deleted.
      const here = environment === undefined || catalogueId === undefined || own === environment;
      if (here) wanted.push([event, own]);
    }
    const gap = await isGap(from, first);
    if (wanted.length === 0 && !gap && end - kept < SKIPPED_AT_MOST) {
      remember(events, end);
      return more;
    }
    const claimed = await place.claim(isBack ? Infinity : from, turnMs);
    if (claimed === undefined) {
      pausedUntil = clock.now() + LOOK_AGAIN_MS;
      return false;
    }
    if (!isBack && claimed > from) {
      reached = kept = claimed;
      return true;
    }
    if (gap) {
      await skipGap(from);
      return save(reached ?? from, turnMs);
    }
    const [suspect] = wanted;
    const endings = place.endings();
    if (endings > 0 && suspect !== undefined) {
      failures = Math.max(failures, endings - 1);
      const skipped = await failed(new Error(ENDED), ...suspect);
      if (skipped) {
        reached = suspect[0].seq;
        return save(reached, turnMs);
      }
      await save(reached ?? from, pausedUntil - clock.now() + MARGIN_MS, "waiting");
      return false;
    }
    for (const [event, own] of wanted) {
      if (isOver()) break;
      const isLate = place.left() < turnMs - MARGIN_MS / 2;
      if (isLate && !(await save(reached ?? from, turnMs, "handling"))) return false;
      if (!(await deliver(event, own))) break;
      reached = event.seq;
      isUnsaved = true;
      if (place.isCareful() && !(await save(reached, turnMs, "handling"))) return false;
    }
    const isWhole = (reached ?? from) === (wanted.at(-1)?.[0].seq ?? reached);
    remember(events, isWhole ? end : (reached ?? from));
    const pauseMs = pausedUntil - clock.now();
    const keepMs = pauseMs > 0 ? pauseMs + MARGIN_MS : more && !isOver() ? turnMs : 0;
    const state = pauseMs > 0 ? "waiting" : undefined;
    return (await save(reached ?? from, keepMs, state)) && isWhole && more;
  };
  const remember = (events: readonly DomainEvent[], position: number): void => {
    const read = events.filter(({ seq }) => seq <= position).map(({ seq, at }) => ({ seq, at }));
    seen = [...seen, ...read].slice(-REMEMBERED);
    reached = position;
  };

  const work = async (head: number): Promise<void> => {
    try {
      for (let more = true; more && !isOver();) {
        more = await batch(head);
        if (more) await nextTurn();
      }
      if (failures > 0 && !isPaused() && !isOver()) works();
    } catch (error) {
      await failed(error);
    }
  };

  return {
    run: (head) => {
      if (running !== undefined || isPaused() || isOver()) return undefined;
      running = work(head).finally(() => {
        running = undefined;
      });
      return running;
    },
    leave: async () => {
      await running;
      if (reached !== undefined && place.left() > 0 && place.left() < Infinity) {
        await save(reached, 0);
      }
    },
  };
}
