import { isoTime, SECOND_MS } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/index.ts";
import type { LongStep } from "../../lib/base/long-step.ts";
import threadPath from "./watchdog-thread.ts" with { type: "file" };

/**
 * Ends this process by SIGABRT when its event loop has not run for a while, so that its supervisor starts it again: a frozen
 * process answers no request and no signal. A second thread counts its own ticks and not time, so a suspended machine or
 * process is not frozen.
 */
export interface Watchdog {
  /** Begins to watch. */
  arm(): void;
  /** Runs a step that may legitimately block the event loop for long, such as a checkpoint. */
  readonly longStep: LongStep;
  /** How often the event loop has not run for a sixth of the limit, which is 5 seconds by default. */
  readonly stalls: number;
}

interface WatchdogOptions {
  /** How long the event loop may not run. 0: forever. */
  readonly limitMs: number;
  /** Formats the line that the thread writes, whose time is the epoch. */
  readonly lineAt: (time: number, message: string) => string;
  readonly log: Log;
}

/** A stall is counted after this part of the limit. */
const STALL_SHARE = 1 / 6;
const LONGEST_TICK_MS = SECOND_MS;
const TICKS = 30;

/** Creates the watchdog of this process. It keeps watching while the process stops, and does not keep it alive. */
export function createWatchdog({ limitMs, lineAt, log }: WatchdogOptions): Watchdog {
  const [beats, longSteps, stalls, nothing] = [cell(), cell(), cell(), cell()];
  const tickMs = Math.min(LONGEST_TICK_MS, limitMs / TICKS);
  const limitTicks = Math.ceil(limitMs / tickMs);
  return {
    arm: () => {
      if (limitMs === 0) return;
      const epoch = isoTime(0);
      const line = lineAt(
        0,
        `the event loop has not run for ${limitMs / SECOND_MS} s; the process aborts`,
      );
      // A small heap: the thread allocates next to nothing.
      const thread = new Worker(threadPath, { smol: true, ref: false, name: "watchdog" });
      thread.addEventListener("error", ({ message }) => {
        log.error("the watchdog does not run", new Error(message));
      });
      const stallTicks = Math.ceil(limitTicks * STALL_SHARE);
      const shared = { beats, longSteps, stalls, nothing };
      // A worker has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      thread.postMessage({ ...shared, tickMs, stallTicks, limitTicks, line, epoch });
      // A clock's sleep would keep the process alive.
      // oxlint-disable-next-line no-restricted-globals
      setInterval(() => Atomics.add(beats, 0, 1), tickMs).unref();
    },
    longStep: (step) => {
      Atomics.add(longSteps, 0, 1);
      try {
        return step();
      } finally {
        Atomics.sub(longSteps, 0, 1);
      }
    },
    get stalls() {
      return Atomics.load(stalls, 0);
    },
  };
}

/** Creates a number that threads share. */
function cell(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
