/** The parts of `ServerResponse` and `Http2ServerResponse` that the bridge uses. */
export interface NodeResponse {
  statusCode: number;
  /** True once `end` was called. */
  readonly writableEnded: boolean;
  readonly destroyed?: boolean;
  /** HTTP/2 has it; there it tells whether the client has gone. */
  readonly stream?: { readonly destroyed: boolean } | undefined;
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

/** Aborted when the client leaves before its answer is complete. */
export function clientGone(target: NodeResponse): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    // "finish" tells nothing: over HTTP/2 it comes before every "close".
    if (!target.writableEnded) controller.abort(new Error("The client went away."));
  };
  target.once("close", leave);
  // It may have left while somebody before us was reading its body.
  if (target.destroyed === true || target.stream?.destroyed === true) leave();
  // Writing to a client that is just leaving is no defect: "close" follows.
  target.once("error", () => undefined);
  return controller.signal;
}

/**
 * Sends `response`, as fast as the client takes it. A body that is at hand whole goes out with its length.
 * If the body breaks, the connection is cut, so that the client cannot take a half for the whole, and this rejects.
 */
export async function sendResponse(
  response: Response,
  target: NodeResponse,
  gone: AbortSignal,
): Promise<void> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const leave = (): void => {
    // The body is not wanted any more, so its troubles are nobody's.
    (reader ?? response.body)?.cancel(gone.reason).catch(() => undefined);
  };
  if (gone.aborted) {
    leave();
    return;
  }
  gone.addEventListener("abort", leave, { once: true });
  try {
    // Headers first: where @hono/node-server 1 replaced Response, reading the body forgets what was written into them.
    target.statusCode = response.status;
    copyHeaders(response.headers, target);
    reader = response.body?.getReader();
    if (reader === undefined || target.req.method === "HEAD" || isBodiless(response.status)) {
      leave();
      target.end();
    } else {
      await pump(reader, target, gone);
    }
  } catch (error) {
    leave();
    target.destroy();
    if (!gone.aborted) throw error;
  } finally {
    gone.removeEventListener("abort", leave);
  }
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

const hopByHop: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

function copyHeaders(headers: Headers, target: NodeResponse): void {
  const cookies = headers.getSetCookie();
  for (const [name, value] of headers) {
    if (name === "set-cookie") continue;
    // RFC 9113 §8.2.2: HTTP/2 has none of them.
    if (target.req.httpVersionMajor >= 2 && hopByHop.has(name)) continue;
    const before = name === "vary" ? target.getHeader(name) : undefined;
    target.setHeader(name, before === undefined ? value : `${String(before)}, ${value}`);
  }
  if (cookies.length > 0) {
    const before = target.getHeader("set-cookie") ?? [];
    target.setHeader("set-cookie", [before].flat().map(String).concat(cookies));
  }
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  target: NodeResponse,
  gone: AbortSignal,
): Promise<void> {
  const first = reader.read();
  let chunk = await atOnce(first);
  if (chunk === undefined) {
    target.flushHeaders?.();
    chunk = await first;
  } else if (!chunk.done) {
    const second = reader.read();
    const following = await atOnce(second);
    if (following?.done !== true) await write(chunk.value, target, gone);
    else if (!gone.aborted) {
      target.end(chunk.value);
      return;
    }
    chunk = following ?? (await second);
  }
  while (!chunk.done) {
    await write(chunk.value, target, gone);
    chunk = await reader.read();
  }
  if (!gone.aborted) target.end();
}

/** What `promise` brings before the event loop turns; undefined when it takes longer. */
function atOnce(promise: Promise<Chunk>): Promise<Chunk | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => {
      setImmediate(() => resolve(undefined));
    }),
  ]);
}

/** Writes and waits until the client has taken enough for more. */
async function write(chunk: Uint8Array, target: NodeResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted || target.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      gone.removeEventListener("abort", done);
      resolve();
    };
    target.once("drain", done);
    gone.addEventListener("abort", done, { once: true });
  });
}
