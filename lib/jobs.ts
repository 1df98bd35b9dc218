import type { Clock } from "./base/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./base/clock.ts";
import type { Eventual } from "./base/eventual.ts";
import type { Log } from "./base/log.ts";
import type { Random } from "./base/id.ts";
import type { Consumers } from "./events/consumers.ts";
import type { Registration } from "./events/on.ts";
import { followFeed } from "./storage/feed.ts";
import type { Environment } from "./model/account.ts";
import { system } from "./model/actor.ts";
import { RESTORE_MS } from "./catalogue/model.ts";
import {
  createRounds,
  createTickTime,
  drainInto,
  type Jobs,
  type TakeTurn,
} from "./base/rounds.ts";
import type { Change, SavedCounter } from "./storage/change.ts";
import type { FeedReader, Store } from "./storage/store.ts";

export type { Jobs } from "./base/rounds.ts";

const FLUSH_EVERY_MS: number = SECOND_MS;
const PURGE_EVERY_MS: number = MINUTE_MS;
/** Retention of events. */
const EVENTS_KEPT_MS: number = 30 * DAY_MS;
/** Small commits keep waits short; many slices keep up with any writer. */
const PURGE_ROWS = 500;
const PURGE_SLICES = 1_000;

export interface JobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the counters that changed since the previous call. */
  readonly drain: () => {
    readonly counters: readonly SavedCounter[];
    readonly lastUsed: readonly { readonly keyId: string; readonly at: number }[];
    /** Changes that go with the counters, such as events. */
    readonly more: readonly Change[];
  };
  readonly reader: FeedReader;
  readonly sweep: () => void;
  /** How long adopters are kept after they were last saved. */
  readonly adoptersKeepMs: number;
  /** Returns the last event that may be purged. */
  readonly eventsReadThrough: (() => Eventual<number>) | undefined;
  readonly takeTurn: TakeTurn | undefined;
  readonly environment: Environment;
  readonly random: Random;
  /** The handlers of events. */
  readonly registrations: ReadonlySet<Registration>;
}

export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, log, drain, reader, sweep, takeTurn, registrations } = options;

  const readFeed = followFeed(store, () => clock.now(), reader);

  let consumers: Consumers | undefined;
  let leaving = false;
  const time = createTickTime(clock);
  const isOver = (): boolean => leaving || time.isOver();
  const deliver = async (): Promise<void> => {
    if (consumers === undefined) {
      if (registrations.size === 0) return;
      const { createConsumers } = await import("./events/consumers.ts");
      consumers = createConsumers({ ...options, isOver });
    }
    await consumers.look();
  };

  const flush = drainInto(
    (): readonly Change[] => {
      const { counters, lastUsed, more } = drain();
      if (counters.length + lastUsed.length === 0) return more;
      return [{ kind: "counters.save", counters, lastUsed }, ...more];
    },
    (changes) => store.commit(changes, system),
  );

  const purge = async (): Promise<void> => {
    const now = clock.now();
    const eventsThrough = await options.eventsReadThrough?.();
    for (let slice = 0; slice < PURGE_SLICES; slice++) {
      const purged = await store.commit(
        [
          {
            kind: "purge",
            now,
            deletedBefore: now - RESTORE_MS - HOUR_MS,
            adoptersBefore: now - options.adoptersKeepMs,
            eventsBefore: now - EVENTS_KEPT_MS,
            eventsThrough,
            limit: PURGE_ROWS,
          },
        ],
        system,
      );
      const [removed] = purged.ok ? purged.value : [];
      if (typeof removed !== "number" || removed < PURGE_ROWS) return;
    }
  };

  const flushing = { what: "writing counters", run: flush };
  const rounds = createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed", run: readFeed },
      { what: "delivering events", run: deliver },
      { ...flushing, everyMs: FLUSH_EVERY_MS, atOnce: true },
      { what: "forgetting counters", everyMs: PURGE_EVERY_MS, run: async () => sweep() },
      { what: "purging", everyMs: PURGE_EVERY_MS, inTurn: true, run: purge },
    ],
    takeTurn,
    // If the first flush fails, the second one repeats it.
    last: [flushing, flushing, { what: "saving the pause", run: async () => store.clock?.leave() }],
  });
  return {
    start: () => {
      leaving = false;
      rounds.start();
    },
    tick: () => {
      leaving = false;
      return time.during(async () => {
        await rounds.tick();
        await consumers?.idle();
      });
    },
    stop: async () => {
      leaving = true;
      // The rounds go on meanwhile.
      await consumers?.end();
      await rounds.stop();
    },
  };
}
