import { SECOND_MS, type Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { createRounds, createTickTime, type Errand, type Jobs, type TakeTurn } from "./rounds.ts";

/** What an errand that sends something has to follow. */
export interface Sending {
  /** Returns whether nothing more is to begin: the jobs stop, or a call of `tick` has taken its time. */
  readonly isLeaving: () => boolean;
  /** Returns the signal that ends what has begun. */
  readonly signal: () => AbortSignal;
}

/** How long a process that stops waits for what is being sent. */
const GRACE_MS: number = 3 * SECOND_MS;

/** Creates rounds whose errands send to other servers, which may take long to answer. */
export function createSendingRounds({
  clock,
  log,
  errands,
  idle = async () => undefined,
  takeTurn,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly errands: (sending: Sending) => readonly Errand[];
  /** Resolves when nothing is being sent that a round began and did not wait for. Default: rounds wait for everything. */
  readonly idle?: () => Promise<void>;
  readonly takeTurn?: TakeTurn | undefined;
}): Jobs {
  let leaving = false;
  let stopping = new AbortController();
  const time = createTickTime(clock);
  const sending: Sending = {
    isLeaving: () => leaving || time.isOver(),
    signal: () => stopping.signal,
  };
  const rounds = createRounds({ clock, log, errands: errands(sending), takeTurn });
  return {
    start: () => {
      leaving = false;
      if (stopping.signal.aborted) stopping = new AbortController();
      rounds.start();
    },
    tick: () =>
      time.during(async () => {
        await rounds.tick();
        await idle();
      }),
    stop: async () => {
      leaving = true;
      const grace = new AbortController();
      const { signal } = grace;
      void clock.sleep(GRACE_MS, signal).then(
        () => stopping.abort(),
        () => undefined,
      );
      await rounds.stop();
      await idle();
      grace.abort();
    },
  };
}
