import { StoreUnavailable } from "../../sql/sql.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { internalError, unavailable } from "../../http/refusals.ts";
import { normalText } from "../../model/text.ts";
import { MAX_TOTAL_BYTES } from "../archive/limits.ts";
import type { Deploy } from "../model/deploy.ts";
import type { Projects } from "../projects.ts";
import { logFailure } from "../../storage/log-failure.ts";
import { EventReply, Reply } from "../../http/endpoint.ts";
import type { ProjectCall } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { tooManyStreams } from "../../management/refusals.ts";
import { eventStream } from "../../management/sse.ts";
import { wantsEvents } from "../../management/sse.ts";
import { deployNews } from "./follow-deploy.ts";

const MIB = 1024 * 1024;

type Upload = { readonly message?: string; readonly activate?: boolean; readonly add?: boolean };
type Starter = { readonly message?: string | undefined; readonly activate?: boolean | undefined };

/** Makes a deploy from the archive in the body, or the starter. */
export async function createDeploy(
  call: ProjectCall<Starter | undefined, Upload>,
  services: ManagementServices,
): Answer {
  const { request, query, body } = call;
  const fault = body === undefined ? faultOfUpload(request) : undefined;
  if (fault !== undefined) return refused(fault);
  if (query.add === true && query.activate === false) return refused(addsNow);
  const message = body?.message ?? query.message;
  const input = {
    // An upload without a body counts as an empty archive.
    archive: body === undefined ? (request.body ?? nothing()) : ("starter" as const),
    ...withoutUndefined({
      message: message === undefined ? undefined : normalText(message),
      activate: body?.activate ?? query.activate,
      add: body === undefined ? query.add : undefined,
    }),
  };
  return wantsEvents(request)
    ? receiveWithEvents(call, services, input)
    : receive(call, services, input);
}

/** Checks an upload before any of it is read. */
function faultOfUpload({ headers }: Request): Problem | undefined {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") return encoded;
  return Number(headers.get("content-length")) > MAX_TOTAL_BYTES ? tooLarge : undefined;
}

const encoded: Problem = problem(
  "unsupported_media_type",
  "Send the archive without a Content-Encoding.",
);

const tooLarge: Problem = problem(
  "payload_too_large",
  `An archive may be at most ${MAX_TOTAL_BYTES / MIB} MiB.`,
);

/** What is live could change until the deploy is published. */
const addsNow: Problem = problem(
  "invalid_value",
  "A deploy is added to the site that is live when it is published: leave out activate=false.",
);

function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

type Input = Omit<Parameters<Projects["deploys"]["create"]>[1], "author" | "onBegin">;
type Answer = Promise<Result<Deploy | Reply<Deploy> | EventReply, Problem>>;

/** Makes a deploy and responds when it is live or ready. */
async function receive(
  { project, principal, base }: ProjectCall,
  { projects }: ManagementServices,
  input: Input,
): Answer {
  const made = await projects.deploys.create(project.id, { ...input, author: principal.name });
  return made.ok ? done(new Reply(made.value, { headers: locationOf(base, made.value) })) : made;
}

/** Makes a deploy and streams its progress. Refusals before the deploy has an id are ordinary responses. */
async function receiveWithEvents(
  { project, principal, base, request, principalNow }: ProjectCall,
  { projects, streams, clock, log }: ManagementServices,
  input: Input,
): Answer {
  const leave = await streams.take(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const news = deployNews(clock, principalNow);
  let onBegin: (deploy: Deploy) => void = () => undefined;
  const begun = new Promise<Deploy>((resolve) => {
    onBegin = resolve;
  });
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
          onBegin(deploy);
        },
      });
    } catch (error) {
      logFailure(log, "a deploy failed unexpectedly", error, {
        now: clock.now(),
        project: project.id,
      });
      return refused(error instanceof StoreUnavailable ? unavailable : internalError);
    } finally {
      unwatch();
    }
  };
  const made = make().then((outcome) => {
    news.end(outcome);
    return outcome;
  });

  const first = await Promise.race([begun.then(done), made]);
  if (!first.ok) {
    leave();
    return first;
  }
  const stream = eventStream((signal) => news.events(signal), {
    // Independent of the service's stop, which waits for the deploy to end.
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
