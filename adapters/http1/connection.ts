import type { Holding } from "../holdings/holdings.ts";
import { FIELD_BYTES, GATHERED_BYTES } from "../holdings/limits.ts";
import { refusal } from "../bridge.ts";
import { asksToClose } from "../http1-head.ts";
import { isBodiless, sendResponse, type Outflow } from "../node-response.ts";
import { wholeOf } from "../../lib/base/blob-response.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { Arrived } from "./arrived-request.ts";
import { chunkedFraming, sizedFraming, type Framing } from "./framing.ts";
import { ArrivingHead, endOfHead, moved, readHead, type Head, type Origin } from "./head.ts";
import { IncomingBody } from "./incoming-body.ts";
import { bareAnswer, headOf, isEventStream, StreamedResponse, type Sink } from "./outgoing.ts";

/** What the connections of a listener share. */
export interface Shared {
  readonly onError: (error: unknown) => void;
  readonly limits: Http1Limits;
  readonly now: () => number;
  /** The value of `Date`. */
  readonly date: () => string;
  /** Whether connections close after their responses. */
  readonly stopping: () => boolean;
}

/** The client of a connection, and what its listener does for it. */
export interface Peer {
  readonly origin: Origin;
  /** Sends bytes, or text as Latin-1. Returns false if the client does not keep up: `drained` follows. */
  send(data: string | Uint8Array): boolean;
  /** Sends a head and its whole body, which is UTF-8 if it is text. `isLast`: no other request has arrived. */
  sendWhole(head: readonly string[], body: string | Uint8Array, isLast: boolean): void;
  /** Whether something is not sent yet: `drained` follows. */
  readonly waits: boolean;
  /** Bytes in memory that the client has not taken. */
  readonly unsent: number;
  pause(): void;
  resume(): void;
  /** Ends our side. `fully`: the client has ended its own. */
  end(fully: boolean): void;
  destroy(): void;
  requestOf(head: Head, body: IncomingBody | undefined): Arrived;
  answer(request: Request, head: Head): Eventual<Response>;
  /** Sends the response to a whole request, if it is the same as before. Returns false if it is not known. */
  repeat?(input: Buffer): boolean;
  bytesOf(file: Blob): Eventual<Uint8Array>;
  /** How a body is sent in parts. Default: as the handler gives them. */
  readonly outflow?: Outflow;
  /** Starts to count what the connection holds for its client. */
  hold(cut: () => void): Holding;
  /** A request has arrived. */
  began(): void;
  /** Its response is complete, and the rest of its body has arrived or is given up. */
  ended(): void;
}

export interface Http1Limits {
  readonly maxHeadBytes: number;
  /** From the first byte of a head to its last. */
  readonly headMs: number;
  /** How much of the rest of a body is read after its response, and for how long. */
  readonly maxDroppedBytes: number;
  readonly dropMs: number;
  /** For how long it is read while the server stops. */
  readonly stopDropMs: number;
  /** How long a client may take to close a connection that we have ended. */
  readonly lingerMs: number;
}

/** A request whose response is not complete. */
interface Asked extends Arrived {
  readonly head: Head;
  /** Bytes of the head. */
  readonly size: number;
}

/** A request and its response. */
class Exchange {
  readonly body: IncomingBody | undefined;
  /** Undefined once the body is complete, or broken. */
  framing: Framing | undefined;
  broken = false;
  /** Whether `100 Continue` is still to be sent. */
  expects = false;
  closes = false;
  /** The client disconnected. */
  abort: () => void = () => undefined;
  response: StreamedResponse | undefined;
  /** The response is complete; the rest of the body is read and dropped. */
  answered = false;
  /** Bytes of content that the handler was given, or will be. */
  given = 0;
  dropped = 0;
  /** Counts the head. */
  flow: { end(): void } | undefined;

  constructor(body: IncomingBody | undefined, framing: Framing | undefined) {
    this.body = body;
    this.framing = framing;
  }
}

const NOTHING = Buffer.alloc(0);
/** Unread content up to this size does not stop the client. */
const READ_AHEAD = 64 * 1_024;
/** A text up to this size is sent at once. */
const MAX_WHOLE_BLOB = 64 * 1_024;
/** A head up to this size is kept until the next one of its connection. */
const MAX_KEPT_HEAD = 1_024;
/** Lines that are ignored before a request (RFC 9112 §2.2). Clients send one at most. */
const MAX_EMPTY_LINES = 8;

/** Reads requests from a connection, one after another, and writes their responses. */
export class Http1Connection implements Sink {
  readonly #shared: Shared;
  readonly #peer: Peer;
  /** Input that was not read. */
  #input: Buffer = NOTHING;
  #head: ArrivingHead | undefined;
  /** The last head, if it arrived in one piece, and its bytes: clients repeat their requests. */
  #kept: Head | undefined;
  #keptBytes: Buffer = NOTHING;
  #emptyLines = 0;
  #exchange: Exchange | undefined;
  /** Undefined as long as nothing was held: most requests arrive whole, and their responses are taken whole. */
  #holding: Holding | undefined;
  #paused = false;
  /** We have ended our side, and wait for the client to close. */
  #left = false;
  /** The client has ended its side. */
  #halfClosed = false;
  /** Input is being read: a response that is complete at once lets this go on, or each request would deepen the stack. */
  #advancing = false;
  /** The end of what may take only so long in all. */
  #deadline = Number.POSITIVE_INFINITY;
  destroyed = false;

