import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import { problems, type Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Deploy, DeployProgress } from "../publishing/model/deploy.ts";
import { eventText, HEARTBEAT, isDoubtful, isDue, OPENING } from "./sse.ts";
import { toWire } from "./wire.ts";

/** What is to be told of a deploy that is being made, until it is over. */
export interface DeployNews {
  /** How far it is. Of what comes too fast the last is told. */
  progress(progress: DeployProgress): void;
  /** How it ended: told at once, and nothing after it. */
  end(outcome: Result<Deploy, Problem>): void;
  /**
   * Server-sent events: `progress`, and at last `done` with the deploy or `problem` with the Error body. Ends early
   * when `signal` is aborted or the reader may no longer.
   */
  tell(signal: AbortSignal): AsyncGenerator<string, void>;
}

/** Files go by the thousand; nobody sees more than this of it. */
const TELL_EVERY_MS = 100;

export function deployNews(clock: Clock, stillAllowed: () => Eventual<boolean>): DeployNews {
  let latest: DeployProgress | undefined;
  let outcome: Result<Deploy, Problem> | undefined;
  let wake = (): void => undefined;

  /** Waits for its time to be over, for the end, or for `signal`. */
  const pause = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    wake = () => over.abort();
    signal.addEventListener("abort", wake, { once: true });
    await clock.sleep(TELL_EVERY_MS, over.signal).catch(() => undefined);
    signal.removeEventListener("abort", wake);
  };

  return {
    progress: (progress) => {
      latest = progress;
    },
    end: (how) => {
      outcome = how;
      wake();
    },
    tell: async function* tell(signal) {
      let saidAt = clock.now();
      let allowedAt = saidAt;
      yield OPENING;
      while (!signal.aborted) {
        if (isDoubtful(clock, allowedAt)) {
          if (!(await stillAllowed())) return;
          allowedAt = clock.now();
        }
        const text = progressText(latest) + outcomeText(outcome);
        latest = undefined;
        if (text !== "") {
          const last = outcome !== undefined;
          saidAt = clock.now();
          yield text;
          if (last) return;
        } else if (isDue(clock, saidAt)) {
          saidAt = clock.now();
          yield HEARTBEAT;
        }
        if (outcome === undefined && !signal.aborted) await pause(signal);
      }
    },
  };
}

function progressText(progress: DeployProgress | undefined): string {
  return progress === undefined ? "" : eventText("progress", JSON.stringify(progress));
}

function outcomeText(outcome: Result<Deploy, Problem> | undefined): string {
  if (outcome === undefined) return "";
  if (outcome.ok) return eventText("done", JSON.stringify(toWire(outcome.value)));
  const { code, message, errors } = outcome.failure;
  const { status } = problems[code];
  return eventText(
    "problem",
    JSON.stringify({ code, message, status, ...(errors === undefined ? {} : { errors }) }),
  );
}
