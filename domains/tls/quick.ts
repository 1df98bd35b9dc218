import { STATUS_CODES } from "node:http";
import type { TLSSocket } from "node:tls";

import { refusal } from "../../adapters/bridge.ts";
import { HOST, pathOf } from "../../adapters/node-request.ts";
import { isBodiless, sendResponse, type NodeResponse } from "../../adapters/node-response.ts";
import { currentWhile, wholeOf } from "../../lib/base/blob-response.ts";
import { sizedCache, type Cache } from "../../lib/base/cache.ts";
import { httpTime, SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { answerAs, hostOf, type RequestAnswerer } from "./answer-request.ts";
import type { Connection, Connections } from "./connections.ts";
import type { TlsLimits } from "./limits.ts";

export interface QuickOptions {
  readonly answerer: RequestAnswerer;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly limits: TlsLimits;
  readonly clock: Pick<Clock, "now">;
  /** Whether responses must close their connections. */
  readonly draining: () => boolean;
}

/** Answers HTTP/1.1 on a connection until a request is not simple; then calls `leave` with what was read of it. */
export type AnswerQuickly = (
  connection: Connection,
  tls: TLSSocket,
  leave: (read: Buffer) => void,
) => void;

/** A request longer than this is not simple. */
const MAX_SIMPLE = 4 * 1_024;
/** A paused socket delivers only what was already read from it. */
const MAX_WAITING = 1_024 * 1_024;
/** A body up to this size is sent at once. */
const PART = 32 * 1_024;
const MAX_KEPT = 128 * 1_024;

/** Fields that change how a message is read, or what its connection is used for. */
const SPECIAL: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Fields whose responses are never kept. */
const PRIVATE: ReadonlySet<string> = new Set(["authorization", "cookie", "range"]);

/** A simple request, read. */
interface Simple {
  readonly method: "GET" | "HEAD";
  readonly url: string;
  readonly authority: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the response may depend on who asks. */
  readonly personal: boolean;
}

const VERSION = " HTTP/1.1";
const NAME = /^[A-Za-z\d_-]+$/;

/**
 * Reads a whole GET or HEAD without a body in the form in which nearly all clients write it; undefined if it must be
 * read by an HTTP parser.
 */
export function readSimple(text: string): Simple | undefined {
  const method = text.startsWith("GET /") ? "GET" : text.startsWith("HEAD /") ? "HEAD" : undefined;
  if (method === undefined || !text.endsWith("\r\n\r\n") || !isPlain(text)) return undefined;
  const first = text.indexOf("\r\n");
  if (!text.endsWith(VERSION, first)) return undefined;
  const target = text.slice(method.length + 1, first - VERSION.length);
  if (target.includes(" ")) return undefined;
  // The fastest way to make a Request. Names that are inherited are refused like those that are repeated.
  const headers: Record<string, string> = {};
  let authority: string | undefined;
  let personal = false;
  const last = text.length - 2;
  for (let at = first + 2; at < last;) {
    const end = text.indexOf("\r\n", at);
    const colon = text.indexOf(":", at);
    const name = text.slice(at, colon).toLowerCase();
    if (colon === -1 || colon > end || !NAME.test(name) || name in headers) return undefined;
    const value = text.slice(colon + 1, end).trim();
    at = end + 2;
    if (name === "host") {
      if (!HOST.test(value)) return undefined;
      authority = value;
    } else if (SPECIAL.has(name)) {
      if (name !== "connection" || value.toLowerCase() !== "keep-alive") return undefined;
    } else if (PRIVATE.has(name)) personal = true;
    headers[name] = value;
  }
  if (authority === undefined) return undefined;
  return { method, url: `https://${authority}${pathOf(target)}`, authority, headers, personal };
}

/** Whether text consists of printable ASCII and line ends. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= SPACE && code < DELETE) continue;
    if (code !== CARRIAGE_RETURN || text.charCodeAt(++at) !== LINE_FEED) return false;
  }
  return true;
}

const [SPACE, DELETE, CARRIAGE_RETURN, LINE_FEED] = [0x20, 0x7f, 0x0d, 0x0a];

/** A request whose signal exists only if somebody asks for it, which few handlers do. */
class SimpleRequest extends Request {
  #controller: AbortController | undefined;

  override get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** The client disconnected. */
  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(new Error("The client disconnected."));
  }
}

