import { SECOND_MS } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/index.ts";
import { exitCodes } from "../../settings/failure.ts";
import { stillOpen } from "./open-sockets.ts";

/** Limits how long a process takes to end. Its log then says which sockets and processes were open. */
export interface LimitedEnding extends Disposable {
  /** Exits with 1 unless the process ends in time, such as when a network file system does not answer. */
  begin(): void;
  /** Everything has stopped: exits with the code of the process if something keeps it alive. */
  [Symbol.dispose](): void;
}

interface Limits {
  readonly log: Log;
  /** Default: ends this process. */
  readonly exit?: (code?: number) => void;
  /** Default 30 s: a drain takes up to 25, and the unit in docs/petstore.service kills the process after 40. */
  readonly stopWithinMs?: number;
  /** Default 2 s: what is closed at the end of a stop is closed in milliseconds. */
  readonly endWithinMs?: number;
}

/** Creates the limits of this process. */
export function limitEnding({
  log,
  exit = (code) => process.exit(code),
  stopWithinMs = 30 * SECOND_MS,
  endWithinMs = 2 * SECOND_MS,
}: Limits): LimitedEnding {
  return {
    begin: () => {
      unlessEnded(stopWithinMs, () => {
        const open = stillOpen();
        log.error("the server did not stop in time; the process ends", undefined, { open });
        exit(exitCodes.failed);
      });
    },
    [Symbol.dispose]: () => {
      unlessEnded(endWithinMs, () => {
        log.warn("something kept the stopped process alive; it ends", { open: stillOpen() });
        exit();
      });
    },
  };
}

function unlessEnded(ms: number, act: () => void): void {
  // A clock's sleep would keep the process alive.
  // oxlint-disable-next-line no-restricted-globals
  setTimeout(act, ms).unref();
}
