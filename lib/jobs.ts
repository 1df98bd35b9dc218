import type { Clock } from "./base/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./base/clock.ts";
import type { Eventual } from "./base/eventual.ts";
import type { Log } from "./base/log.ts";
import { followFeed, type FeedReader } from "./feed.ts";
import type { DomainEvent } from "./model/event.ts";
import { RESTORE_MS } from "./model/pet.ts";
import type { Change, SavedCounter } from "./storage/change.ts";
import type { Store } from "./storage/store.ts";

/** Background work. Nothing of it happens before `start` or `tick` is called. */
export interface Jobs {
  /** Begins: counters to the store, notices of other processes, events to listeners, purging. */
  start(): void;
  /** Does what is due now, once; for hosts without timers. */
  tick(): Promise<void>;
  /** Ends what `start` began and writes what is not written yet. */
  stop(): Promise<void>;
}

/** The promise is "within a second" on every process; this leaves room for a slow read. */
const FEED_EVERY_MS = 250;
const FLUSH_EVERY_MS: number = SECOND_MS;
const PURGE_EVERY_MS: number = MINUTE_MS;
/** How long events can be read back. */
const EVENTS_KEPT_MS: number = 30 * DAY_MS;
/** Small commits, so that nobody waits long for one; enough of them to keep up with any writer. */
const PURGE_ROWS = 500;
const PURGE_SLICES = 1_000;
const BATCH = 500;

/** Somebody who is told of events. */
export interface Listener {
  /** The last event that was told, or the last one there was when the listener came. */
  heard: () => Eventual<number>;
  readonly hear: (event: DomainEvent) => void;
}

export interface JobsOptions extends FeedReader {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** What the counters have become since this was last asked. */
  readonly drain: () => {
    readonly counters: readonly SavedCounter[];
    readonly lastUsed: readonly { readonly keyId: string; readonly at: number }[];
    /** Changes that go with the counters, such as events. */
    readonly more: readonly Change[];
  };
  readonly sweep: () => void;
  readonly listeners: ReadonlySet<Listener>;
}

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, log, drain, sweep, listeners } = options;
  // Drained but not written yet: tried again before more is drained.
  let unsaved: readonly Change[] = [];
  const failing = new Set<string>();
  let flushedAt = -Infinity;
  let purgedAt = clock.now();
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  let ticking: Promise<void> = Promise.resolve();

  const readFeed = followFeed(store, () => clock.now(), options);

  const tell = async (): Promise<void> => {
    for (const listener of listeners) {
      for (;;) {
        const events = await store.events.after(await listener.heard(), BATCH);
        for (const event of events) {
          listener.heard = () => event.seq;
          try {
            listener.hear(event);
          } catch (error) {
            log.error("an event listener threw", error, { type: event.type });
          }
        }
        if (events.length < BATCH || !listeners.has(listener)) break;
      }
    }
  };

  const flush = async (): Promise<void> => {
    flushedAt = clock.now();
    if (unsaved.length === 0) {
      const { counters, lastUsed, more } = drain();
      if (counters.length + lastUsed.length + more.length === 0) return;
      unsaved = [{ kind: "counters.save", counters, lastUsed }, ...more];
    }
    await store.commit(unsaved);
    unsaved = [];
  };

  const purge = async (): Promise<void> => {
    sweep();
    const now = clock.now();
    purgedAt = now;
    for (let slice = 0; slice < PURGE_SLICES; slice++) {
      const purged = await store.commit([
        {
          kind: "purge",
          now,
          deletedBefore: now - RESTORE_MS - HOUR_MS,
          eventsBefore: now - EVENTS_KEPT_MS,
          limit: PURGE_ROWS,
        },
      ]);
      const [removed] = purged.ok ? purged.value : [];
      if (typeof removed !== "number" || removed < PURGE_ROWS) return;
    }
  };

  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      if (failing.delete(what)) log.info(`${what} works again`);
    } catch (error) {
      // Once an outage: it is tried several times a second.
      if (!failing.has(what)) log.error(`${what} failed; it is tried again and again`, error);
      failing.add(what);
    }
  };

  // A clock that was put back by more than the interval makes everything due at once, not never.
  const isDue = (lastAt: number, everyMs: number): boolean =>
    Math.abs(clock.now() - lastAt) >= everyMs;

  const round = async (): Promise<void> => {
    await attempt("reading the feed", readFeed);
    await attempt("telling events", tell);
    if (isDue(flushedAt, FLUSH_EVERY_MS)) await attempt("writing counters", flush);
    if (isDue(purgedAt, PURGE_EVERY_MS)) await attempt("purging", purge);
  };

  const tick = (): Promise<void> => {
    ticking = ticking.then(round);
    return ticking;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await tick();
      await clock.sleep(FEED_EVERY_MS, signal).catch(() => undefined);
    }
  };

  return {
    start: () => {
      if (stopping !== undefined) return;
      stopping = new AbortController();
      running = run(stopping.signal);
    },
    tick,
    stop: async () => {
      stopping?.abort();
      await running;
      stopping = undefined;
      await ticking;
      await attempt("writing counters", flush);
      // What was counted since a flush that had failed.
      await attempt("writing counters", flush);
    },
  };
}