function requestOf({ method, url, headers }: Simple): SimpleRequest | undefined {
  try {
    return new SimpleRequest(url, { method, headers });
  } catch {
    // Not an address.
    return undefined;
  }
}

/** A response that may be sent again. */
interface Kept {
  readonly serverName: string;
  /** Whether it would be the same now. */
  readonly isCurrent: () => boolean;
  /** Head and body. */
  readonly bytes: Buffer;
  /** Index of the date, which is replaced when it has changed. */
  readonly dateAt: number;
  date: string;
}

/** What the connections of a front share. */
interface Shared extends QuickOptions {
  /** By the whole text of the request. */
  readonly kept: Cache<Kept>;
  /** Returns the bytes of a small file, without a promise if they are known. */
  readonly bytesOf: (file: Blob) => Eventual<Uint8Array>;
  /** Returns the `Date` of a response. */
  readonly date: () => string;
}

export function createQuick(options: QuickOptions): AnswerQuickly {
  const { limits, clock } = options;
  const kept = sizedCache<Kept>(
    limits.maxKeptBytes,
    ({ bytes }, text) => bytes.length + text.length + OVERHEAD,
  );
  const shared = {
    ...options,
    kept,
    bytesOf: recentBytes(limits.maxKeptBytes),
    date: dates(clock),
  };
  return (connection, tls, leave) => void new QuickConnection(shared, connection, tls, leave);
}

/** Bytes counted per kept response in addition to its content. */
const OVERHEAD = 500;

/** Remembers the bytes of up to `maxBytes` of files. */
function recentBytes(maxBytes: number): Shared["bytesOf"] {
  const known = new Map<Blob, Uint8Array>();
  let size = 0;
  return (file) =>
    known.get(file) ??
    file.arrayBuffer().then((content) => {
      const bytes = new Uint8Array(content);
      if (!known.has(file)) size += file.size + OVERHEAD;
      known.set(file, bytes);
      for (const [oldest] of known) {
        if (size <= maxBytes) break;
        known.delete(oldest);
        size -= oldest.size + OVERHEAD;
      }
      return bytes;
    });
}

/** Formats the time once a second. */
function dates(clock: Pick<Clock, "now">): () => string {
  let second = -1;
  let date = "";
  return () => {
    const now = clock.now();
    if (Math.floor(now / SECOND_MS) === second) return date;
    second = Math.floor(now / SECOND_MS);
    date = httpTime(now);
    return date;
  };
}

class QuickConnection {
  readonly #options: Shared;
  readonly #connection: Connection;
  readonly #tls: TLSSocket;
  readonly #leave: (read: Buffer) => void;
  /** Whether a response is not complete. */
  #busy = false;
  /** Input that arrived before the end of the response. */
  #waiting: Buffer | undefined;
  #request: SimpleRequest | undefined;
  #response: PlainResponse | undefined;
  /** The previous request. One that is repeated may be worth keeping. */
  #previous = "";