  constructor(shared: Shared, peer: Peer) {
    this.#shared = shared;
    this.#peer = peer;
  }

  receive(chunk: Buffer): void {
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

  /** The client has taken something. */
  drained(): void {
    this.#count();
    if (this.#peer.waits) return;
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
      exchange.abort();
      exchange.body?.break();
      exchange.response?.emit("close");
    }
    this.#peer.ended();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.#peer.destroy();
    this.closed();
  }

  /** Closes the connection if it is too late for what it waits for. */
  check(now: number): void {
    if (now < this.#deadline) return;
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
    return exchange !== undefined && (!exchange.answered || this.#peer.waits);
  }

  send(data: string | Uint8Array): boolean {
    if (this.destroyed) return true;
    const sent = this.#peer.send(data);
    if (!sent) this.#count();
    return sent;
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
    const isNew = this.#head === undefined && this.#input.length > 0;
    if (isNew && this.#peer.repeat?.(this.#input) === true) {
      this.#input = NOTHING;
      this.#exchange = new Exchange(undefined, undefined);
      this.#exchange.answered = true;
      this.#peer.began();
      this.#answered();
      return true;
    }
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
    const head = readHead(bytes.toString("latin1", 0, end), this.#peer.origin);
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
    const { length, method } = head;
    const hasBody = length !== 0;
    const body = hasBody ? new IncomingBody({ wanted: () => this.#wanted() }) : undefined;
    const framing = length === undefined ? chunkedFraming() : sizedFraming(length);
    const exchange = new Exchange(body, hasBody ? framing : undefined);
    exchange.expects = head.expects && hasBody;
    exchange.closes = head.closes;
    const reads = method === "GET" || method === "HEAD";
    const asked = { head, size, ...this.#peer.requestOf(head, reads ? undefined : body) };
    exchange.abort = asked.abort;
    this.#exchange = exchange;
    this.#peer.began();
    // The handler finds what has arrived with the head.
    if (exchange.framing !== undefined && this.#input.length > 0) this.#takeBody(exchange);
    let answer: Eventual<Response>;
    try {
      answer = this.#peer.answer(asked.request, head);
    } catch (error) {
      answer = this.#failed(exchange, error);
    }
    if (isPromise(answer)) {
      this.#holdHead(exchange, asked);
      void answer
        .catch((error: unknown) => this.#failed(exchange, error))
        .then((response) => this.#respond(exchange, asked, response));
    } else this.#respond(exchange, asked, answer);
  }

  /** Counts the head of a request whose response takes time. */
  #holdHead(exchange: Exchange, { head, size }: Asked): void {
    if (this.destroyed) return;
    exchange.flow ??= this.#held().begin(size + FIELD_BYTES * head.fields);
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

  #respond(exchange: Exchange, asked: Asked, response: Response): void {
    if (this.destroyed || this.#exchange !== exchange) {
      response.body?.cancel().catch(() => undefined);
      return;
    }
    const { head } = asked;
    const { framing } = exchange;
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
      const bytes = this.#peer.bytesOf(whole);
      if (isPromise(bytes)) {
        bytes.then(
          (read) => this.#sendWhole(exchange, response, read),
          (error: unknown) => this.#cutShort(exchange, error),
        );
      } else this.#sendWhole(exchange, response, bytes);
    } else void this.#stream(exchange, asked, response);
  }

  #sendWhole(exchange: Exchange, response: Response, body: string | Uint8Array): void {
    if (this.destroyed) return;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const { closes } = exchange;
    const head = headOf(response, length, { closes, date: this.#shared.date() });
    exchange.answered = true;
    this.#peer.sendWhole(head, body, this.#input.length === 0);
    this.#answered();
  }

  async #stream(exchange: Exchange, asked: Asked, response: Response): Promise<void> {
    const { method, chunks } = asked.head;
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
    this.#holdHead(exchange, asked);
    try {
      await sendResponse(response, target, asked.request.signal, this.#peer.outflow);
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
    if (exchange === undefined || !exchange.answered) return;
    if (this.#peer.waits) {
      this.#count();
      return;
    }
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
    this.#peer.ended();
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
    this.#peer.end(this.#halfClosed);
    this.#count();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#peer.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#peer.resume();
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
    const { unsent } = this.#peer;
    if (this.#holding === undefined && arriving + body + unsent === 0) return;
    const holding = this.#held();
    holding.set("arriving", arriving);
    holding.set("body", body);
    holding.set("unsent", unsent);
  }

  #held(): Holding {
    this.#holding ??= this.#peer.hold(() => this.cut());
    return this.#holding;
  }

  /** Closes the connection for what it holds. The client of an unfinished head may repeat its request. */
  cut(): void {
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
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) moved(buffer, 0);
}
