import { linesOf } from "../../lib/base/blob-response.ts";
import { FRAMING, mayHaveLength, statusLine } from "../hosts/http1-head.ts";
import type { NodeResponse } from "../hosts/node-response.ts";

/** Whether a response lasts until its client leaves. */
export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** What the end of a head depends on. */
interface Ending {
  readonly closes: boolean;
  readonly date: string;
}

/**
 * Returns the head of a response with a body of `length` bytes. In parts, because most of it is text that responses share:
 * joining them would make a kilobyte of garbage for each response.
 */
export function headOf(
  response: Response,
  length: number,
  { closes, date }: Ending,
): readonly string[] {
  const { status, headers } = response;
  const first = statusLine(status);
  const end = `content-length: ${length}\r\n${closes ? CLOSE : ""}date: ${date}\r\n\r\n`;
  const known = linesOf(response);
  // Otherwise a field was added since.
  const bun: Partial<Pick<Headers, "count" | "toJSON">> = headers;
  if (known !== undefined && known.count === bun.count) {
    return [first, known.shared, known.own + end];
  }
  let lines = "";
  // Where Bun has it, much faster than iterating.
  const fields = bun.toJSON?.() ?? Object.fromEntries(headers);
  for (const name in fields) {
    const value = fields[name];
    if (name === "set-cookie") {
      for (const cookie of headers.getSetCookie()) lines += `${name}: ${cookie}\r\n`;
    } else if (!FRAMING.has(name)) lines += `${name}: ${value}\r\n`;
  }
  return [first, lines, end];
}

/** Returns the length of a head in bytes. */
export function lengthOf(head: readonly string[]): number {
  return head.reduce((sum, part) => sum + part.length, 0);
}

/** Writes a whole response to the start of `bytes`. */
export function writeWhole(
  bytes: Buffer,
  head: readonly string[],
  body: string | Uint8Array,
): void {
  let at = 0;
  for (const part of head) at += bytes.write(part, at, "latin1");
  if (typeof body === "string") bytes.write(body, at);
  else bytes.set(body, at);
}

const LINE_END = Buffer.from("\r\n");
const CLOSE = "connection: close\r\n";

/** Returns a whole response without content, before any handler. After a 503, the client may repeat the request. */
export function bareAnswer(status: number, date: string): string {
  const retry = status === 503 ? "retry-after: 1\r\n" : "";
  return `${statusLine(status)}content-length: 0\r\n${retry}${CLOSE}date: ${date}\r\n\r\n`;
}

/** Where the bytes of a response go. */
export interface Sink {
  readonly destroyed: boolean;
  /** Returns false if the client does not keep up; `drain` of the response follows. */
  send(data: string | Uint8Array): boolean;
  destroy(): void;
}

/** A response whose body is sent in parts. */
export class StreamedResponse implements NodeResponse {
  statusCode = 200;
  writableEnded = false;
  /** The connection itself waits until everything is sent. */
  readonly writableFinished = true;
  readonly req: NodeResponse["req"];
  /** Whether it lasts until its client leaves. */
  readonly isEventStream: boolean;
  readonly #sink: Sink;
  readonly #ending: Ending;
  readonly #chunks: boolean;
  readonly #fields = new Map<string, string | string[]>();
  readonly #listeners = new Map<string, (() => void)[]>();
  #chunked = false;
  #started = false;

  /** `chunks`: whether the client understands them; otherwise the connection's end is that of the body. */
  constructor(
    sink: Sink,
    response: Response,
    { method, chunks, ...ending }: Ending & { readonly method: string; readonly chunks: boolean },
  ) {
    this.isEventStream = isEventStream(response);
    this.#sink = sink;
    this.req = { method, httpVersionMajor: 1 };
    this.#chunks = chunks;
    this.#ending = ending;
  }

  get destroyed(): boolean {
    return this.#sink.destroyed;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#fields.get(name);
  }

  setHeader(name: string, value: string | string[]): void {
    this.#fields.set(name, value);
  }

  flushHeaders(): void {
    this.#start(true);
  }

  write(chunk: Uint8Array): boolean {
    this.#start(true);
    if (!this.#chunked) return this.#sink.send(chunk);
    if (chunk.length === 0) return true;
    const size = Buffer.from(`${chunk.length.toString(16)}\r\n`);
    return this.#sink.send(Buffer.concat([size, chunk, LINE_END]));
  }

  end(chunk?: Uint8Array): void {
    if (!this.#started && chunk !== undefined && !this.#fields.has("content-length")) {
      this.#fields.set("content-length", String(chunk.length));
    }
    this.#start(chunk !== undefined);
    if (chunk !== undefined) this.write(chunk);
    this.writableEnded = true;
    if (this.#chunked) this.#sink.send("0\r\n\r\n");
  }

  destroy(): void {
    this.#sink.destroy();
  }

  once(event: string, listener: () => void): void {
    const listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, [listener]);
    else listeners.push(listener);
  }

  emit(event: "drain" | "close"): void {
    const listeners = this.#listeners.get(event) ?? [];
    this.#listeners.delete(event);
    for (const listener of listeners) listener();
  }

  #start(hasBody: boolean): void {
    if (this.#started) return;
    this.#started = true;
    const { statusCode } = this;
    let head = statusLine(statusCode);
    for (const [name, values] of this.#fields) {
      if (name !== "content-length" && FRAMING.has(name)) continue;
      for (const value of [values].flat()) head += `${name}: ${value}\r\n`;
    }
    const sized = this.#fields.has("content-length");
    if (hasBody && !sized) {
      this.#chunked = this.#chunks;
      if (this.#chunked) head += "transfer-encoding: chunked\r\n";
    } else if (!hasBody && !sized && this.req.method !== "HEAD" && mayHaveLength(statusCode)) {
      head += "content-length: 0\r\n";
    }
    const { closes, date } = this.#ending;
    this.#sink.send(`${head}${closes ? CLOSE : ""}date: ${date}\r\n\r\n`);
  }
}