  constructor(
    options: Shared,
    connection: Connection,
    tls: TLSSocket,
    leave: (read: Buffer) => void,
  ) {
    this.#options = options;
    this.#connection = connection;
    this.#tls = tls;
    this.#leave = leave;
    tls.on("data", this.#receive);
    tls.on("drain", this.#drained);
    tls.once("close", this.#closed);
  }

  readonly #receive = (chunk: Buffer): void => {
    if (!this.#busy) {
      this.#take(chunk);
      return;
    }
    this.#tls.pause();
    this.#waiting = this.#waiting === undefined ? chunk : Buffer.concat([this.#waiting, chunk]);
    if (this.#waiting.length > MAX_WAITING) this.#tls.destroy();
  };

  readonly #drained = (): void => this.#response?.emit("drain");

  readonly #closed = (): void => {
    this.#request?.abort();
    this.#response?.emit("close");
  };

  #take(chunk: Buffer): void {
    const { limits, connections } = this.#options;
    const short = chunk.length <= Math.min(MAX_SIMPLE, limits.maxHeaderBytes);
    const text = short ? chunk.toString("latin1") : "";
    if (this.#repeat(text)) return;
    const simple = readSimple(text);
    const request = simple === undefined ? undefined : requestOf(simple);
    const { remoteAddress, serverName = "", credential } = this.#connection;
    if (simple === undefined || request === undefined || credential === undefined) {
      this.#tls.off("data", this.#receive);
      this.#tls.off("drain", this.#drained);
      this.#tls.off("close", this.#closed);
      this.#leave(chunk);
      return;
    }
    this.#busy = true;
    connections.begin(this.#connection);
    const { method, authority, personal } = simple;
    const keeps = text === this.#previous && !personal ? text : undefined;
    this.#previous = text;
    const { answerer } = this.#options;
    this.#request = request;
    const host = authority === serverName ? serverName : hostOf(authority);
    let answered: Eventual<Response>;
    try {
      answered = answerAs(answerer, request, {
        info: { remoteAddress, serverName },
        credential,
        host,
      });
    } catch (error) {
      answered = this.#failed(error);
    }
    const keepable = method === "GET" && host === serverName ? keeps : undefined;
    if (!isPromise(answered)) {
      this.#send(answered, request, keepable);
      return;
    }
    const flow = this.#connection.holding.begin(chunk.length);
    void answered
      .catch((error: unknown) => this.#failed(error))
      .then((response) => {
        flow.end();
        this.#send(response, request, keepable);
      });
  }

  #failed(error: unknown): Response {
    if (!this.#tls.destroyed) this.#options.answerer.onError(error);
    return refusal("internal_error", "Something broke on our side.");
  }

  /** Sends a kept response. Returns false if there is none. */
  #repeat(text: string): boolean {
    const { kept, date, draining, connections } = this.#options;
    const known = kept.get(text);
    if (known === undefined) return false;
    const { serverName, isCurrent, bytes, dateAt } = known;
    if (serverName !== this.#connection.serverName || draining() || !isCurrent()) return false;
    const now = date();
    if (now !== known.date) {
      bytes.write(now, dateAt, "latin1");
      known.date = now;
    }
    this.#busy = true;
    connections.begin(this.#connection);
    this.#write(bytes, false);
    return true;
  }

  #send(response: Response, request: SimpleRequest, keepable: string | undefined): void {
    const whole = wholeOf(response);
    const bodiless = request.method === "HEAD" || isBodiless(response.status);
    const closes = this.#closes(response);
    if (whole instanceof Blob && whole.size <= PART && !bodiless) {
      const send = (body: Uint8Array): void =>
        this.#sendWhole(response, body, { closes, keepable });
      const body = this.#options.bytesOf(whole);
      if (!isPromise(body)) send(body);
      else {
        body.then(send).catch((error: unknown) => {
          this.#options.answerer.onError(error);
          this.#tls.destroy();
        });
      }
    } else if (typeof whole === "string" && !bodiless) {
      this.#sendWhole(response, Buffer.from(whole), { closes, keepable });
    } else {
      void this.#stream(response, request, closes);
    }
  }

  #closes({ headers }: Response): boolean {
    return this.#options.draining() || headers.get("connection")?.toLowerCase() === "close";
  }

  #sendWhole(
    response: Response,
    body: Uint8Array,
    { closes, keepable }: { readonly closes: boolean; readonly keepable: string | undefined },
  ): void {
    const { status, headers } = response;
    let head = statusLine(status);
    for (const [name, value] of headers) {
      if (!FRAMING.has(name)) head += `${name}: ${value}\r\n`;
    }
    head += `content-length: ${body.length}\r\n${closes ? "connection: close\r\n" : ""}date: `;
    const dateAt = head.length;
    const { kept, date } = this.#options;
    const now = date();
    head += `${now}\r\n\r\n`;
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, 0, "latin1");
    bytes.set(body, head.length);
    const isShared = status === 200 && !closes && !headers.has("set-cookie");
    const isCurrent = isShared ? currentWhile(response) : undefined;
    if (keepable !== undefined && isCurrent !== undefined && bytes.length <= MAX_KEPT) {
      const { serverName = "" } = this.#connection;
      kept.set(keepable, { serverName, isCurrent, bytes, dateAt, date: now });
    }
    this.#write(bytes, closes);
  }

  /** Sends a response at once. The next request waits until the client has read most of it. */
  #write(bytes: Buffer, closes: boolean): void {
    if (this.#tls.write(bytes)) {
      this.#done(closes);
      return;
    }
    const flow = this.#connection.holding.begin(0);
    flow.hold(bytes.length);
    const read = flow.awaitClient(() => this.#tls.destroy());
    const end = (): void => {
      this.#tls.off("drain", end);
      this.#tls.off("close", end);
      read();
      flow.end();
      this.#done(closes);
    };
    this.#tls.once("drain", end);
    this.#tls.once("close", end);
  }

  /** Sends a response as the client reads it. */
  async #stream(response: Response, request: SimpleRequest, closes: boolean): Promise<void> {
    const flow = this.#connection.holding.begin(0);
    const target = new PlainResponse(this.#tls, request.method, closes, this.#options.date());
    this.#response = target;
    try {
      await sendResponse(response, target, request.signal, flow);
    } catch (error) {
      this.#options.answerer.onError(error);
    }
    flow.end();
    this.#response = undefined;
    this.#done(closes);
  }

  #done(closes: boolean): void {
    const { connections } = this.#options;
    this.#request = undefined;
    this.#busy = false;
    connections.end(this.#connection, false);
    if (closes) this.#tls.end();
    const waiting = this.#waiting;
    if (waiting === undefined || this.#tls.destroyed || closes) return;
    this.#waiting = undefined;
    this.#tls.resume();
    this.#take(waiting);
  }
}

/** Fields that we set ourselves. */
const FRAMING: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
}

/** A response over a connection without a server of its own. */
class PlainResponse implements NodeResponse {
  statusCode = 200;
  writableEnded = false;
  writableFinished = false;
  readonly req: NodeResponse["req"];
  readonly #tls: TLSSocket;
  readonly #fields = new Map<string, string | string[]>();
  readonly #listeners = new Map<string, (() => void)[]>();
  readonly #closes: boolean;
  readonly #date: string;
  #chunked = false;
  #started = false;

