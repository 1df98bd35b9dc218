import type { Clock } from "../../lib/base/clock.ts";

/** Limits concurrency, first come, first served; groups with many tasks take turns. */
export interface Gate {
  /**
   * Runs `task` when a slot is free; rejects with the signal's reason if it aborts while waiting. Tasks of the same
   * `group` share its limit; tasks without a group have only the total limit.
   */
  pass<Value>(task: () => Promise<Value>, signal?: AbortSignal, group?: object): Promise<Value>;
  /** Whether a task of the group would run at once. */
  hasRoom(group?: object): boolean;
  /** Number of groups that have running or waiting tasks. */
  readonly groups: number;
}

interface Queue {
  inside: number;
  readonly limit: number;
  readonly waiting: Set<() => void>;
}

/** Creates a gate for at most `max` concurrent tasks, of which at most `maxPerGroup` belong to one group. */
export function createGate(max: number, maxPerGroup: number = max): Gate {
  let inside = 0;
  let waiting = 0;
  const ungrouped = {};
  // In round-robin order: the next group to be admitted comes first.
  const queues = new Map<object, Queue>();

  const queueOf = (group: object): Queue => {
    const known = queues.get(group);
    if (known !== undefined) return known;
    const limit = group === ungrouped ? max : maxPerGroup;
    const queue: Queue = { inside: 0, limit, waiting: new Set() };
    queues.set(group, queue);
    return queue;
  };

  const removeIdle = (group: object, queue: Queue): void => {
    if (queue.inside === 0 && queue.waiting.size === 0) queues.delete(group);
  };

  const hasRoom = (group: object): boolean => {
    const queue = queues.get(group);
    return inside < max && (queue === undefined || queue.inside < queue.limit);
  };

  const wait = (group: object, signal?: AbortSignal): Promise<void> => {
    const queue = queueOf(group);
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting--;
        queue.waiting.delete(admit);
        removeIdle(group, queue);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      waiting++;
      queue.waiting.add(admit);
    });
  };

  const leave = (group: object): void => {
    const left = queueOf(group);
    inside--;
    left.inside--;
    removeIdle(group, left);
    if (waiting === 0) return;
    for (const [next, queue] of queues) {
      const [admit] = queue.waiting;
      if (admit === undefined || queue.inside >= queue.limit) continue;
      // The slot is handed over directly, so a newcomer cannot take it.
      inside++;
      queue.inside++;
      waiting--;
      queue.waiting.delete(admit);
      queues.delete(next);
      queues.set(next, queue);
      admit();
      return;
    }
  };

  return {
    pass: async (task, signal, group = ungrouped) => {
      signal?.throwIfAborted();
      if (hasRoom(group)) {
        inside++;
        queueOf(group).inside++;
      } else {
        await wait(group, signal);
      }
      try {
        return await task();
      } finally {
        leave(group);
      }
    },
    hasRoom: (group = ungrouped) => hasRoom(group),
    get groups() {
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
  // Created per call, so that it is distinguishable from the reason of an enclosing limit. An error would cost a stack.
  const timeIsUp = Symbol("the time is up");
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
