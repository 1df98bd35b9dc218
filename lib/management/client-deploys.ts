import { aBoolean, aFunction, anything, aText, checkOptions, optional } from "../base/options.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { InputOf } from "../http/operation.ts";
import type { Deploy, DeployProgress } from "../publishing/model/deploy.ts";
import { problemOf, readAnswer, UnexpectedAnswer } from "./client.ts";
import { serverSentEvents } from "./client-events.ts";
import type { ManagementOperations } from "./endpoints.ts";
import { fromWire } from "../base/wire.ts";

const CREATE = "POST /projects/:project/deploys";
const EVENTS = "text/event-stream";

/** A deploy to be made from an archive. */
export interface NewDeploy {
  /** Slug or ID. */
  readonly project: string;
  /** A gzipped tar archive of the site, or `"starter"` for the storefront without files. */
  readonly archive: ReadableStream<Uint8Array> | "starter";
  readonly message?: string;
  /** Publishes the deploy once it is ready. Default: true. */
  readonly activate?: boolean;
  /** Adds the files of an archive to those that are live when it is published. Default: false, so they replace them. */
  readonly add?: boolean;
  /** Called with the server's progress. */
  readonly onProgress?: (progress: DeployProgress) => void;
}

/** The part of a `ManagementClient` that an upload needs, whatever other operations its table has. */
export interface DeployUploads {
  open(
    operation: typeof CREATE,
    input: Omit<InputOf<ManagementOperations[typeof CREATE]>, "body">,
    init: RequestInit,
  ): Promise<Response>;
}

/**
 * Creates a deploy: sends the site as a stream, and reports progress from the events in the response. Rejects with a
 * `TypeError` for invalid options.
 */
export async function createDeploy(
  client: DeployUploads,
  deploy: NewDeploy,
): Promise<Result<Deploy, Problem>> {
  checkOptions("createDeploy", deploy, {
    project: aText,
    archive: anything,
    message: optional(anything),
    activate: optional(aBoolean),
    add: optional(aBoolean),
    onProgress: optional(aFunction),
  });
  const { project, archive, message, activate, add, onProgress } = deploy;
  const starter = archive === "starter";
  const query = starter
    ? {}
    : { message, activate: activate === false ? false : undefined, add: add === true || undefined };
  const response = await client.open(
    CREATE,
    { project, query },
    starter
      ? {
          headers: { accept: EVENTS, "content-type": "application/json" },
          body: JSON.stringify({ source: "starter", message, activate }),
        }
      : {
          headers: { accept: EVENTS, "content-type": "application/gzip" },
          body: archive,
          // The length of a stream is unknown when it is sent (Fetch §5.4); older types lack the member.
          ...{ duplex: "half" },
        },
  );
  const { body, ok, headers, status } = response;
  const streamed = ok && (headers.get("content-type") ?? "").startsWith(EVENTS);
  if (body === null || !streamed) return readAnswer(response);
  const outcome = await readDeploy(body, onProgress);
  if (outcome === undefined) throw new UnexpectedAnswer(status);
  return outcome;
}

/** Reads the events of a deploy that is being created; undefined if they end without an outcome. */
export async function readDeploy(
  events: ReadableStream<Uint8Array>,
  onProgress?: (progress: DeployProgress) => void,
): Promise<Result<Deploy, Problem> | undefined> {
  for await (const { event, data } of serverSentEvents(events)) {
    const value = fromWire(JSON.parse(data));
    // The operation has three kinds of events, with these values.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "progress") onProgress?.(value as DeployProgress);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "done") return done(value as Deploy);
    const refusal = event === "problem" ? problemOf(value) : undefined;
    if (refusal !== undefined) return refused(refusal);
  }
  return undefined;
}
