import type { TLSSocket } from "node:tls";

import { asksToClose, FRAMING, mayHaveLength, statusLine } from "../../adapters/http1-head.ts";
import type { NodeResponse } from "../../adapters/node-response.ts";

/** Returns the head of a response, up to the value of its last field, `Date`, and whether the connection is closed then. */
export function headOf(
  { status, headers }: Response,
  length: number,
  draining: boolean,
): { readonly head: string; readonly closes: boolean } {
  let head = statusLine(status);
  let closes = draining;
  for (const [name, value] of headers) {
    if (!FRAMING.has(name)) head += `${name}: ${value}\r\n`;
    else if (name === "connection") closes ||= asksToClose(value);
  }
  head += `content-length: ${length}\r\n${closes ? "connection: close\r\n" : ""}date: `;
  return { head, closes };
}

/** A response over a connection without a server of its own. */
export class PlainResponse implements NodeResponse {
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
      mayHaveLength(statusCode) &&
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
