import type { RequestHolding } from "../holdings/holdings.ts";
import { GATHERED_BYTES } from "../holdings/limits.ts";
import type { Framing } from "./framing.ts";
import type { IncomingBody } from "./incoming-body.ts";
import type { StreamedResponse } from "./outgoing.ts";

/** Unread content up to this size does not stop the client. */
const READ_AHEAD = 64 * 1_024;

/** A request and its response, until both are complete. */
export class Exchange {
  readonly body: IncomingBody | undefined;
  /** Undefined once the body is complete, or broken. */
  framing: Framing | undefined;
  /** The client has sent something else than the whole body. */
  broken = false;
  /** Whether `100 Continue` is still to be sent. */
  expects = false;
  /** Whether the connection closes after the response. */
  closes = false;
  /** Tells the handler that the client disconnected. */
  abort: () => void = () => undefined;
  response: StreamedResponse | undefined;
  /** The response is complete; the rest of the body is read and dropped. */
  answered = false;
  /** Bytes of content that the handler was given, or will be. */
  #given = 0;
  #dropped = 0;
  /** Counts the head, and the response if it is sent in small parts. */
  flow: RequestHolding | undefined;

  constructor(body: IncomingBody | undefined, framing: Framing | undefined) {
    this.body = body;
    this.framing = framing;
  }

  /** Reads a part of the body, which is dropped after the response. Returns how many bytes belong to it. */
  take(framing: Framing, input: Buffer, maxDroppedBytes: number): number {
    // The client did not wait for our word, and sends all of it.
    this.expects = false;
    const { content, used, state } = framing.take(input);
    if (this.answered) this.#dropped += used;
    else {
      this.#given += content.length;
      this.body?.add(content);
    }
    if (state === "broken" || this.#dropped > maxDroppedBytes) this.breakBody();
    else if (state === "done") {
      this.framing = undefined;
      this.body?.complete();
    }
    return used;
  }

  /** The rest of the body is lost, and where the next request begins is unknown. */
  breakBody(): void {
    this.framing = undefined;
    this.broken = true;
    this.closes = true;
    this.body?.break();
  }

  /** Whether the handler is to read before more of the body is. */
  get isFull(): boolean {
    const { answered, body } = this;
    return !answered && body !== undefined && body.unread > READ_AHEAD && !body.hungry;
  }

  /** Bytes in memory of the body. What the handler has read is kept until it answers. */
  get held(): number {
    const given = this.answered ? 0 : Math.min(this.#given, GATHERED_BYTES);
    return Math.max(this.body?.unread ?? 0, given);
  }
}
