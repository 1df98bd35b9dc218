import { SECOND_MS, type Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Background work. Nothing runs before `start` or `tick` is called. */
export interface Jobs {
  /** Starts. A second call changes nothing. */
  start(): void;
  /**
   * Does what is due, and resolves when that is done or when ten seconds of work are over: the next call continues. For hosts
   * with a queue or a scheduler instead of timers. What is done once a minute or more rarely is also due in the first call of
   * a process. May be called by several workers and processes at the same time. Never rejects: failures are logged.
   */
  tick(): Promise<void>;
  /** Stops the timer and writes everything that is not stored yet. Hosts that only call `tick` need it too. */
  stop(): Promise<void>;
}

/** Keeps the promise that a change in another process takes effect within a second, with room for a slow read. */
const ROUND_EVERY_MS = 250;
/** After so long, a call of `tick` begins nothing more that another call can do. */
export const TICK_MS: number = 10 * SECOND_MS;

/** The time of the calls of `tick` that run. They may overlap, and share their work. */
export interface TickTime {
  /** Runs a call. */
  during(call: () => Promise<void>): Promise<void>;
  /** Returns true if the time of any of them is over: otherwise later ones could keep it from ending. */
  isOver(): boolean;
}

export function createTickTime(clock: Pick<Clock, "now">): TickTime {
  const ends = new Set<{ readonly at: number }>();
  return {
    during: async (call) => {
      const end = { at: clock.now() + TICK_MS };
      ends.add(end);
      try {
        await call();
      } finally {
        ends.delete(end);
      }
    },
    isOver: () => [...ends].some(({ at }) => clock.now() >= at),
  };
}

/** Repeated background work. */
export interface Errand {
  /** The name in the log: "purging". */
  readonly what: string;
  /** Minimum time between two starts, in milliseconds. If absent, the errand runs in every round. */
  readonly everyMs?: number;
  /** Several processes share the work: it runs only if `takeTurn` allows it. Needs `everyMs`. */
  readonly inTurn?: boolean;
  /** Runs in the first round instead of after the first interval. */
  readonly atOnce?: boolean;
  readonly run: () => Promise<unknown>;
}

/**
 * Returns whether this process runs work that is due every `everyMs`, such as purging. Of several processes that share a
 * store, one gets true in that time.
 */
export type TakeTurn = (what: string, everyMs: number) => Promise<boolean>;

/** Creates jobs that run `errands` one after the other; rounds never overlap. `stop` then runs the errands of `last`. */
export function createRounds({
  clock,
  log,
  errands,
  last = [],
  takeTurn,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly errands: readonly Errand[];
  readonly last?: readonly Errand[];
  /** Default: this process does everything. */
  readonly takeTurn?: TakeTurn | undefined;
}): Jobs {
  const createdAt = clock.now();
  const startedAt = new Map<Errand, number>();
  const failing = new Set<string>();
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  let ticking: Promise<void> = Promise.resolve();
  /** A round that has not begun: all who ask meanwhile get it. */
  let next: Promise<void> | undefined;

  const attempt = async ({ what, run, inTurn, everyMs = 0 }: Errand): Promise<void> => {
    try {
      if (inTurn === true && (await takeTurn?.(what, everyMs)) === false) return;
      await run();
      if (failing.delete(what)) log.info(`${what} works again`);
    } catch (error) {
      // Logged once per outage: errands run several times a second.
      if (!failing.has(what)) log.error(`${what} failed and is retried`, error);
      failing.add(what);
    }
  };

  const isDue = (errand: Errand): boolean => {
    const { everyMs, atOnce } = errand;
    if (everyMs === undefined) return true;
    // A process that is not started may live for one call.
    const first = atOnce === true || stopping === undefined ? -Infinity : createdAt;
    // If the clock was set back by more than the interval, the errand is due now.
    return Math.abs(clock.now() - (startedAt.get(errand) ?? first)) >= everyMs;
  };

  const round = async (): Promise<void> => {
    for (const errand of errands) {
      if (!isDue(errand)) continue;
      startedAt.set(errand, clock.now());
      await attempt(errand);
    }
  };

  const tick = (): Promise<void> => {
    next ??= ticking = ticking.then(() => {
      next = undefined;
      return round();
    });
    return next;
  };

  const goRound = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await tick();
      await clock.sleep(ROUND_EVERY_MS, signal).catch(() => undefined);
    }
  };

  return {
    start: () => {
      if (stopping !== undefined) return;
      stopping = new AbortController();
      running = goRound(stopping.signal);
    },
    tick,
    stop: async () => {
      stopping?.abort();
      await running;
      stopping = undefined;
      await ticking;
      for (const errand of last) await attempt(errand);
    },
  };
}

/** Returns a function that writes what `drain` returns. If a write fails, the next call retries it before draining more. */
export function drainInto<Item>(
  drain: () => readonly Item[],
  write: (items: readonly Item[]) => Promise<unknown>,
): () => Promise<void> {
  let unsaved: readonly Item[] = [];
  return async () => {
    if (unsaved.length === 0) unsaved = drain();
    if (unsaved.length === 0) return;
    await write(unsaved);
    unsaved = [];
  };
}
