/** The parts of a Node readable stream that the bridge uses for a body. */
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
  /** Alternating raw names and values. */
  readonly rawHeaders: readonly string[];
  readonly headers: { readonly host?: string | undefined; readonly [name: string]: unknown };
  readonly httpVersionMajor: number;
  readonly httpVersionMinor?: number;
  readonly readableDidRead: boolean;
  readonly readableEnded: boolean;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly encrypted?: boolean | undefined;
    readonly destroyed?: boolean;
    pause?(): unknown;
    resume?(): unknown;
  };
}

/** What the framework did with the body. */
export interface BodyFacts {
  /** The parsed body, if a parser ran. */
  readonly parsed?: unknown;
  /** The source of the unread body. Default: the message. */
  readonly payload?: NodeReadable | undefined;
  /** Called with the size of each part of the body. */
  readonly received?: ((bytes: number) => void) | undefined;
}

/** The framework read the body and kept no copy. */
export class BodyLost extends Error {
  override readonly name = "BodyLost";
}

const SCHEME = /^https?$/;
/** A host with an optional port, as in a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a URL may have that host and port: `1.2.3.4.5`, `xn--a` and port 99999 only look like it. */
export function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`https://${host}/`);
}

/** Returns the requested URL; undefined if the host or the target is invalid (RFC 9112 §3.2). */
export function addressOf(scheme: string, host: string, target: string): string | undefined {
  const url = `${scheme}://${host}${pathOf(target)}`;
  return SCHEME.test(scheme) && isHost(host) ? url : undefined;
}

/**
 * Returns the path and query of a request target, which may be an absolute URL (RFC 9112 §3.2.2). Escapes what a URL
 * would resolve or drop (dot segments, backslashes, a fragment, white space), so `/v1/../v1/pets` matches no operation.
 */
export function pathOf(target: string): string {
  const relative = target.replace(ABSOLUTE, "");
  const path = relative.startsWith("/") ? relative : `/${relative}`;
  return exactPath(path) ?? path;
}

/** Returns the path with those parts escaped; undefined if it has none. */
export function exactPath(path: string): string | undefined {
  if (!RESOLVED.test(path)) return undefined;
  const queryAt = path.indexOf("?");
  const end = queryAt === -1 ? path.length : queryAt;
  const segments = path.slice(0, end).replace(DROPPED, encodeURIComponent).split("/");
  const exact = segments.map((one) => (DOTS.test(one) ? one.replace(/\.|%2e/gi, "%252E") : one));
  return exact.join("/") + path.slice(end).replace(DROPPED, encodeURIComponent);
}

/** Returns the authority of an absolute request target, which takes precedence over `Host`. */
export function authorityOf(target: string): string | undefined {
  return ABSOLUTE.exec(target)?.[1];
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const DROPPED = /[\\#\s]/g;
const DOTS = /^(?:\.|%2e){1,2}$/i;
const RESOLVED = /[\\#\s]|\/(?:\.|%2e)/i;

/** Counts the `Host` fields of a message, of which one is allowed (RFC 9112 §3.2). */
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
// Replaces all other methods, because the Fetch standard forbids some and Bun treats unknown ones as GET. The service
// refuses this one as an unsupported method.
const OTHER = "PROPFIND";

/** Returns the method as the service gets it: methods are case-sensitive (RFC 9110 §9.1), and it knows no others. */
export function shownMethod(method: string): string {
  return SHOWN.has(method) ? method : OTHER;
}

/** Converts a message to a `Request` without reading the body. */
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
    method: shownMethod(method),
    headers,
    signal,
    duplex: "half",
  };
  if (method !== "GET" && method !== "HEAD") init.body = bodyOf(message, headers, facts);
  return new Request(url, init);
}

/**
 * Reads nothing more from an HTTP/1.1 connection between the end of a request and that of its response: `node:http` answers
 * 400 to malformed bytes at once, ahead of the response of a request that is taking effect.
 */
export function readInTurn(
  message: NodeRequest,
  target: { once(event: string, listener: () => void): unknown },
): void {
  const { socket, method, httpVersionMajor } = message;
  if (httpVersionMajor >= 2 || method === "GET" || method === "HEAD") return;
  let over = false;
  const finish = (): void => {
    if (!over) socket.resume?.();
    over = true;
  };
  target.once("finish", finish);
  target.once("close", finish);
  const wait = (): void => {
    if (!over) socket.pause?.();
  };
  if (message.readableEnded) wait();
  else message.on("end", wait);
}

/** Whether the connection of an HTTP/1.1 request is gone. */
export function isCut({ httpVersionMajor, socket }: NodeRequest): boolean {
  return httpVersionMajor < 2 && socket.destroyed === true;
}

function bodyOf(message: NodeRequest, headers: Headers, facts: BodyFacts): BodyInit | null {
  const empty =
    message.httpVersionMajor < 2 &&
    !headers.has("transfer-encoding") &&
    Number(headers.get("content-length") ?? 0) === 0;
  if (empty) return null;
  const cut = (): boolean => isCut(message);
  if (facts.payload !== undefined) return streamOf(facts.payload, facts.received, cut);
  // Prefer the unread body, because a parsed one hides duplicate members.
  if (!message.readableDidRead && !message.readableEnded) {
    return streamOf(message, facts.received, cut);
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
  // Node's buffers are views of an ArrayBuffer.
  if (parsed instanceof Uint8Array) return parsed as Uint8Array<ArrayBuffer>;
  return JSON.stringify(parsed);
}

/** Pulls one chunk at a time. Cancellation drops the rest and keeps the connection for the response. */
function streamOf(
  source: NodeReadable,
  received: BodyFacts["received"],
  cut: () => boolean,
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
        source.on("end", () =>
          end(() => {
            // Malformed bytes in the same packet were answered with 400.
            if (cut()) controller.error(new Error("The client sent malformed bytes."));
            else controller.close();
          }),
        );
        source.on("error", (error) => end(() => controller.error(error)));
        source.on("close", () =>
          end(() => controller.error(new Error("The client disconnected."))),
        );
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
