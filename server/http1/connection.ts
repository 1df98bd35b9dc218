import type { Holding, Holdings } from "../../domains/index.ts";
import { FIELD_BYTES, GATHERED_BYTES } from "../../domains/tls/limits.ts";
import { refusal } from "../../adapters/bridge.ts";
import { asksToClose } from "../../adapters/http1-head.ts";
import { isBodiless, sendResponse } from "../../adapters/node-response.ts";
import { bytesOf, wholeOf } from "../../lib/base/blob-response.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { Connections, Handler } from "../front.ts";
import { arrived, type Arrived } from "./arrived-request.ts";
import { chunkedFraming, sizedFraming, type Framing } from "./framing.ts";
import { ArrivingHead, endOfHead, readHead, type Head } from "./head.ts";
import { IncomingBody } from "./incoming-body.ts";
import { bareAnswer, headOf, isEventStream, StreamedResponse, type Sink } from "./outgoing.ts";

/** What the connections of a server share. */
export interface Shared {
  readonly fetch: Handler;
  readonly onError: (error: unknown) => void;
  readonly limits: Http1Limits;
  /** Milliseconds of a clock that is not set. */
  readonly now: () => number;
  /** The value of `Date`. */
  readonly date: () => string;
  /** Whether connections close after their responses. */
  readonly stopping: () => boolean;
  /** Counts what connections hold for their clients. */
  readonly holdings: Pick<Holdings, "open">;
  readonly began: () => void;
  readonly ended: () => void;
}

export interface Http1Limits {
  readonly maxHeadBytes: number;
  /** From the first byte of a head to its last. */
  readonly headMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** How much of the rest of a body is read after its response, and for how long. */
  readonly maxDroppedBytes: number;
  readonly dropMs: number;
  /** For how long it is read while the server stops. */
  readonly stopDropMs: number;
  /** How long a client may take to close a connection that we have ended. */
  readonly lingerMs: number;
}

/** A request and its response. */
interface Exchange {
  readonly head: Head;
  /** Bytes of the head. */
  readonly size: number;
  readonly arrived: Arrived;
  readonly body: IncomingBody | undefined;
  /** Undefined once the body is complete, or broken. */
  framing: Framing | undefined;
  broken: boolean;
  /** Whether `100 Continue` is still to be sent. */
  expects: boolean;
  response: StreamedResponse | undefined;
  /** The response is complete; the rest of the body is read and dropped. */
  answered: boolean;
  closes: boolean;
  /** Bytes of content that the handler was given, or will be. */
  given: number;
  dropped: number;
  /** Counts the head. */
  flow: { end(): void } | undefined;
}

const NOTHING = Buffer.alloc(0);
/** Where small responses are put together. */
const SHARED = Buffer.allocUnsafeSlow(64 * 1_024);
/** Unread content up to this size does not stop the client. */
const READ_AHEAD = 64 * 1_024;
/** A text up to this size is sent at once. */
const MAX_WHOLE_BLOB = 64 * 1_024;
/** A head up to this size is kept until the next one of its connection. */
const MAX_KEPT_HEAD = 1_024;
/** Lines that are ignored before a request (RFC 9112 §2.2). Clients send one at most. */
const MAX_EMPTY_LINES = 8;

/** Reads requests from a connection, one after another, and writes their responses. */
export class Http1Connection implements Sink, Connections {
  readonly #shared: Shared;
  readonly #socket: Bun.Socket<unknown>;
  /** Input that was not read. */
  #input: Buffer = NOTHING;
  #head: ArrivingHead | undefined;
  /** The last head, if it arrived in one piece, and its bytes: clients repeat their requests. */
  #kept: Head | undefined;
  #keptBytes: Buffer = NOTHING;
  #emptyLines = 0;
  #exchange: Exchange | undefined;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  /** Undefined as long as nothing was held: most requests arrive whole, and their responses are taken whole. */
  #holding: Holding | undefined;
  #paused = false;
  /** We have ended our side, and wait for the client to close. */
  #left = false;
  /** The client has ended its side. */
  #halfClosed = false;
  /** Input is being read: a response that is complete at once lets this go on, or each request would deepen the stack. */
  #advancing = false;
  #idleMs: number;
  #activeAt: number;
  /** The end of what may take only so long in all. */
  #deadline = Number.POSITIVE_INFINITY;
  destroyed = false;

