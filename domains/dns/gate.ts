import type { Clock } from "../../lib/base/clock.ts";

/** Lets so many pass at a time, in the order in which they came; of those who ask for much, each in turn. */
export interface Gate {
  /**
   * Runs `task` when there is room; rejects with the signal's reason when that comes first. What has the same `asker`
   * does not take the room of others; without one there is no bound but that for all.
   */
  pass<Value>(task: () => Promise<Value>, signal: AbortSignal, asker?: object): Promise<Value>;
  /** How many are inside or wait. */
  readonly askers: number;
}

interface Party {
  inside: number;
  readonly most: number;
  readonly waiting: Set<() => void>;
}

/** At most `max` in all, and `maxOfOne` of one asker. */
export function createGate(max: number, maxOfOne: number = max): Gate {
  let inside = 0;
  const anybody = {};
  // The one whose turn is next comes first.
  const parties = new Map<object, Party>();

  const partyOf = (asker: object): Party => {
    const known = parties.get(asker);
    if (known !== undefined) return known;
    const most = asker === anybody ? max : maxOfOne;
    const party: Party = { inside: 0, most, waiting: new Set() };
    parties.set(asker, party);
    return party;
  };

  const forget = (asker: object, party: Party): void => {
    if (party.inside === 0 && party.waiting.size === 0) parties.delete(asker);
  };

  const enter = (asker: object, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const party = partyOf(asker);
    if (inside < max && party.inside < party.most) {
      inside++;
      party.inside++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        party.waiting.delete(admit);
        forget(asker, party);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      party.waiting.add(admit);
    });
  };

  const leave = (asker: object): void => {
    const left = partyOf(asker);
    inside--;
    left.inside--;
    forget(asker, left);
    for (const [next, party] of parties) {
      const [admit] = party.waiting;
      if (admit === undefined || party.inside >= party.most) continue;
      // The place goes from hand to hand: nobody who comes now can take it.
      inside++;
      party.inside++;
      party.waiting.delete(admit);
      parties.delete(next);
      parties.set(next, party);
      admit();
      return;
    }
  };

  return {
    pass: async (task, signal, asker = anybody) => {
      await enter(asker, signal);
      try {
        return await task();
      } finally {
        leave(asker);
      }
    },
    get askers() {
      return parties.size;
    },
  };
}

/** What `limited` gives when the time was over first. */
export const TIMED_OUT: unique symbol = Symbol("timed out");

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** Made once: a reason of the runtime's own making costs more than what is stopped. */
const ENDED = new Error("What ran has ended");

/**
 * Runs something for at most `ms`. What it runs is told by the signal when the time is over or the caller has
 * given up, and must reject with its reason then. Rejects with the caller's reason when that comes first.
 */
export async function limited<Value>(
  { clock, ms, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof TIMED_OUT> {
  signal?.throwIfAborted();
  if (ms <= 0) return TIMED_OUT;
  const stop = new AbortController();
  // One of its own: a limit around this one may run out as well, and is told apart.
  const timeIsUp = new Error("The time is up");
  const giveUp = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  const over = clock.sleep(ms, stop.signal).then(
    () => stop.abort(timeIsUp),
    // Stopped, because what ran has ended or the caller has given up.
    () => undefined,
  );
  try {
    return await run(stop.signal);
  } catch (error) {
    if (error === timeIsUp) return TIMED_OUT;
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    stop.abort(ENDED);
    await over;
  }
}

/**
 * Runs what ends by a call of `end`, once, and rejects with the signal's reason if that comes first. `start` returns
 * what closes it, which is called however it ends; it must not call `end` before it returns.
 */
export function abortable<Value>(
  signal: AbortSignal,
  start: (end: (value: Value) => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let over = false;
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      signal.removeEventListener("abort", giveUp);
      close();
      settle();
    };
    const giveUp = (): void => finish(() => reject(signal.reason));
    signal.addEventListener("abort", giveUp, { once: true });
    const close = start((value) => finish(() => resolve(value)));
  });
}
