import { wholeOf } from "../../lib/base/blob-response.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { refusal } from "../hosts/bridge.ts";
import type { Holding } from "../holdings/holdings.ts";
import { FIELD_BYTES } from "../holdings/limits.ts";
import { asksToClose } from "../hosts/http1-head.ts";
import { isBodiless, sendResponse } from "../hosts/node-response.ts";
import type { Arrived } from "./arrived-request.ts";
import { Ending } from "./ending.ts";
import { Exchange } from "./exchange.ts";
import { chunkedFraming, sizedFraming } from "./framing.ts";
import { HeadReader } from "./head-reader.ts";
import type { Head } from "./head.ts";
import { IncomingBody } from "./incoming-body.ts";
import { free } from "./memory.ts";
import { bareAnswer, headOf, isEventStream, StreamedResponse, type Sink } from "./outgoing.ts";
import type { Peer, Shared } from "./peer.ts";

/** A request whose response is not complete. */
interface Asked extends Arrived {
  readonly head: Head;
  /** Bytes of the head. */
  readonly size: number;
}

const NOTHING = Buffer.alloc(0);
/** More input while reading is paused ends the connection: what was on its way when reading paused is less. */
const MAX_WAITING = 2 * 1_024 * 1_024;
/** A text up to this size is sent at once. */
const MAX_WHOLE_BLOB = 64 * 1_024;
/** Reads requests from a connection, one after another, and writes their responses. */
export class Http1Connection implements Sink {
  readonly #shared: Shared;
  readonly #peer: Peer;
  /** Input that was not read. */
  #input: Buffer = NOTHING;
  readonly #heads: HeadReader;
  #exchange: Exchange | undefined;
  /** Undefined as long as nothing was held: most requests arrive whole, and their responses are taken whole. */
  #holding: Holding | undefined;
  #paused = false;
  readonly #ending: Ending;
  /** The client has ended its side. */
  #halfClosed = false;
  /** Input is being read: a response that is complete at once lets this go on, or each request would deepen the stack. */
  #advancing = false;
  destroyed = false;

  constructor(shared: Shared, peer: Peer) {
    this.#shared = shared;
    this.#peer = peer;
    this.#heads = new HeadReader(peer.origin, shared.limits.maxHeadBytes);
    this.#ending = new Ending(shared, peer);
  }

  receive(chunk: Buffer): void {
    if (this.#ending.hasLeft) {
      free(chunk);
      return;
    }
    // Nothing refers to a chunk that was copied or dropped.
    const copied = this.#heads.isArriving || this.#input.length > 0;
    const exchange = this.#exchange;
    const drops = exchange?.answered === true;
    if (this.#heads.isArriving) this.#heads.add(chunk);
    else this.#input = this.#input.length === 0 ? chunk : Buffer.concat([this.#input, chunk]);
    this.#advance();
    if (this.#paused && this.#waiting > MAX_WAITING) this.destroy();
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
      exchange.breakBody();
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
    this.#heads.free();
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
    if (!this.#ending.isLate(now)) return;
    if (this.#ending.hasLeft || this.#exchange !== undefined) this.destroy();
    else if (this.#heads.isArriving) this.#refuse(408);
    else this.#leave();
  }

  /** Ends the connection now if nothing is under way, else after the response. */
  stop(): void {
    if (this.#exchange === undefined) this.#leave();
    else if (!this.isAnswering) this.#ending.drop();
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

  /** Bytes of input that neither a request nor the handler has taken. */
  get #waiting(): number {
    return this.#input.length + (this.#exchange?.body?.unread ?? 0);
  }

  /** Reads what can be read of the input. */
  #advance(): void {
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      while (!this.destroyed && !this.#ending.hasLeft) {
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
    const isNew = !this.#heads.isArriving && this.#input.length > 0;
    if (isNew && this.#peer.repeat?.(this.#input) === true) {
      this.#input = NOTHING;
      this.#exchange = new Exchange(undefined, undefined);
      this.#exchange.answered = true;
      this.#peer.began();
      this.#answered();
      return true;
    }
    const wasArriving = this.#heads.isArriving;
    const head = this.#heads.read(this.#input);
    this.#input = this.#heads.rest;
    if (head === undefined) {
      if (!wasArriving && this.#heads.isArriving) this.#ending.expectHead();
      return false;
    }
    if (wasArriving) this.#ending.expectNothing();
    if (typeof head === "number") {
      this.#refuse(head);
      return false;
    }
    this.#begin(head, this.#heads.size);
    return true;
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
    let arrived: Arrived;
    try {
      arrived = this.#peer.requestOf(head, reads ? undefined : body);
    } catch (error) {
      // Where the next request begins is unknown as long as the body was not read.
      this.#shared.onError(error);
      this.#refuse(500);
      return;
    }
    const asked = { head, size, ...arrived };
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
    if (exchange.broken) {
      return refusal("invalid_value", "The body of the request is malformed or incomplete.");
    }
    return refusal("internal_error", "Something broke on our side.");
  }

  /** What fails because the client sent no whole body is no error of ours. */
  #report({ broken }: Exchange, error: unknown): void {
    if (!broken) this.#shared.onError(error);
  }

  /** Passes input on to the body. Returns true if the message is complete. */
  #takeBody(exchange: Exchange): boolean {
    const { framing } = exchange;
    if (framing === undefined) return true;
    if (this.#input.length === 0) {
      this.#pace(exchange);
      return false;
    }
    const used = exchange.take(framing, this.#input, this.#shared.limits.maxDroppedBytes);
    const isOver = exchange.broken || used === this.#input.length;
    this.#input = isOver ? NOTHING : this.#input.subarray(used);
    if (exchange.framing !== undefined) {
      this.#pace(exchange);
      return false;
    }
    if (exchange.answered) this.#finish(exchange);
    return true;
  }

  /** Reads no faster than the handler. */
  #pace({ isFull }: Exchange): void {
    if (isFull) this.#pause();
    else this.#resume();
  }

  #wanted(): void {
    const exchange = this.#exchange;
    if (exchange?.framing === undefined || this.#ending.hasLeft) return;
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
    const flow = this.#peer.inParts === true ? exchange.flow : undefined;
    try {
      await sendResponse(response, target, asked.request.signal, flow);
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
    this.#ending.drop();
    this.#resume();
    this.#advance();
  }

  #finish(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#ending.expectNothing();
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

  #leave(): void {
    if (this.#ending.hasLeft || this.destroyed) return;
    this.#input = NOTHING;
    this.#heads.free();
    this.#resume();
    this.#ending.leave(this.#halfClosed);
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
    const arriving = this.#input.length - waiting + this.#heads.held + line;
    const body = (exchange?.held ?? 0) + waiting;
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
    if (this.#heads.isArriving) this.#refuse(503);
    else this.destroy();
  }
}
