import { countedCache } from "./cache.ts";
import { SECOND_MS } from "./clock.ts";

/** Copies of what others may change, believed for a second after the last word that they are still true. */
export interface Beliefs<Value extends object> {
  /** Undefined also when the copy was not confirmed for too long. */
  get(key: string, now: number): Value | undefined;
  /** To be taken before the original is read, and given to `set`. */
  mark(): number;
  /** Keeps what was read at `now`, unless something was forgotten since `mark`: then it may be old already. */
  set(key: string, value: Value, now: number, mark: number): void;
  forget(isAbout: (value: Value) => boolean): void;
  forgetAll(): void;
  /** All that is left was true at `at`. */
  confirm(at: number): void;
}

/** How long a copy is believed without word: the promise is "within a second". */
const BELIEF_MS = SECOND_MS;

/** At most `max` copies; those not used for longest go first. */
export function beliefs<Value extends object>(max: number): Beliefs<Value> {
  const kept = countedCache<{ readonly value: Value; readonly readAt: number }>(
    max,
    () => undefined,
  );
  let confirmedAt = -Infinity;
  let generation = 0;
  const forget = (isAbout: (value: Value) => boolean): void => {
    generation++;
    for (const [key, { value }] of [...kept.entries()]) if (isAbout(value)) kept.delete(key);
  };
  return {
    get: (key, now) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      const trueAt = Math.max(found.readAt, confirmedAt);
      // Before that is after a clock was put back: how old the copy is cannot be told.
      return now >= trueAt && now < trueAt + BELIEF_MS ? found.value : undefined;
    },
    mark: () => generation,
    set: (key, value, readAt, mark) => {
      if (mark === generation) kept.set(key, { value, readAt });
    },
    forget,
    forgetAll: () => {
      forget(() => true);
    },
    confirm: (at) => {
      confirmedAt = at;
    },
  };
}
