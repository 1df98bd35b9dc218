import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";

import { abortable } from "../dns/gate.ts";

/** A request to a given address, without DNS lookup or proxy. */
export interface PinnedRequest {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly secure: boolean;
  /** Path and query. */
  readonly target: string;
}

export interface PinnedAnswer {
  readonly status: number;
  readonly location?: string;
  /** The start of the response, including its head; at most `MAX_ANSWER` characters. */
  readonly text: string;
}

/** Four times the size of a typical head with a probe's answer. */
export const MAX_ANSWER: number = 4 * 1_024;

const HEAD_END = "\r\n\r\n";
const STATUS = /^HTTP\/1\.[01] (\d{3})/;
/** Printable ASCII only, as the location is shown to people. */
const LOCATION = /^location:[ \t]*([!-~]+)[ \t]*$/im;

/**
 * Sends a GET request and reads until one of `wanted` appears or cannot appear any more. Undefined without a valid
 * response. Certificates are not verified, as CAs do not verify them after a redirect either. Rejects with the
 * signal's reason.
 */
export function pinnedGet(
  request: PinnedRequest,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<PinnedAnswer | undefined> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let text = "";
    const socket = open(request);
    const end = (answer: PinnedAnswer | undefined): void => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => {
      const answer = answerIn(text);
      // The server sent a response head but no complete body.
      if (answer !== undefined) return end(answer);
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text = (text + String(chunk)).slice(0, MAX_ANSWER);
      const answer = answerIn(text);
      const found = wanted.some((one) => text.includes(one));
      const over = text.length === MAX_ANSWER;
      if (over || (answer !== undefined && (found || answer.status !== 200))) end(answer);
    });
    socket.on("error", () => end(answerIn(text)));
    socket.on("close", () => end(answerIn(text)));
    socket.once(request.secure ? "secureConnect" : "connect", () => {
      socket.write(
        `GET ${request.target} HTTP/1.1\r\nHost: ${authorityOf(request)}\r\nAccept: */*\r\n` +
          "User-Agent: petstore-probe\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
      );
    });
  });
}

function open({ name, address, port, secure }: PinnedRequest): Socket {
  return secure
    ? connectSecure({ host: address, port, servername: name, rejectUnauthorized: false })
    : connectPlain({ host: address, port });
}

function authorityOf({ name, port, secure }: PinnedRequest): string {
  return port === (secure ? 443 : 80) ? name : `${name}:${port}`;
}

/** Reads the beginning of a response; undefined before its head is complete, and if it is none. */
export function answerIn(text: string): PinnedAnswer | undefined {
  const headEnd = text.indexOf(HEAD_END);
  const status = STATUS.exec(text)?.[1];
  if (headEnd === -1 || status === undefined) return undefined;
  const location = LOCATION.exec(text.slice(0, headEnd))?.[1];
  return { status: Number(status), text, ...(location === undefined ? {} : { location }) };
}

/** Whether the port accepts connections. Sends nothing. Rejects with the signal's reason. */
export function portOpen(address: string, port: number, signal: AbortSignal): Promise<boolean> {
  return abortable(signal, (end) => {
    const socket = connectPlain({ host: address, port });
    socket.once("connect", () => end(true));
    socket.on("error", () => end(false));
    return () => socket.destroy();
  });
}
