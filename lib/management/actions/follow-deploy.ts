import { SECOND_MS } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { type Deploy, isMaking } from "../../publishing/model/deploy.ts";
import { logFailure } from "../../storage/log-failure.ts";
import { deployNews } from "../deploy-news.ts";
import { EventReply, type ProjectCall } from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import { noSuchDeploy, tooManyStreams } from "../refusals.ts";
import { eventStream } from "../sse.ts";

/** How often the store is asked of a deploy that another process may be making. */
const LOOK_EVERY_MS: number = SECOND_MS;

/** Tells of a deploy until it is over; at once how it ended when it is. */
export function followDeploy(
  { request, principal, stillAllowed }: ProjectCall,
  services: ManagementServices,
  deploy: Deploy,
): Result<EventReply, Problem> {
  const { streams, clock, log, stopping, projects } = services;
  const leave = streams.open(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const news = deployNews(clock, stillAllowed);
  const over = new AbortController();

  const look = async (): Promise<void> => {
    const now = await projects.deploys.byId(deploy.projectId, deploy.id);
    if (now === undefined) news.end(refused(noSuchDeploy));
    else if (!isMaking(now.state)) news.end(outcomeOf(now));
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
    // How it ended the store knows better.
    if (!isMaking(progress.state)) look().catch(broken);
  });
  keepLooking().catch(broken);
  const stream = eventStream((signal) => news.tell(signal), {
    until: [stopping, request.signal, over.signal],
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