  constructor(tls: TLSSocket, method: string, closes: boolean, date: string) {
    this.#tls = tls;
    this.req = { method, httpVersionMajor: 1 };
    this.#closes = closes;
    this.#date = date;
  }

  get destroyed(): boolean {
    return this.#tls.destroyed;
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
    if (!this.#chunked) return this.#tls.write(chunk);
    if (chunk.length === 0) return true;
    return this.#tls.write(
      Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, LINE_END]),
    );
  }

  end(chunk?: Uint8Array): void {
    if (!this.#started && chunk !== undefined && !this.#fields.has("content-length")) {
      this.#fields.set("content-length", String(chunk.length));
    }
    this.#start(chunk !== undefined);
    if (chunk !== undefined) this.write(chunk);
    this.writableEnded = true;
    this.#tls.write(this.#chunked ? LAST_CHUNK : new Uint8Array(), () => {
      this.writableFinished = true;
      this.emit("finish");
    });
  }

  destroy(): void {
    this.#tls.destroy();
  }

  once(event: string, listener: () => void): void {
    const listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, [listener]);
    else listeners.push(listener);
  }

  emit(event: string): void {
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
    if (hasBody) {
      this.#chunked = !this.#fields.has("content-length");
      if (this.#chunked) head += "transfer-encoding: chunked\r\n";
    } else if (
      this.req.method !== "HEAD" &&
      !isBodiless(statusCode) &&
      !this.#fields.has("content-length")
    ) {
      head += "content-length: 0\r\n";
    }
    if (this.#closes) head += "connection: close\r\n";
    this.#tls.write(`${head}date: ${this.#date}\r\n\r\n`, "latin1");
  }
}

const LINE_END = Buffer.from("\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
