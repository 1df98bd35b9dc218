/** Estimates when a task ends, from how much of it is done. */
export interface Estimate {
  /** Returns the milliseconds left; undefined while too little is known. `share` is from 0 to 1, and `now` in milliseconds. */
  left(now: number, share: number): number | undefined;
}

/** What is known before cannot be trusted. */
const KNOWN_AFTER_MS = 2_000;
const KNOWN_FROM = 0.005;
/** A changed speed counts in full after a few times as long. */
const SMOOTH_MS = 5_000;
/** The most by which the time left may grow in a second: a part of it, and as many milliseconds. */
const GROWTH = { part: 0.1, ms: 500 } as const;

/** Creates an estimate that follows the average speed and does not jump: it grows slowly, however the speed changes. */
export function createEstimate(startedAt: number): Estimate {
  let last: { readonly at: number; readonly left: number } | undefined;
  return {
    left: (now, share) => {
      const elapsed = now - startedAt;
      if (share >= 1) return 0;
      if (elapsed < KNOWN_AFTER_MS || share < KNOWN_FROM) return undefined;
      const found = (elapsed * (1 - share)) / share;
      if (last === undefined) last = { at: now, left: found };
      const passed = Math.max(0, now - last.at);
      const expected = Math.max(0, last.left - passed);
      const smooth = expected + (found - expected) * (1 - Math.exp(-passed / SMOOTH_MS));
      const most = last.left + (last.left * GROWTH.part + GROWTH.ms) * (passed / 1_000);
      last = { at: now, left: Math.min(smooth, most) };
      return last.left;
    },
  };
}

/** `8 s`, `40 s`, `3 min`, `2 h 10 min`: rounded as coarsely as an estimate deserves. */
export function roughly(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds <= 10) return `${Math.max(1, seconds)} s`;
  if (seconds <= 90) return `${Math.ceil(seconds / 5) * 5} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const tens = Math.ceil(minutes / 10) * 10;
  return `${Math.floor(tens / 60)} h${tens % 60 === 0 ? "" : ` ${tens % 60} min`}`;
}
