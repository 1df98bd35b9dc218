import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Background work. Nothing runs before `start` or `tick` is called. */
export interface Jobs {
  /** Starts. A second call changes nothing. */
  start(): void;
  /**
   * Runs the due errands once; for hosts without timers. The first call runs all of them, because such a process may end
   * before an interval does.
   */
  tick(): Promise<void>;
  /** Stops the timer and writes everything that is not stored yet. */
  stop(): Promise<void>;
}

/** Keeps the promise that a change in another process takes effect within a second, with room for a slow read. */
const ROUND_EVERY_MS = 250;

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
  const startedAt = new Map<Errand, number>();
  for (const errand of errands) startedAt.set(errand, errand.atOnce ? -Infinity : clock.now());
  const failing = new Set<string>();
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  let ticking: Promise<void> = Promise.resolve();

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

  // If the clock was set back by more than the interval, the errand is due now.
  const isDue = (errand: Errand): boolean =>
    errand.everyMs === undefined ||
    Math.abs(clock.now() - (startedAt.get(errand) ?? 0)) >= errand.everyMs;

  const round = async (): Promise<void> => {
    for (const errand of errands) {
      if (!isDue(errand)) continue;
      startedAt.set(errand, clock.now());
      await attempt(errand);
    }
  };

  const tick = (): Promise<void> => {
    ticking = ticking.then(round);
    return ticking;
  };

  let begun = false;
  const begin = (): void => {
    if (!begun) for (const errand of errands) startedAt.set(errand, -Infinity);
    begun = true;
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
      begun = true;
      stopping = new AbortController();
      running = goRound(stopping.signal);
    },
    tick: () => {
      begin();
      return tick();
    },
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
