import { Agent, request as send } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import { rootCertificates } from "node:tls";

import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";

/** One request to a CA. */
export interface HttpsRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** https alone (RFC 8555 §6.1). */
  readonly url: string;
  /** A signed body, `application/jose+json`. */
  readonly body?: string;
}

/** A whole answer, whatever its status. */
export interface HttpsReply {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Why there is no answer. */
export interface NoReply {
  /** For people; what the network said, without secrets. */
  readonly message: string;
  /** A connection that had been used before broke: the CA may have closed it in the very moment, and seen nothing. */
  readonly stale: boolean;
}

/** Sends a request, once, and follows no redirect. Rejects with the signal's reason alone. */
export type HttpsExchange = (
  request: HttpsRequest,
  signal: AbortSignal,
) => Promise<Result<HttpsReply, NoReply>>;

export interface HttpsOptions {
  readonly clock: Clock;
  /** Says who asks, and where somebody who minds finds us. */
  readonly userAgent: string;
  /** Roots, PEM, that are trusted besides the well-known ones. */
  readonly extraRoots?: string;
}

/** Time for a connection, its handshake included. */
export const CONNECT_MS: number = 10 * SECOND_MS;
/** Time for the whole of it, from the first byte out to the last byte in. */
export const TOTAL_MS: number = 30 * SECOND_MS;
/** A chain of five with signatures of the future takes a tenth of that. */
export const MAX_REPLY_BYTES: number = 512 * 1024;
/** A connection is used again so long after its last answer: CAs close idle ones, and a reset costs an order. */
const IDLE_MS = 5 * SECOND_MS;

/** Over `node:https`, which takes extra roots and tells of the connection on Node and Bun alike. */
export function httpsExchange({ clock, userAgent, extraRoots }: HttpsOptions): HttpsExchange {
  const trust = extraRoots === undefined ? {} : { ca: [...rootCertificates, extraRoots] };
  const headers = {
    accept: "*/*",
    "accept-encoding": "identity",
    "accept-language": "en",
    "user-agent": userAgent,
  };
  let agent = new Agent({ keepAlive: true, ...trust });
  let underWay = 0;
  let lastAt = clock.now();

  const freshAgent = (): Agent => {
    if (underWay > 0 || clock.now() - lastAt <= IDLE_MS) return agent;
    agent.destroy();
    agent = new Agent({ keepAlive: true, ...trust });
    return agent;
  };

  return async ({ method, url, body }, signal) => {
    signal.throwIfAborted();
    const type = body === undefined ? {} : { "content-type": "application/jose+json" };
    const options = { agent: freshAgent(), method, headers: { ...headers, ...type } };
    underWay++;
    const over = new AbortController();
    try {
      const request = send(url, options);
      return await new Promise((resolve, reject) => {
        const fail = (message: string, stale = false): void => {
          resolve(refused({ message, stale }));
          request.destroy();
        };
        const giveUp = (): void => {
          reject(signal.reason);
          request.destroy();
        };
        signal.addEventListener("abort", giveUp, { once: true, signal: over.signal });
        const limit = (ms: number, message: string, until: AbortSignal): void => {
          clock.sleep(ms, until).then(
            () => fail(message),
            // It was over in time.
            () => undefined,
          );
        };
        limit(
          TOTAL_MS,
          `No whole answer came within ${TOTAL_MS / SECOND_MS} seconds.`,
          over.signal,
        );
        const connected = connection(request);
        const either = AbortSignal.any([connected, over.signal]);
        limit(CONNECT_MS, `No connection within ${CONNECT_MS / SECOND_MS} seconds.`, either);
        request.on("error", (error) => fail(wordsFor(error), request.reusedSocket));
        request.on("response", (response) => {
          collect(response).then(
            (collected) => {
              if (collected === undefined) fail("The answer is too long.");
              else resolve(done(collected));
            },
            (error: unknown) => fail(wordsFor(error)),
          );
        });
        request.end(body);
      });
    } finally {
      over.abort();
      underWay--;
      lastAt = clock.now();
    }
  };
}

/** Aborted once there is a connection. */
function connection(request: ClientRequest): AbortSignal {
  const connected = new AbortController();
  request.on("socket", (socket) => {
    if (request.reusedSocket) connected.abort();
    else socket.once("secureConnect", () => connected.abort());
  });
  return connected.signal;
}

/** Undefined when it is too long; rejects when it was cut off. */
async function collect(response: IncomingMessage): Promise<HttpsReply | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    // Without an encoding, a stream of bytes gives bytes.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MAX_REPLY_BYTES) return undefined;
    chunks.push(bytes);
  }
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value] as const,
  );
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: new Uint8Array(Buffer.concat(chunks)),
  };
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return "The connection failed.";
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `${error.message === "" ? "The connection failed" : error.message}${code}`;
}