  constructor(shared: Shared, socket: Bun.Socket<unknown>) {
    this.#shared = shared;
    this.#socket = socket;
    this.#idleMs = shared.limits.idleMs;
    this.#activeAt = shared.now();
  }

  requestIP(): { readonly address: string; readonly port: number } {
    return { address: this.#socket.remoteAddress, port: this.#socket.remotePort };
  }

  timeout(_request: Request, seconds: number): void {
    this.#idleMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * SECOND_MS;
  }

  receive(chunk: Buffer): void {
    this.#activeAt = this.#shared.now();
    if (this.#left) {
      free(chunk);
      return;
    }
    // Nothing refers to a chunk that was copied or dropped.
    const copied = this.#head !== undefined || this.#input.length > 0;
    const exchange = this.#exchange;
    const drops = exchange?.answered === true;
    if (this.#head !== undefined) this.#head.add(chunk);
    else this.#input = this.#input.length === 0 ? chunk : Buffer.concat([this.#input, chunk]);
    this.#advance();
    if (copied || (drops && this.#exchange === exchange && this.#input.length === 0)) free(chunk);
  }

  /** The client ended its side: what is complete is still answered. */
  endReceived(): void {
    this.#halfClosed = true;
    const exchange = this.#exchange;
    if (exchange === undefined) {
      this.#leave();
      return;
    }
    exchange.closes = true;
    if (exchange.framing !== undefined) {
      exchange.framing = undefined;
      exchange.broken = true;
      exchange.body?.break();
      if (exchange.answered) this.#finish(exchange);
    }
    if (exchange.response?.isEventStream === true) this.destroy();
  }

  /** The system has sent something. */
  drained(): void {
    this.#activeAt = this.#shared.now();
    while (this.#unsent.length > 0) {
      const [first = NOTHING] = this.#unsent;
      const sent = this.#written(this.#socket.write(first));
      this.#unsentBytes -= sent;
      if (sent < first.length) {
        this.#unsent[0] = first.subarray(sent);
        this.#count();
        return;
      }
      this.#unsent.shift();
    }
    this.#count();
    this.#exchange?.response?.emit("drain");
    if (this.#exchange?.answered === true) this.#answered();
  }

  /** The connection is closed. */
  closed(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#holding?.close();
    this.#head?.free();
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    this.#exchange = undefined;
    if (!exchange.answered) {
      exchange.arrived.abort();
      exchange.body?.break();
      exchange.response?.emit("close");
    }
    this.#shared.ended();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.#socket.terminate();
    this.closed();
  }

  /** Closes the connection if it has been quiet, or has taken its time, for too long. */
  check(now: number): void {
    if (now < this.#deadline && now - this.#activeAt < this.#idleMs) return;
    if (this.#left || this.#exchange !== undefined) this.destroy();
    else if (this.#head === undefined) this.#leave();
    else this.#refuse(408);
  }

  /** Ends the connection now if nothing is under way, else after the response. */
  stop(): void {
    if (this.#exchange === undefined) this.#leave();
    else if (!this.isAnswering) this.#drop();
  }

  /** Whether a request has no complete response. */
  get isAnswering(): boolean {
    const exchange = this.#exchange;
    return exchange !== undefined && (!exchange.answered || this.#unsent.length > 0);
  }

  send(data: string | Uint8Array): boolean {
    return this.#send(data, typeof data === "string" ? Buffer.byteLength(data) : data.length);
  }

  #send(data: string | Uint8Array, size: number): boolean {
    if (this.destroyed) return true;
    if (this.#unsent.length > 0) {
      this.#queue(encoded(data));
      return false;
    }
    const sent = this.#written(this.#socket.write(data));
    if (sent >= size) return true;
    this.#queue(encoded(data).subarray(sent));
    return false;
  }

  #sendShared(size: number): void {
    if (this.destroyed) return;
    const sent = this.#unsent.length > 0 ? 0 : this.#written(this.#socket.write(SHARED, 0, size));
    if (sent < size) this.#queue(Buffer.from(SHARED.subarray(sent, size)));
  }

  /** A negative number means that the client has left. While reading is paused, nothing else tells. */
  #written(sent: number): number {
    if (sent < 0) this.destroy();
    else if (sent > 0) this.#activeAt = this.#shared.now();
    return Math.max(0, sent);
  }

  #queue(bytes: Uint8Array): void {
    if (this.destroyed) return;
    this.#unsent.push(bytes);
    this.#unsentBytes += bytes.length;
    this.#count();
  }

  /** Reads what can be read of the input. */
  #advance(): void {
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      while (!this.destroyed && !this.#left) {
        const exchange = this.#exchange;
        if (exchange === undefined) {
          if (!this.#takeHead()) break;
        } else if (exchange.framing === undefined || !this.#takeBody(exchange)) break;
      }
    } finally {
      this.#advancing = false;
    }
    this.#count();
  }

  /** Begins the next request. Returns false if its head is incomplete. */
  #takeHead(): boolean {
    if (
      this.#kept !== undefined &&
      this.#head === undefined &&
      this.#input.equals(this.#keptBytes)
    ) {
      this.#input = NOTHING;
      this.#emptyLines = 0;
      this.#begin(this.#kept, this.#keptBytes.length);
      return true;
    }
    const { maxHeadBytes, headMs } = this.#shared.limits;
    if (this.#head === undefined && !this.#skipEmptyLines()) return false;
    const bytes = this.#head?.bytes ?? this.#input;
    const end = this.#head?.end() ?? endOfHead(bytes);
    if (end > maxHeadBytes || (end === -1 && bytes.length > maxHeadBytes)) {
      this.#refuse(431);
      return false;
    }
    if (end === -1) {
      if (bytes.length > 0 && this.#head === undefined) {
        this.#head = new ArrivingHead(bytes);
        this.#input = NOTHING;
        this.#deadline = this.#shared.now() + headMs;
        // Later searches begin where this one ended.
        this.#head.end();
      }
      if (this.#head?.malformed === true) this.#refuse(400);
      return false;
    }
    const head = readHead(bytes.toString("latin1", 0, end));
    if (end === bytes.length) this.#input = NOTHING;
    else if (this.#head === undefined) this.#input = bytes.subarray(end);
    else this.#input = Buffer.from(bytes.subarray(end));
    const inOnePiece = this.#head === undefined && end === bytes.length;
    this.#head?.free();
    this.#head = undefined;
    this.#emptyLines = 0;
    this.#deadline = Number.POSITIVE_INFINITY;
    if (typeof head === "number") {
      this.#refuse(head);
      return false;
    }
    // A part of a buffer keeps all of it in memory.
    if (inOnePiece && end <= MAX_KEPT_HEAD && bytes.byteOffset === 0) {
      this.#kept = head;
      this.#keptBytes = bytes;
    }
    this.#begin(head, end);
    return true;
  }

  /** Returns false if a line is incomplete, there are too many, or a carriage return is alone. */
  #skipEmptyLines(): boolean {
    const input = this.#input;
    let at = 0;
    for (; input[at] === CARRIAGE_RETURN || input[at] === LINE_FEED; at++) {
      if (input[at] === CARRIAGE_RETURN) {
        if (at + 1 === input.length) break;
        at++;
      }
      if (input[at] !== LINE_FEED || ++this.#emptyLines > MAX_EMPTY_LINES) {
        this.#refuse(400);
        return false;
      }
    }
    if (at > 0) this.#input = input.subarray(at);
    return at < input.length && input[at] !== CARRIAGE_RETURN;
  }

  #begin(head: Head, size: number): void {
    const { length } = head;
    const hasBody = length !== 0;
    const body = hasBody ? new IncomingBody({ wanted: () => this.#wanted() }) : undefined;
    const exchange: Exchange = {
      head,
      size,
      arrived: arrived(head, body),
      body,
      framing: hasBody
        ? length === undefined
          ? chunkedFraming()
          : sizedFraming(length)
        : undefined,
      broken: false,
      expects: head.expects && hasBody,
      response: undefined,
      answered: false,
      closes: head.closes,
      given: 0,
      dropped: 0,
      flow: undefined,
    };
    this.#exchange = exchange;
    this.#shared.began();
    // The handler finds what has arrived with the head.
    if (exchange.framing !== undefined && this.#input.length > 0) this.#takeBody(exchange);
    let answer: Eventual<Response>;
    try {
      answer = this.#shared.fetch(exchange.arrived.request, this);
    } catch (error) {
      answer = this.#failed(exchange, error);
    }
    if (isPromise(answer)) {
      this.#holdHead(exchange);
      void answer
        .catch((error: unknown) => this.#failed(exchange, error))
        .then((response) => this.#respond(exchange, response));
    } else this.#respond(exchange, answer);
  }

  /** Counts the head of a request whose response takes time. */
  #holdHead(exchange: Exchange): void {
    if (this.destroyed) return;
    const { head, size } = exchange;
    exchange.flow ??= this.#held().begin(size + FIELD_BYTES * head.headers.count);
  }

  #failed(exchange: Exchange, error: unknown): Response {
    if (!this.destroyed) this.#report(exchange, error);
    return refusal("internal_error", "Something broke on our side.");
  }

  /** What fails because the client sent no whole body is no error of ours. */
  #report({ broken }: Exchange, error: unknown): void {
    if (!broken) this.#shared.onError(error);
  }

  /** Passes input on to the body. Returns true if the message is complete. */
  #takeBody(exchange: Exchange): boolean {
    const { framing, body } = exchange;
    if (framing === undefined) return true;
    if (this.#input.length === 0) {
      this.#pace(exchange);
      return false;
    }
    // The client did not wait for our word, and sends all of it.
    exchange.expects = false;
    const { content, used, state } = framing.take(this.#input);
    this.#input = used === this.#input.length ? NOTHING : this.#input.subarray(used);
    if (exchange.answered) {
      exchange.dropped += used;
      const { maxDroppedBytes } = this.#shared.limits;
      if (exchange.dropped > maxDroppedBytes) exchange.broken = true;
    } else {
      exchange.given += content.length;
      body?.add(content);
    }
    if (state === "broken") exchange.broken = true;
    if (state === "more" && !exchange.broken) {
      this.#pace(exchange);
      return false;
    }
    exchange.framing = undefined;
    if (exchange.broken) {
      this.#input = NOTHING;
      exchange.closes = true;
      body?.break();
    } else body?.complete();
    if (exchange.answered) this.#finish(exchange);
    return true;
  }

  /** Reads no faster than the handler. */
  #pace({ body, answered }: Exchange): void {
    const full = !answered && body !== undefined && body.unread > READ_AHEAD && !body.hungry;
    if (full) this.#pause();
    else this.#resume();
  }

  #wanted(): void {
    const exchange = this.#exchange;
    if (exchange?.framing === undefined || this.#left) return;
    // An interim response precedes the final one.
    if (exchange.expects && exchange.response === undefined) {
      exchange.expects = false;
      this.send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    this.#resume();
  }

  #respond(exchange: Exchange, response: Response): void {
    if (this.destroyed || this.#exchange !== exchange) {
      response.body?.cancel().catch(() => undefined);
      return;
    }
    const { head, framing } = exchange;
    const { maxDroppedBytes } = this.#shared.limits;
    // A client that was not asked to continue may send the body or not.
    const endless =
      framing !== undefined && (exchange.expects || (head.length ?? 0) > maxDroppedBytes);
    exchange.closes ||=
      endless || this.#shared.stopping() || asksToClose(response.headers.get("connection"));
    const whole = wholeOf(response);
    const bodiless = head.method === "HEAD" || isBodiless(response.status);
    if (!bodiless && typeof whole === "string") this.#sendWhole(exchange, response, whole);
    else if (
      !bodiless &&
      whole !== undefined &&
      whole instanceof Blob &&
      whole.size <= MAX_WHOLE_BLOB
    ) {
      bytesOf(whole).then(
        (bytes) => this.#sendWhole(exchange, response, bytes),
        (error: unknown) => this.#cutShort(exchange, error),
      );
    } else void this.#stream(exchange, response);
  }

  #sendWhole(exchange: Exchange, response: Response, body: string | Uint8Array): void {
    if (this.destroyed) return;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const { closes } = exchange;
    const head = headOf(response, length, { closes, date: this.#shared.date() });
    const size = head.reduce((sum, part) => sum + part.length, length);
    if (size <= SHARED.length) {
      let at = 0;
      for (const part of head) at += SHARED.write(part, at, "latin1");
      if (typeof body === "string") SHARED.write(body, at);
      else SHARED.set(body, at);
      this.#sendShared(size);
    } else {
      this.send(head.join(""));
      this.send(body);
    }
    exchange.answered = true;
    this.#answered();
  }

  async #stream(exchange: Exchange, response: Response): Promise<void> {
    const { method, chunks } = exchange.head;
    const date = this.#shared.date();
    const { closes } = exchange;
    if (this.#halfClosed && isEventStream(response)) {
      // It never ends, and the client has left.
      response.body?.cancel().catch(() => undefined);
      this.destroy();
      return;
    }
    const target = new StreamedResponse(this, response, { method, chunks, closes, date });
    exchange.response = target;
    this.#holdHead(exchange);
    try {
      await sendResponse(response, target, exchange.arrived.request.signal);
    } catch (error) {
      this.#cutShort(exchange, error);
    }
    if (this.destroyed) return;
    exchange.response = undefined;
    exchange.answered = true;
    this.#answered();
  }

  /** The body of a response failed. */
  #cutShort(exchange: Exchange, error: unknown): void {
    this.#report(exchange, error);
    this.destroy();
  }

  /** The response is complete, but may wait to be sent. */
  #answered(): void {
    const exchange = this.#exchange;
    if (exchange === undefined || this.#unsent.length > 0) return;
    this.#idleMs = this.#shared.limits.idleMs;
    if (exchange.framing === undefined) {
      this.#finish(exchange);
      this.#advance();
      return;
    }
    exchange.body?.break();
    if (exchange.expects) {
      // Nothing of the body was sent, and nothing will be.
      this.#finish(exchange);
      return;
    }
    this.#drop();
    this.#resume();
    this.#advance();
  }

  /** A connection that is closed before the client has sent everything loses the response on its way. */
  #drop(): void {
    const { now, stopping, limits } = this.#shared;
    const end = now() + (stopping() ? limits.stopDropMs : limits.dropMs);
    this.#deadline = Math.min(this.#deadline, end);
  }

  #finish(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#deadline = Number.POSITIVE_INFINITY;
    exchange.flow?.end();
    this.#shared.ended();
    if (exchange.closes || this.#halfClosed || this.#shared.stopping()) this.#leave();
    else this.#resume();
  }

  /** Answers what cannot be read, and closes. */
  #refuse(status: number): void {
    this.send(bareAnswer(status, this.#shared.date()));
    this.#leave();
  }

  /** Ends our side. Until the client closes, its bytes are read and dropped, or it could lose the last response. */
  #leave(): void {
    if (this.#left || this.destroyed) return;
    this.#left = true;
    this.#input = NOTHING;
    this.#head?.free();
    this.#head = undefined;
    this.#deadline = this.#shared.now() + this.#shared.limits.lingerMs;
    this.#resume();
    if (this.#halfClosed) this.#socket.end();
    else this.#socket.shutdown();
    this.#count();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  #count(): void {
    if (this.destroyed) return;
    const exchange = this.#exchange;
    // A request is under way: what follows it waits.
    if (exchange !== undefined && exchange.framing === undefined && this.#input.length > 0) {
      // A part of a buffer keeps all of it in memory.
      if (!this.#paused) this.#input = Buffer.from(this.#input);
      this.#pause();
    }
    const line = exchange?.framing?.held ?? 0;
    // What waits for the end of a response is not late.
    const waiting =
      exchange !== undefined && exchange.framing === undefined ? this.#input.length : 0;
    const arriving = this.#input.length - waiting + (this.#head?.size ?? 0) + line;
    // What the handler has read is kept until it answers.
    const given = exchange === undefined || exchange.answered ? 0 : exchange.given;
    const body = Math.max(exchange?.body?.unread ?? 0, Math.min(given, GATHERED_BYTES)) + waiting;
    const unsent = this.#unsentBytes;
    if (this.#holding === undefined && arriving + body + unsent === 0) return;
    const holding = this.#held();
    holding.set("arriving", arriving);
    holding.set("body", body);
    holding.set("unsent", unsent);
  }

  #held(): Holding {
    this.#holding ??= this.#shared.holdings.open(() => this.#cut());
    return this.#holding;
  }

  /** Closes the connection for what it holds. The client of an unfinished head may repeat its request. */
  #cut(): void {
    if (this.#head === undefined) this.destroy();
    else this.#refuse(503);
  }
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** A smaller chunk lives in the runtime's own heap. */
const MIN_FREED = 1_024;

/** Gives the memory of a chunk back without waiting for a collection. Nothing may refer to the chunk. */
function free(chunk: Buffer): void {
  if (chunk.length < MIN_FREED) return;
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}

function encoded(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? Buffer.from(data) : data;
}
