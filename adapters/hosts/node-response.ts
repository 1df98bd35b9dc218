import { besideHost } from "./host-headers.ts";
import { blobOf, bytesOf, WrongLength } from "../../lib/base/blob-response.ts";

/** The parts of `ServerResponse` and `Http2ServerResponse` that the bridge uses. */
export interface NodeResponse {
  statusCode: number;
  /** Whether `end` was called. */
  readonly writableEnded: boolean;
  /** Whether everything was handed to the system, and over HTTP/2 accepted by the client's window. */
  readonly writableFinished?: boolean;
  readonly destroyed?: boolean;
  /** HTTP/2 only: whether the client has disconnected. */
  readonly stream?:
    | { readonly destroyed: boolean; readonly aborted?: boolean; close(code: number): void }
    | undefined;
  readonly req: { readonly method?: string | undefined; readonly httpVersionMajor: number };
  getHeader(name: string): number | string | string[] | undefined;
  setHeader(name: string, value: string | string[]): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  end(chunk: Uint8Array): unknown;
  destroy(error?: Error): unknown;
  once(event: string, listener: () => void): unknown;
}

// One shared error, because clients decide how often it occurs.
const DISCONNECTED = new Error("The client disconnected.");

/** Returns a signal that aborts when the client disconnects before the end of the response. */
export function disconnectSignal(target: NodeResponse): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    // "finish" proves nothing: over HTTP/2 it precedes every "close".
    if (!target.writableEnded) controller.abort(DISCONNECTED);
  };
  target.once("close", leave);
  // The client may have disconnected while the framework read its body.
  if (target.destroyed === true || target.stream?.destroyed === true) leave();
  // Writing to a disconnecting client is not an error: "close" follows.
  target.once("error", () => undefined);
  return controller.signal;
}

/** Bounds the memory for responses that clients have not received. */
export interface Outflow {
  /** Await it before each read of the body, and end the turn after the read. */
  turn(): Turn | Promise<Turn>;
  /** Counts bytes of the body that enter memory. */
  hold(bytes: number): void;
  /** Counts bytes that the client has received. */
  release(bytes: number): void;
  /** Starts a wait for the client and calls `cut` on timeout. Returns a function that ends the wait. */
  awaitClient(cut: () => void): () => void;
}

/** A turn to send a part of a response. */
export interface Turn {
  end(): void;
}

/**
 * Sends `response` as fast as the client receives it. A body that is available as a whole is sent with its length. If the
 * body fails, or has another length than `Content-Length` says, cuts the connection, so that the client notices the
 * missing part and takes nothing else for it, and rejects. With `flow`, resolves when
 * the client has received everything, as far as the runtime can tell, or has disconnected.
 */
export async function sendResponse(
  response: Response,
  target: NodeResponse,
  disconnected: AbortSignal,
  flow?: Outflow,
): Promise<void> {
  let source: Source | undefined;
  const leave = (): void => {
    // The body is no longer needed, so its errors do not matter.
    if (source === undefined) response.body?.cancel(disconnected.reason).catch(() => undefined);
    else source.cancel(disconnected.reason);
  };
  // A reset stream closes a little later.
  if (disconnected.aborted || target.stream?.aborted === true) {
    leave();
    return;
  }
  disconnected.addEventListener("abort", leave, { once: true });
  try {
    // Headers first: with the Response of @hono/node-server 1, reading the body loses changes to them.
    target.statusCode = response.status;
    copyHeaders(response.headers, target);
    if (target.req.method === "HEAD" || isBodiless(response.status)) {
      leave();
      target.end();
    } else {
      source = sourceOf(response, disconnected, flow);
      if (source.length !== undefined && target.getHeader("content-length") === undefined) {
        target.setHeader("content-length", String(source.length));
      }
      await pump(checked(source, target), target, disconnected, flow);
    }
    if (flow !== undefined) await received(target, disconnected, flow);
  } catch (error) {
    // Cutting may abort the signal.
    const isLost = disconnected.aborted;
    leave();
    cut(target);
    if (!isLost) throw error;
  } finally {
    disconnected.removeEventListener("abort", leave);
  }
}

export type Chunk =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined };

/** A body, read in parts. */
export interface Source {
  /** Known for a `Blob`. */
  readonly length: number | undefined;
  next(): Promise<Chunk>;
  cancel(reason: unknown): void;
}

/** The size of parts and of writes in bytes. */
const PART = 32 * 1_024;
const OVER: Chunk = { done: true };

