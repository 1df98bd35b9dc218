import { SECOND_MS, type Clock } from "../../base/clock.ts";
import { problem, type Problem, problems } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { type Deploy, isUnfinished, type DeployProgress } from "../model/deploy.ts";
import { logFailure } from "../../storage/log-failure.ts";
import { EventReply } from "../../http/endpoint.ts";
import type { ProjectCall } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { noSuchDeploy, tooManyStreams } from "../../management/refusals.ts";
import {
  eventStream,
  eventText,
  HEARTBEAT,
  needsAccessCheck,
  needsHeartbeat,
  OPENING,
} from "../../management/sse.ts";
import { toWire } from "../../base/wire.ts";

/** How often the store is read for a deploy that another process may be making. */
const LOOK_EVERY_MS: number = SECOND_MS;

/** Streams the progress of a deploy until it ends, or its outcome if it has ended. */
export async function followDeploy(
  { request, principal, principalNow }: ProjectCall,
  services: ManagementServices,
  deploy: Deploy,
): Promise<Result<EventReply, Problem>> {
  const { streams, clock, log, stopping, projects } = services;
  const leave = await streams.take(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const news = deployNews(clock, principalNow);
  const over = new AbortController();

  const look = async (): Promise<void> => {
    const now = await projects.deploys.byId(deploy.projectId, deploy.id);
    if (now === undefined) news.end(refused(noSuchDeploy));
    else if (!isUnfinished(now.state)) news.end(outcomeOf(now));
  };
  const keepLooking = async (): Promise<void> => {
    for (;;) {
      await look();
      await clock.sleep(LOOK_EVERY_MS, over.signal);
    }
  };
  const broken = (error: unknown): void => {
    if (!over.signal.aborted) {
      logFailure(log, "a deploy could not be followed", error, { now: clock.now() });
    }
    over.abort();
  };

  const { id: deployId, state, files, bytes } = deploy;
  news.progress({ deployId, state, files, bytes });
  const unwatch = projects.deploys.watch(deployId, (progress) => {
    news.progress(progress);
    // The store has the final state.
    if (!isUnfinished(progress.state)) look().catch(broken);
  });
  keepLooking().catch(broken);
  const stream = eventStream((signal) => news.events(signal), {
    stopping,
    until: [request.signal, over.signal],
    log,
    clock,
    onEnd: () => {
      unwatch();
      leave();
      over.abort();
    },
  });
  return done(new EventReply(stream));
}

function outcomeOf(deploy: Deploy): Result<Deploy, Problem> {
  if (deploy.state !== "failed") return done(deploy);
  return refused(deploy.failure ?? problem("unavailable", "The deploy has failed."));
}

/** The progress and outcome of a deploy, as a stream of events. */
export interface DeployNews {
  /** Reports progress. Of several reports at once only the last is sent. */
  progress(progress: DeployProgress): void;
  /** Reports the outcome, which is sent at once and ends the stream. */
  end(outcome: Result<Deploy, Problem>): void;
  /**
   * Yields server-sent events: `progress`, and finally `done` with the deploy or `problem` with the Error body. Ends
   * early when `signal` aborts or the reader loses access.
   */
  events(signal: AbortSignal): AsyncGenerator<string, void>;
}

/** Files arrive by the thousand, so progress is sampled. */
const SEND_EVERY_MS = 100;

export function deployNews(clock: Clock, principalNow: ProjectCall["principalNow"]): DeployNews {
  let latest: DeployProgress | undefined;
  let outcome: Result<Deploy, Problem> | undefined;
  let wake = (): void => undefined;

  /** Waits for the sampling interval, the outcome, or `signal`. */
  const pause = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    wake = () => over.abort();
    signal.addEventListener("abort", wake, { once: true });
    await clock.sleep(SEND_EVERY_MS, over.signal).catch(() => undefined);
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
    events: async function* events(signal) {
      let sentAt = clock.now();
      let allowedAt = sentAt;
      yield OPENING;
      while (!signal.aborted) {
        if (needsAccessCheck(clock, allowedAt)) {
          if ((await principalNow()) === undefined) return;
          allowedAt = clock.now();
        }
        const text = progressText(latest) + outcomeText(outcome);
        latest = undefined;
        if (text !== "") {
          const last = outcome !== undefined;
          sentAt = clock.now();
          yield text;
          if (last) return;
        } else if (needsHeartbeat(clock, sentAt)) {
          sentAt = clock.now();
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
