import { StoreUnavailable } from "../../sql/sql.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { internalError, unavailable } from "../../http/refusals.ts";
import type { Deploy } from "../../publishing/model/deploy.ts";
import type { Projects } from "../../publishing/projects.ts";
import { logFailure } from "../../storage/log-failure.ts";
import { deployNews } from "../deploy-news.ts";
import { EventReply, Reply, type ProjectCall } from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import { tooManyStreams } from "../refusals.ts";
import { eventStream } from "../sse.ts";

type Input = Omit<Parameters<Projects["deploys"]["create"]>[1], "author" | "onBegin">;
type Answer = Promise<Result<Deploy | Reply<Deploy> | EventReply, Problem>>;

/** Makes a deploy and answers when it is live, or ready. */
export async function receiveDeploy(
  { project, principal, base }: ProjectCall,
  { projects }: ManagementServices,
  input: Input,
): Answer {
  const made = await projects.deploys.create(project.id, { ...input, author: principal.name });
  return made.ok ? done(new Reply(made.value, { headers: locationOf(base, made.value) })) : made;
}

/** Makes a deploy and tells how far it is meanwhile. What is refused before it has an id is refused as ever. */
export async function receiveDeployTelling(
  { project, principal, base, request, stillAllowed }: ProjectCall,
  { projects, streams, clock, log }: ManagementServices,
  input: Input,
): Answer {
  const leave = streams.open(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const news = deployNews(clock, stillAllowed);
  const begin = Promise.withResolvers<Deploy>();
  let unwatch = (): void => undefined;

  const make = async (): Promise<Result<Deploy, Problem>> => {
    try {
      return await projects.deploys.create(project.id, {
        ...input,
        author: principal.name,
        onBegin: (deploy) => {
          unwatch = projects.deploys.watch(deploy.id, (progress) => {
            news.progress(progress);
          });
          begin.resolve(deploy);
        },
      });
    } catch (error) {
      logFailure(log, "a deploy broke", error, { now: clock.now(), project: project.id });
      return refused(error instanceof StoreUnavailable ? unavailable : internalError);
    } finally {
      unwatch();
    }
  };
  const made = make().then((outcome) => {
    news.end(outcome);
    return outcome;
  });

  const first = await Promise.race([begin.promise.then(done), made]);
  if (!first.ok) {
    leave();
    return first;
  }
  const stream = eventStream((signal) => news.tell(signal), {
    // Not until the service stops: what is under way is finished, and its sender told.
    until: [request.signal],
    log,
    clock,
    onEnd: leave,
  });
  return done(new EventReply(stream, locationOf(base, first.value)));
}

function locationOf(base: string, { projectId, id }: Deploy): { readonly location: string } {
  return { location: `${base}/projects/${projectId}/deploys/${id}` };
}
