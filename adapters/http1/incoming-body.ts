/** Tells the connection what becomes of a body. */
export interface BodyEvents {
  /** The handler wants the body: more input may be read. */
  wanted(): void;
}

/** Estimated memory for a part, besides its content: clients may send single bytes. */
const PART_BYTES = 128;

const BROKEN = new Error("The body is incomplete.");

/** Any part exceeds it: the stream asks for more when it is empty. */
const MARK = 1;

/** The body of a request, which arrives while the handler reads it. */
export class IncomingBody {
  readonly #events: BodyEvents;
  #parts: Uint8Array[] = [];
  #state: "arriving" | "complete" | "broken" = "arriving";
  #used = false;
  /** Bytes of them. */
  #gathered = 0;
  #stream: ReadableStream<Uint8Array> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wakeGatherer: (() => void) | undefined;

  constructor(events: BodyEvents) {
    this.#events = events;
  }

  get used(): boolean {
    return this.#used;
  }

  /** Whether the handler waits for more. */
  get hungry(): boolean {
    if (this.#wakeGatherer !== undefined) return true;
    return this.#controller !== undefined && (this.#controller.desiredSize ?? 0) > 0;
  }

  /** Bytes of memory for content that the handler has not read. */
  get unread(): number {
    if (this.#controller === undefined) return this.#gathered + PART_BYTES * this.#parts.length;
    // Below zero by what exceeds the mark.
    const room = this.#controller.desiredSize ?? 0;
    return room < 0 ? MARK - room : 0;
  }

  add(part: Uint8Array): void {
    if (part.length === 0 || this.#state !== "arriving") return;
    if (this.#controller === undefined) {
      this.#parts.push(part);
      this.#gathered += part.length;
    } else this.#controller.enqueue(part);
  }

  complete(): void {
    if (this.#state !== "arriving") return;
    this.#state = "complete";
    this.#wakeGatherer?.();
    this.#controller?.close();
  }

  /** The rest is lost. Whatever the handler does with the body fails. */
  break(): void {
    if (this.#state !== "arriving") return;
    this.#state = "broken";
    this.#wakeGatherer?.();
    this.#controller?.error(BROKEN);
  }

  /** Resolves with the whole body. Rejects if it is incomplete, or was read before. */
  async whole(): Promise<ArrayBuffer> {
    if (this.#used) throw new TypeError("The body was already read.");
    this.#used = true;
    if (this.#state === "arriving") {
      await new Promise<void>((resolve) => {
        this.#wakeGatherer = resolve;
        this.#events.wanted();
      });
      this.#wakeGatherer = undefined;
    }
    if (this.#state === "broken") throw BROKEN;
    const whole = new Uint8Array(this.#gathered);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#gathered = 0;
    return whole.buffer;
  }

  /** Returns a stream that wants nothing until it is read. */
  readLater(): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          reader ??= this.stream().getReader();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => (reader ?? this.stream()).cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  stream(): ReadableStream<Uint8Array> {
    this.#used = true;
    this.#stream ??= new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          for (const part of this.#parts) controller.enqueue(part);
          this.#parts = [];
          this.#gathered = 0;
          if (this.#state === "complete") controller.close();
          if (this.#state === "broken") controller.error(BROKEN);
        },
        pull: () => this.#events.wanted(),
        cancel: () => {
          this.#controller = undefined;
          this.#state = "broken";
        },
      },
      { highWaterMark: MARK, size: (part) => PART_BYTES + (part?.length ?? 0) },
    );
    return this.#stream;
  }
}
