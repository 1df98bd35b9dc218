import type { Clock } from "./base/clock.ts";
import type { Log } from "./base/log.ts";

/** Background work. Nothing of it happens before `start` or `tick` is called. */
export interface Jobs {
  /** Begins; a second time changes nothing. */
  start(): void;
  /** Does what is due now, once; for hosts without timers. */
  tick(): Promise<void>;
  /** Ends what `start` began and writes what is not written yet. */
  stop(): Promise<void>;
}

/** The promise is "within a second" on every process; this leaves room for a slow read. */
const ROUND_EVERY_MS = 250;

/** Something that is done again and again. */
export interface Errand {
  /** For the log: "purging". */
  readonly what: string;
  /** Not sooner than that after it was last begun. Absent: in every round. */
  readonly everyMs?: number;
  /** In the first round already. */
  readonly atOnce?: boolean;
  readonly run: () => Promise<void>;
}

/** Jobs that go through `errands` in turn, never twice at a time, and end with those of `last`. */
export function createRounds({
  clock,
  log,
  errands,
  last = [],
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly errands: readonly Errand[];
  readonly last?: readonly Errand[];
}): Jobs {
  const begunAt = new Map<Errand, number>();
  for (const errand of errands) begunAt.set(errand, errand.atOnce ? -Infinity : clock.now());
  const failing = new Set<string>();
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  let ticking: Promise<void> = Promise.resolve();

  const attempt = async ({ what, run }: Errand): Promise<void> => {
    try {
      await run();
      if (failing.delete(what)) log.info(`${what} works again`);
    } catch (error) {
      // Once an outage: it is tried several times a second.
      if (!failing.has(what)) log.error(`${what} failed; it is tried again and again`, error);
      failing.add(what);
    }
  };

  // A clock that was put back by more than the interval makes everything due at once, not never.
  const isDue = (errand: Errand): boolean =>
    errand.everyMs === undefined ||
    Math.abs(clock.now() - (begunAt.get(errand) ?? 0)) >= errand.everyMs;

  const round = async (): Promise<void> => {
    for (const errand of errands) {
      if (!isDue(errand)) continue;
      begunAt.set(errand, clock.now());
      await attempt(errand);
    }
  };

  const tick = (): Promise<void> => {
    ticking = ticking.then(round);
    return ticking;
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
