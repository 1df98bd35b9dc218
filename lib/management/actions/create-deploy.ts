import { problem, type Problem } from "../../base/problem.ts";
import { refused, type Result } from "../../base/result.ts";
import type { Deploy } from "../../publishing/model/deploy.ts";
import { normalText } from "../../model/text.ts";
import { MAX_TOTAL_BYTES } from "../../publishing/archive/limits.ts";
import type { EventReply, ProjectCall, Reply } from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import { present } from "../present.ts";
import { wantsEvents } from "../wants-events.ts";
import { receiveDeploy, receiveDeployTelling } from "./receive-deploy.ts";

const MIB = 1024 * 1024;

type Answer = Promise<Result<Deploy | Reply<Deploy> | EventReply, Problem>>;
type Upload = { readonly message?: string; readonly activate?: boolean };
type Starter = { readonly message?: string | undefined; readonly activate?: boolean | undefined };

/** Makes a deploy of the archive that is the body, or of nothing but the starter. */
export async function createDeploy(
  call: ProjectCall<Starter | undefined, Upload>,
  services: ManagementServices,
): Answer {
  const { request, query, body } = call;
  const fault = body === undefined ? faultOfUpload(request) : undefined;
  if (fault !== undefined) return refused(fault);
  const message = body?.message ?? query.message;
  const input = {
    // The starter has no archive; an upload without a body is an archive without anything in it.
    archive: body === undefined ? (request.body ?? nothing()) : ("starter" as const),
    ...present({
      message: message === undefined ? undefined : normalText(message),
      activate: body?.activate ?? query.activate,
    }),
  };
  return wantsEvents(request)
    ? receiveDeployTelling(call, services, input)
    : receiveDeploy(call, services, input);
}

/** What can be said of an upload before any of it is read. */
function faultOfUpload({ headers }: Request): Problem | undefined {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") return encoded;
  return Number(headers.get("content-length")) > MAX_TOTAL_BYTES ? tooLarge : undefined;
}

const encoded: Problem = problem(
  "unsupported_media_type",
  "Send the archive as it is, without a Content-Encoding.",
);

const tooLarge: Problem = problem(
  "payload_too_large",
  `An archive may be at most ${MAX_TOTAL_BYTES / MIB} MiB.`,
);

function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
