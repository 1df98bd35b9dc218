import { refusal } from "../../adapters/hosts/bridge.ts";
import { isBodiless, sourceOf, type Chunk } from "../../adapters/hosts/node-response.ts";
import { wholeOf } from "../../lib/base/blob-response.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { andThen, isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { readAway } from "../../lib/base/parts.ts";
import { answerAs, hostOf, type RequestAnswerer } from "./answer-request.ts";
import type { Connections } from "./connections.ts";
import type { TlsLimits } from "./limits.ts";
import type { SpeakHttp2 } from "./node-http2.ts";
import { Relay, streamOf, type Relays, type UpstreamEvents } from "./relay.ts";
import type { RelayedStream } from "./relayed-streams.ts";
import { MARK } from "./request-head.ts";

/** A server in this process that speaks HTTP/2 without TLS. */
export interface PlainHttp2 {
  /** Makes a connection to it. */
  connect(events: UpstreamEvents): void;
  /** Aborts all requests. */
  stop(): void;
}

/** Starts such a server. It accepts headers of at least that size, and refuses larger ones by 431. */
export type StartPlainHttp2 = (options: {
  readonly fetch: (request: Request) => Eventual<Response>;
  readonly maxHeaderBytes: number;
}) => PlainHttp2;

export interface RelayedOptions {
  readonly start: StartPlainHttp2;
  readonly answerer: RequestAnswerer;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly limits: TlsLimits;
  readonly clock: Clock;
}

/** HTTP/2 of a TLS front, spoken by a server that sees plain text. */
export interface Relayed {
  readonly speak: SpeakHttp2;
  close(): void;
}

/**
 * How much of a body that the handler left unread is read before the response, and for how long: the server resets the
 * stream after the response, and some clients lose a response to a request that they are still sending.
 */
const DRAINED_BYTES = 64 * 1_024;
const DRAIN_MS = SECOND_MS;
/** A part of a body. A body up to this size is handed over whole. */
const PART = 32 * 1_024;

export function createRelayed(options: RelayedOptions): Relayed {
  const { start, answerer, connections, limits, clock } = options;
  const relays: Relays = new Map();

  const server = start({
    maxHeaderBytes: limits.maxHeaderBytes,
    fetch: (request) => {
      const mark = request.headers.get(MARK) ?? "";
      const found = streamOf(relays, mark);
      // Not one of our connections, or a client that sent the header too.
      if (found === undefined) return new Response(null, { status: 400 });
      const { relay, stream } = found;
      if (stream === undefined) return never();
      const { method } = request;
      const go = (): Eventual<Response> =>
        stream.closed ? never() : respond(request, relay, stream);
      if (method !== "GET" && method !== "HEAD") return go();
      // When a client disconnects, all its waiting requests resume. None of them needs a response.
      const started = stream.flow.start();
      return isPromise(started) ? started.then((open) => (open ? go() : never())) : go();
    },
  });

  const respond = (request: Request, relay: Relay, stream: RelayedStream): Eventual<Response> => {
    const { connection } = relay;
    const { serverName = "" } = connection;
    const { refusedWith, authority = serverName, path } = stream.head;
    const { headers } = request;
    headers.delete(MARK);
    headers.delete("host");
    const asked =
      refusedWith === undefined ? requestFor(`https://${authority}${path}`, request) : undefined;
    if (asked === undefined) {
      const refused = new Response(null, { status: refusedWith ?? 400 });
      return finish(refused, request, relay, stream);
    }
    try {
      const host = authority === serverName ? serverName : hostOf(authority);
      const answered = answerAs(answerer, asked, connection, host);
      const reply = andThen(answered, (response) => finish(response, asked, relay, stream));
      return isPromise(reply) ? reply.catch((error: unknown) => failed(error, asked)) : reply;
    } catch (error) {
      return failed(error, asked);
    }
  };

  const finish = (
    response: Response,
    request: Request,
    relay: Relay,
    stream: RelayedStream,
  ): Eventual<Response> => {
    const bounded = (): Response => boundedBody(response, request, relay, stream, answerer.onError);
    // A response that is a stream may be made of the request.
    const unread = stream.complete || wholeOf(response) === undefined ? null : request.body;
    if (unread === null || unread.locked) return bounded();
    const waiting = new AbortController();
    const late = clock.sleep(DRAIN_MS, waiting.signal).catch(() => undefined);
    // Rejects if the client left.
    const drained = readAway(unread.getReader(), DRAINED_BYTES).catch(() => undefined);
    return Promise.race([drained, late]).then(() => {
      waiting.abort();
      return bounded();
    });
  };

  const failed = (error: unknown, { signal }: Request): Response => {
    if (!signal.aborted) answerer.onError(error);
    return refusal("internal_error", "Something broke on our side.");
  };

  return {
    speak: (connection, tls) => {
      const relay = new Relay({ relays, connections, connection, tls, limits });
      server.connect(relay.events);
      return relay;
    },
    close: () => server.stop(),
  };
}

/** Never answers a request whose stream is closed: the server forgets it. */
function never(): Promise<Response> {
  return new Promise(() => undefined);
}

/** Returns the request under another address; undefined if that is not one. */
function requestFor(url: string, request: Request): Request | undefined {
  try {
    return new Request(url, request);
  } catch {
    return undefined;
  }
}

/**
 * Counts a text or a small file and hands it over whole. Reads any other body part by part as the client does, since
 * the server would read all of it into memory.
 */
function boundedBody(
  response: Response,
  { method, signal }: Request,
  relay: Relay,
  stream: RelayedStream,
  onError: (error: unknown) => void,
): Response {
  const whole = wholeOf(response);
  const size = typeof whole === "string" ? Buffer.byteLength(whole) : whole?.size;
  if (size !== undefined && (typeof whole === "string" || size <= PART)) {
    relay.streams.hold(stream, size);
    return response;
  }
  const { status, headers } = response;
  if (method === "HEAD" || isBodiless(status)) {
    if (size === undefined) response.body?.cancel().catch(() => undefined);
    return new Response(null, { status, headers });
  }
  if (size === undefined && response.body === null) return response;
  const source = sourceOf(response, signal, {
    turn: () => stream.flow.turn(),
    hold: (bytes) => relay.streams.holdPart(stream, bytes),
    release: () => undefined,
    awaitClient: () => () => undefined,
  });
  let rest: Uint8Array = new Uint8Array();
  let left = false;
  // Read in advance, so that a small first part does not hide how much the rest is.
  let next: Promise<Chunk> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          if (rest.length === 0) {
            const chunk = await (next ?? source.next());
            // A stream that was cancelled accepts nothing.
            if (left) return;
            if (chunk.done) {
              controller.close();
              return;
            }
            rest = chunk.value;
            next = source.next();
            next.catch(() => undefined);
          }
          controller.enqueue(rest.subarray(0, PART));
          rest = rest.subarray(PART);
        } catch (error) {
          // A client that has left makes its response fail.
          if (!left && !signal.aborted) onError(error);
          relay.cut(stream);
        }
      },
      cancel: (reason) => {
        left = true;
        source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  if (source.length !== undefined) headers.set("content-length", String(source.length));
  return new Response(body, { status, headers });
}
