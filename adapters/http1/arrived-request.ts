import { shownMethod } from "../hosts/node-request.ts";
import type { IncomingBody } from "./incoming-body.ts";

/** The parts of a request from its head. */
interface Known {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/**
 * A request with the parts of `Request` that handlers use. Making a `Request` takes as long as all the rest of reading a
 * head, and forbids some methods.
 */
class LightRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly #body: IncomingBody | undefined;
  #controller: AbortController | undefined;

  constructor({ method, url, headers }: Known, body: IncomingBody | undefined) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#body = body;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#body?.stream() ?? null;
  }

  get bodyUsed(): boolean {
    return this.#body?.used ?? false;
  }

  /**
   * Aborts when the connection closes before the response is complete. While reading is paused, because the client sends
   * more than the handler reads or pipelines its requests, that is known only when something is written.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.#body?.whole()) ?? new ArrayBuffer(0);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(DISCONNECTED);
  }
}

export interface Arrived {
  readonly request: Request;
  /** The client disconnected. */
  abort(): void;
}

/** Makes a request that has only the parts that our handlers use. */
export function lightRequest(known: Known, body: IncomingBody | undefined): Arrived {
  const request = new LightRequest(known, body);
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    request: request as unknown as Request,
    abort: () => request.abort(),
  };
}

/** A request whose signal exists only once it is asked for, which few handlers do. */
class RequestWithSignal extends Request {
  #controller: AbortController | undefined;

  override get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(DISCONNECTED);
  }
}

/** Makes a `Request` for any handler. */
export function wholeRequest(
  { method, url, headers }: Known,
  body: IncomingBody | undefined,
): Arrived {
  const init: RequestInit & { duplex: "half" } = {
    method: shownMethod(method),
    headers,
    duplex: "half",
  };
  if (body !== undefined) init.body = body.readLater();
  const request = new RequestWithSignal(url, init);
  return { request, abort: () => request.abort() };
}

const DISCONNECTED = new Error("The client disconnected.");