/** Reads nothing before its turn, because the reader of a text body holds a full copy from the start. */
export function sourceOf(
  response: Response,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Source {
  const { length, next, cancel } = partsOf(response);
  if (flow === undefined) return { length, next, cancel };
  const isEventStream =
    response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return {
    length,
    next: async () => {
      // Events are small and rare. Waiting for them must not hold a turn.
      const turn = isEventStream ? undefined : await flow.turn();
      try {
        if (disconnected.aborted) return OVER;
        const chunk = await next();
        if (!chunk.done) flow.hold(chunk.value.length);
        return chunk;
      } finally {
        turn?.end();
      }
    },
    cancel,
  };
}

function partsOf(response: Response): Source {
  const blob = blobOf(response);
  if (blob !== undefined && !response.bodyUsed) {
    let at = 0;
    return {
      length: blob.size,
      next: async () => {
        if (at >= blob.size) return OVER;
        const value = await bytesOf(blob.slice(at, Math.min(at + PART, blob.size)));
        at += PART;
        return { done: false, value };
      },
      cancel: () => {
        at = blob.size;
      },
    };
  }
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let over = false;
  return {
    length: undefined,
    next: async () => {
      if (over) return OVER;
      reader ??= response.body?.getReader();
      if (reader === undefined) return OVER;
      const { done, value } = await reader.read();
      return done ? OVER : { done, value };
    },
    cancel: (reason) => {
      over = true;
      (reader ?? response.body)?.cancel(reason).catch(() => undefined);
    },
  };
}

/** Fails as soon as a body is longer than its announced length, and when it ends before. */
function checked({ next, ...rest }: Source, target: NodeResponse): Source {
  const announced = Number(target.getHeader("content-length") ?? Number.NaN);
  if (Number.isNaN(announced)) return { next, ...rest };
  let length = 0;
  return {
    ...rest,
    next: async () => {
      const chunk = await next();
      length += chunk.value?.length ?? 0;
      if (chunk.done ? length < announced : length > announced) {
        throw new WrongLength(announced, length);
      }
      return chunk;
    },
  };
}

/** RFC 9113 §7. */
const CANCEL = 8;

/** Ends an incomplete response. Over HTTP/2 the other streams continue, and the error code marks this one as incomplete. */
function cut(target: NodeResponse): void {
  const { stream } = target;
  if (target.req.httpVersionMajor < 2 || stream === undefined) target.destroy();
  else if (!stream.destroyed) stream.close(CANCEL);
}

export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

const hopByHop: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

function copyHeaders(own: Headers, target: NodeResponse): void {
  const headers = besideHost(own, (name) => target.getHeader(name)) ?? own;
  const cookies = headers.getSetCookie();
  for (const [name, value] of headers) {
    if (name === "set-cookie") continue;
    // HTTP/2 forbids these (RFC 9113 §8.2.2).
    if (target.req.httpVersionMajor >= 2 && hopByHop.has(name)) continue;
    target.setHeader(name, value);
  }
  if (cookies.length > 0) {
    const before = target.getHeader("set-cookie") ?? [];
    target.setHeader("set-cookie", [before].flat().map(String).concat(cookies));
  }
}

async function pump(
  source: Source,
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Promise<void> {
  const first = source.next();
  let chunk = await atOnce(first);
  if (chunk === undefined) {
    target.flushHeaders?.();
    chunk = await first;
  } else if (!chunk.done) {
    const second = source.next();
    const following = await atOnce(second);
    if (following?.done !== true) await write(chunk.value, target, disconnected, flow);
    else if (!disconnected.aborted) {
      const rest = await writeParts(chunk.value, target, disconnected, flow);
      if (!disconnected.aborted) target.end(rest);
      return;
    }
    chunk = following ?? (await second);
  }
  while (!chunk.done) {
    await write(chunk.value, target, disconnected, flow);
    if (disconnected.aborted) return;
    chunk = await source.next();
  }
  if (!disconnected.aborted) target.end();
}

/** Returns the value of `promise` if it resolves before the event loop turns, or undefined. */
function atOnce(promise: Promise<Chunk>): Promise<Chunk | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => {
      setImmediate(() => resolve(undefined));
    }),
  ]);
}

/** Writes and waits until the client can receive more. */
async function write(
  chunk: Uint8Array,
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Promise<void> {
  const rest = await writeParts(chunk, target, disconnected, flow);
  await writePart(rest, target, disconnected, flow);
}

/** Writes all but the last part. */
async function writeParts(
  chunk: Uint8Array,
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Promise<Uint8Array> {
  if (flow === undefined) return chunk;
  let rest = chunk;
  for (; rest.length > PART && !disconnected.aborted; rest = rest.subarray(PART)) {
    // Sequential writes.
    // oxlint-disable-next-line no-await-in-loop
    await writePart(rest.subarray(0, PART), target, disconnected, flow);
  }
  return rest;
}

async function writePart(
  part: Uint8Array,
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Promise<void> {
  if (disconnected.aborted) return;
  if (!target.write(part)) await event(["drain"], target, disconnected, flow);
  flow?.release(part.length);
}

/** Waits until the client has received an ended response. */
async function received(
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow,
): Promise<void> {
  if (target.writableFinished !== true && !disconnected.aborted) {
    await event(["finish", "close"], target, disconnected, flow);
  }
}

/** Waits for one of the events or a disconnection. */
async function event(
  names: readonly string[],
  target: NodeResponse,
  disconnected: AbortSignal,
  flow: Outflow | undefined,
): Promise<void> {
  const end = flow?.awaitClient(() => cut(target));
  await new Promise<void>((resolve) => {
    const done = (): void => {
      disconnected.removeEventListener("abort", done);
      resolve();
    };
    for (const name of names) target.once(name, done);
    disconnected.addEventListener("abort", done, { once: true });
  });
  end?.();
}
