import type { Clock } from "../base/clock.ts";

/** Calls a function of the host. Rejects if it does, or if its time is over: then the signal is aborted. */
export type Timed = (call: (signal: AbortSignal) => unknown) => Promise<unknown>;

/** Calls that have not ended although their time is over. With so many, no other one begins. */
const MAX_HANGING = 10;

/** Bounds the time of each call, so that others can take over and the process can end, and how many calls never end. */
export function timedCalls(clock: Clock, timeoutMs: number): Timed {
  let hanging = 0;
  return async (call) => {
    if (hanging >= MAX_HANGING) throw new Error(`${hanging} calls have not ended.`);
    const abort = new AbortController();
    const result = call(abort.signal);
    if (typeof result !== "object" || result === null) return result;
    const ended = new AbortController();
    const late = clock.sleep(timeoutMs, ended.signal).then(() => {
      abort.abort();
      throw new Error(`The call has not ended within ${timeoutMs} milliseconds.`);
    });
    hanging++;
    const work = (async () => result)().finally(() => {
      hanging--;
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      ended.abort();
      // Nobody else waits for the slower one.
      work.catch(() => undefined);
      late.catch(() => undefined);
    }
  };
}
