import { aClock, aText, checkOptions, optional } from "../../lib/base/options.ts";
import { Agent, request as send, type RequestOptions } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import tls from "node:tls";

import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { joined, readParts } from "../../lib/base/parts.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";

/** A request to a CA. */
export interface HttpsRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** https only (RFC 8555 §6.1). */
  readonly url: string;
  /** A signed body, `application/jose+json`. */
  readonly body?: string;
}

/** A complete response, whatever its status. */
export interface HttpsResponse {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Why there is no response. */
export interface HttpsFailure {
  /** The network's error for people to read; contains no secrets. */
  readonly message: string;
  /** A reused connection broke: the CA may have closed it just then, without seeing the request. */
  readonly stale: boolean;
}

/** Sends a request once, without following redirects. Rejects only with the signal's reason. */
export type HttpsClient = (
  request: HttpsRequest,
  signal: AbortSignal,
) => Promise<Result<HttpsResponse, HttpsFailure>>;

/** Options of the HTTPS client for CAs. */
export interface HttpsClientOptions {
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Names the software and a contact for the CA's operators. */
  readonly userAgent: string;
  /** Additional trusted roots, PEM. Default: the runtime's alone. */
  readonly extraRoots?: string;
}

/** Time limit for the connection, including the TLS handshake. */
export const CONNECT_MS: number = 10 * SECOND_MS;
/** Time limit for the whole exchange. */
export const TOTAL_MS: number = 30 * SECOND_MS;
/** The longest reply: about ten times a chain of five certificates with post-quantum signatures. */
export const MAX_REPLY_BYTES: number = 512 * 1024;
/** Longest idle time after which a connection is reused: CAs close idle ones, and a reset can fail an order. */
const IDLE_MS = 5 * SECOND_MS;

/**
 * An agent whose connections all trust the same roots. These are not part of their names, under which the agent looks for
 * idle ones several times a request: 180 KB would take half a millisecond each time.
 */
class CaAgent extends Agent {
  override getName({ host = "", port = "" }: RequestOptions = {}): string {
    return `${host}:${port}`;
  }
}

/**
 * Sends requests with `node:https`, which supports extra roots and connection events on both Node and Bun. Throws a
 * `TypeError` for invalid options.
 */
export function createHttpsClient(given: HttpsClientOptions): HttpsClient {
  checkOptions("createHttpsClient", given, {
    clock: aClock,
    userAgent: aText,
    extraRoots: optional(aText),
  });
  const { clock, userAgent, extraRoots } = given;
  const trust = extraRoots === undefined ? {} : { ca: [...tls.rootCertificates, extraRoots] };
  const headers = {
    accept: "*/*",
    "accept-encoding": "identity",
    "accept-language": "en",
    "user-agent": userAgent,
  };
  let agent = new CaAgent({ keepAlive: true, ...trust });
  let pending = 0;
  let lastAt = clock.now();

  const freshAgent = (): Agent => {
    if (pending > 0 || clock.now() - lastAt <= IDLE_MS) return agent;
    agent.destroy();
    agent = new CaAgent({ keepAlive: true, ...trust });
    return agent;
  };

  return async ({ method, url, body }, signal) => {
    signal.throwIfAborted();
    const type = body === undefined ? {} : { "content-type": "application/jose+json" };
    const options = { agent: freshAgent(), method, headers: { ...headers, ...type } };
    pending++;
    const finished = new AbortController();
    try {
      const request = send(url, options);
      return await new Promise((resolve, reject) => {
        const fail = (message: string, stale = false): void => {
          resolve(refused({ message, stale }));
          drop(request);
        };
        const giveUp = (): void => {
          reject(signal.reason);
          drop(request);
        };
        signal.addEventListener("abort", giveUp, { once: true, signal: finished.signal });
        const limit = (ms: number, message: string, until: AbortSignal): void => {
          clock.sleep(ms, until).then(
            () => fail(message),
            // The request finished in time.
            () => undefined,
          );
        };
        limit(
          TOTAL_MS,
          `The response was not complete within ${TOTAL_MS / SECOND_MS} seconds.`,
          finished.signal,
        );
        const connected = connectedSignal(request);
        const either = AbortSignal.any([connected, finished.signal]);
        limit(CONNECT_MS, `Could not connect within ${CONNECT_MS / SECOND_MS} seconds.`, either);
        request.on("error", (error) => fail(messageOf(error), request.reusedSocket));
        request.on("response", (response) => {
          collect(response).then(
            (collected) => {
              if (collected === undefined) fail("The response is too long.");
              else resolve(done(collected));
            },
            (error: unknown) => fail(messageOf(error)),
          );
        });
        request.end(body);
      });
    } finally {
      finished.abort();
      pending--;
      lastAt = clock.now();
    }
  };
}

/** Destroys a request with its connection, which Bun would open and keep if the request were destroyed before. */
function drop(request: ClientRequest): void {
  if (request.socket === null) request.once("socket", () => request.destroy());
  else request.destroy();
}

/** Returns a signal that aborts once the connection is established. */
function connectedSignal(request: ClientRequest): AbortSignal {
  const connected = new AbortController();
  request.on("socket", (socket) => {
    if (request.reusedSocket) connected.abort();
    else socket.once("secureConnect", () => connected.abort());
  });
  return connected.signal;
}

/** Reads the response; undefined when it is too long. Rejects when it is cut off. */
async function collect(response: IncomingMessage): Promise<HttpsResponse | undefined> {
  const pieces = response[Symbol.asyncIterator]();
  const parts = await readParts({ read: () => pieces.next() }, MAX_REPLY_BYTES);
  if (parts === undefined) {
    response.destroy();
    return undefined;
  }
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value] as const,
  );
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: joined(parts),
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "The connection failed.";
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `${error.message === "" ? "The connection failed" : error.message}${code}`;
}
