/** The parts of a readable stream of Node that carry a body. */
export interface NodeReadable {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The parts of `IncomingMessage` and `Http2ServerRequest` that the bridge reads. */
export interface NodeRequest extends NodeReadable {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values by turns, as they came: nothing joined, nothing dropped. */
  readonly rawHeaders: readonly string[];
  readonly headers: { readonly host?: string | undefined; readonly [name: string]: unknown };
  readonly httpVersionMajor: number;
  readonly httpVersionMinor?: number;
  readonly readableDidRead: boolean;
  readonly readableEnded: boolean;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly encrypted?: boolean | undefined;
  };
}

/** What a framework made of the body before us. */
export interface BodyFacts {
  /** What a parser made of the body, if one ran. */
  readonly parsed?: unknown;
  /** Where the unread body comes from; default: the message. */
  readonly payload?: NodeReadable | undefined;
  /** Called with the size of each part of the body that is passed on. */
  readonly received?: ((bytes: number) => void) | undefined;
}

/** The body was read by somebody who left nothing of it. */
export class BodyLost extends Error {
  override readonly name = "BodyLost";
}

const SCHEME = /^https?$/;
/** A host with or without a port, as an address can hold it. */
export const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The address that was asked for; undefined when the host or the target is none (RFC 9112 §3.2). */
export function addressOf(scheme: string, host: string, target: string): string | undefined {
  const url = `${scheme}://${host}${pathOf(target)}`;
  return SCHEME.test(scheme) && HOST.test(host) && URL.canParse(url) ? url : undefined;
}

/**
 * Path and query of a request target, which may be a whole address (RFC 9112 §3.2.2). What a URL would resolve or drop
 * (dot segments, backslashes, a fragment, white space) stays in the path, escaped: `/v1/../v1/pets` names no operation.
 */
export function pathOf(target: string): string {
  const relative = target.replace(ABSOLUTE, "");
  const path = relative.startsWith("/") ? relative : `/${relative}`;
  if (!RESOLVED.test(path)) return path;
  const queryAt = path.indexOf("?");
  const end = queryAt === -1 ? path.length : queryAt;
  const segments = path.slice(0, end).replace(DROPPED, encodeURIComponent).split("/");
  const exact = segments.map((one) => (DOTS.test(one) ? one.replace(/\.|%2e/gi, "%252E") : one));
  return exact.join("/") + path.slice(end).replace(DROPPED, encodeURIComponent);
}

/** The authority of a request target that is a whole address: it takes precedence over `Host`. */
export function authorityOf(target: string): string | undefined {
  return ABSOLUTE.exec(target)?.[1];
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const DROPPED = /[\\#\s]/g;
const DOTS = /^(?:\.|%2e){1,2}$/i;
const RESOLVED = /[\\#\s]|\/(?:\.|%2e)/i;

/** Counts the `Host` fields of a message, which may have one (RFC 9112 §3.2). */
export function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts++;
  }
  return hosts;
}

const SHOWN: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
]);
// Stands for all other methods: some the Fetch standard forbids, and Bun takes those it does not know for GET.
// The service refuses it as any method it lacks.
const OTHER = "PROPFIND";

/** The message as a `Request`. Reads nothing yet. */
export function toRequest(
  message: NodeRequest,
  url: string,
  facts: BodyFacts,
  signal: AbortSignal,
): Request {
  const method = message.method ?? "GET";
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const name = message.rawHeaders[index] ?? "";
    if (!name.startsWith(":")) headers.append(name, message.rawHeaders[index + 1] ?? "");
  }
  const init: RequestInit & { duplex: "half" } = {
    method: SHOWN.has(method) ? method : OTHER,
    headers,
    signal,
    duplex: "half",
  };
  if (method !== "GET" && method !== "HEAD") init.body = bodyOf(message, headers, facts);
  return new Request(url, init);
}

function bodyOf(message: NodeRequest, headers: Headers, facts: BodyFacts): BodyInit | null {
  const empty =
    message.httpVersionMajor < 2 &&
    !headers.has("transfer-encoding") &&
    Number(headers.get("content-length") ?? 0) === 0;
  if (empty) return null;
  if (facts.payload !== undefined) return streamOf(facts.payload, facts.received);
  // What was not read is better than what was parsed: a parser hides members that came twice.
  if (!message.readableDidRead && !message.readableEnded) {
    return streamOf(message, facts.received);
  }
  if (facts.parsed === undefined) {
    throw new BodyLost("The body of the request was read before the petstore got it.");
  }
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) {
    headers.delete(name);
  }
  return written(facts.parsed);
}

function written(parsed: unknown): BodyInit {
  if (typeof parsed === "string") return parsed;
  // Node's buffers have an ArrayBuffer behind them.
  if (parsed instanceof Uint8Array) return parsed as Uint8Array<ArrayBuffer>;
  return JSON.stringify(parsed);
}

/** Pulls one chunk at a time. Leaving early drops the rest and keeps the connection for the answer. */
function streamOf(
  source: NodeReadable,
  received: BodyFacts["received"],
): ReadableStream<Uint8Array> {
  let over = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (act: () => void): void => {
          if (!over) act();
          over = true;
        };
        source.pause();
        source.on("data", (chunk) => {
          if (over) return;
          received?.(chunk.length);
          controller.enqueue(chunk);
          source.pause();
        });
        source.on("end", () => end(() => controller.close()));
        source.on("error", (error) => end(() => controller.error(error)));
        source.on("close", () => end(() => controller.error(new Error("The client went away."))));
      },
      pull: () => void source.resume(),
      cancel: () => {
        over = true;
        source.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
