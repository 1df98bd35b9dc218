import type { Clock } from "../../lib/base/clock.ts";

/** Limits concurrency, first come, first served; askers with many tasks take turns. */
export interface Gate {
  /**
   * Runs `task` when a slot is free; rejects with the signal's reason if it aborts while waiting. Tasks of the same
   * `asker` share the limit per asker; tasks without an asker have only the total limit.
   */
  pass<Value>(task: () => Promise<Value>, signal: AbortSignal, asker?: object): Promise<Value>;
  /** Number of askers that have running or waiting tasks. */
  readonly askers: number;
}

interface Queue {
  inside: number;
  readonly most: number;
  readonly waiting: Set<() => void>;
}

/** Creates a gate for at most `max` concurrent tasks, of which at most `maxOfOne` belong to one asker. */
export function createGate(max: number, maxOfOne: number = max): Gate {
  let inside = 0;
  const noAsker = {};
  // In round-robin order: the next asker to be admitted comes first.
  const queues = new Map<object, Queue>();

  const queueOf = (asker: object): Queue => {
    const known = queues.get(asker);
    if (known !== undefined) return known;
    const most = asker === noAsker ? max : maxOfOne;
    const party: Queue = { inside: 0, most, waiting: new Set() };
    queues.set(asker, party);
    return party;
  };

  const forget = (asker: object, party: Queue): void => {
    if (party.inside === 0 && party.waiting.size === 0) queues.delete(asker);
  };

  const enter = (asker: object, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const party = queueOf(asker);
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
    const left = queueOf(asker);
    inside--;
    left.inside--;
    forget(asker, left);
    for (const [next, party] of queues) {
      const [admit] = party.waiting;
      if (admit === undefined || party.inside >= party.most) continue;
      // The slot is handed over directly, so a newcomer cannot take it.
      inside++;
      party.inside++;
      party.waiting.delete(admit);
      queues.delete(next);
      queues.set(next, party);
      admit();
      return;
    }
  };

  return {
    pass: async (task, signal, asker = noAsker) => {
      await enter(asker, signal);
      try {
        return await task();
      } finally {
        leave(asker);
      }
    },
    get askers() {
      return queues.size;
    },
  };
}

/** Result of `limited` when the time ran out. */
export const TIMED_OUT: unique symbol = Symbol("timed out");

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** Created once: the runtime's default abort reason costs more than the aborted work. */
const ENDED = new Error("What ran has ended");

/**
 * Runs `run` for at most `ms`. Its signal aborts when the time is up or the caller aborts; `run` must then reject
 * with the signal's reason. Rejects with the caller's reason if that comes first.
 */
export async function withTimeLimit<Value>(
  { clock, ms, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof TIMED_OUT> {
  signal?.throwIfAborted();
  if (ms <= 0) return TIMED_OUT;
  const stop = new AbortController();
  // Created per call, so that it is distinguishable from the reason of an enclosing limit.
  const timeIsUp = new Error("The time is up");
  const giveUp = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  const over = clock.sleep(ms, stop.signal).then(
    () => stop.abort(timeIsUp),
    // Aborted because `run` has ended or the caller has aborted.
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
 * Turns a callback API into a promise. `start` begins the operation, which calls `end` once it is done, and returns
 * a cleanup function, which is called in every case. `start` must not call `end` synchronously. Rejects with the
 * signal's reason if it aborts first.
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
