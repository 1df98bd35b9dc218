import { type Clock, DAY_MS, readTime, SECOND_MS } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, requestProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { HttpsExchange, HttpsReply, HttpsRequest } from "./exchange.ts";
import type { Signer } from "./jose.ts";
import { documentIn } from "./resources.ts";

/** An answer that says yes. */
export interface AcmeReply {
  readonly headers: HttpsReply["headers"];
  readonly body: Uint8Array;
  /** When to ask again, where the CA said so. */
  readonly retryAt?: number;
}

export interface SignedRequest {
  readonly signer: Signer;
  readonly url: string;
  /** Absent: the request only reads. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Where nonces come from when none is left. */
  readonly newNonceUrl: string;
}

/** The conversation with one CA. Waits for nothing but an answer, and keeps nothing but nonces. */
export interface Transport {
  get(url: string, signal: AbortSignal): Promise<Result<AcmeReply, AuthorityProblem>>;
  /** Every attempt has a nonce that was never used before (RFC 8555 §6.5). */
  post(request: SignedRequest, signal: AbortSignal): Promise<Result<AcmeReply, AuthorityProblem>>;
}

/** A CA that refuses more fresh nonces than that does not work. */
const MAX_FRESH_NONCES = 10;

export function createTransport(exchange: HttpsExchange, clock: Clock): Transport {
  const nonces = createNonces();

  /** Reading again does no harm, where a used connection was closed under the first attempt. */
  const attempt = async (
    make: () => Promise<Result<HttpsRequest, AuthorityProblem>>,
    reads: boolean,
    signal: AbortSignal,
  ): Promise<Result<HttpsReply, AuthorityProblem>> => {
    for (let again = reads; ; again = false) {
      const request = await make();
      if (!request.ok) return request;
      const reply = await exchange(request.value, signal);
      if (reply.ok) return reply;
      const { message, stale } = reply.failure;
      if (!again || !stale) return refused(ownProblem("unavailable", message));
    }
  };

  const freshNonce = async (
    url: string,
    signal: AbortSignal,
  ): Promise<Result<string, AuthorityProblem>> => {
    const kept = nonces.take();
    if (kept !== undefined) return done(kept);
    const request = async () => done({ method: "HEAD", url } as const);
    const reply = await attempt(request, true, signal);
    if (!reply.ok) return reply;
    const { status, headers } = reply.value;
    if (status >= 300) return refused(problemOf(reply.value, clock.now()));
    nonces.put(headers["replay-nonce"]);
    const nonce = nonces.take();
    if (nonce !== undefined) return done(nonce);
    return refused(ownProblem("unavailable", "The CA gave no nonce."));
  };

  const settle = (reply: HttpsReply): Result<AcmeReply, AuthorityProblem> => {
    const { status, headers, body } = reply;
    if (status < 200 || status >= 300) return refused(problemOf(reply, clock.now()));
    const now = clock.now();
    const retryAt = retryInstant(headers["retry-after"], now, aheadIn(headers, now));
    return done({ headers, body, ...(retryAt !== undefined && { retryAt }) });
  };

  return {
    get: async (url, signal) => {
      const reply = await attempt(async () => done({ method: "GET", url }), true, signal);
      if (!reply.ok) return reply;
      nonces.put(reply.value.headers["replay-nonce"]);
      return settle(reply.value);
    },

    post: async ({ signer, url, payload, newNonceUrl }, signal) => {
      const make = async (): Promise<Result<HttpsRequest, AuthorityProblem>> => {
        const nonce = await freshNonce(newNonceUrl, signal);
        if (!nonce.ok) return nonce;
        return done({ method: "POST", url, body: signer.sign(url, nonce.value, payload) });
      };
      for (let refusals = 0; refusals <= MAX_FRESH_NONCES; refusals++) {
        const reply = await attempt(make, payload === undefined, signal);
        if (!reply.ok) return reply;
        const bad = isBadNonce(reply.value);
        // Others of its age are as bad; the one that came with the refusal is good.
        if (bad) nonces.clear();
        nonces.put(reply.value.headers["replay-nonce"]);
        if (!bad) return settle(reply.value);
      }
      return refused(
        ownProblem("unavailable", `The CA refused ${MAX_FRESH_NONCES + 1} fresh nonces in a row.`),
      );
    },
  };
}

function isBadNonce(reply: HttpsReply): boolean {
  return reply.status === 400 && documentIn(reply.body)?.type === "badNonce";
}

function problemOf(reply: HttpsReply, now: number): AuthorityProblem {
  const { status, headers, body } = reply;
  // Following would send a signed request to whom it was not meant for.
  if (status < 400) {
    const to = headers["location"] ?? "somewhere else";
    return ownProblem("unavailable", `The CA sends us elsewhere (HTTP ${status}): ${to}`);
  }
  const aheadMs = aheadIn(headers, now) ?? 0;
  const retryAt = retryInstant(headers["retry-after"], now, aheadMs);
  return requestProblem(documentIn(body) ?? {}, status, retryAt, aheadMs);
}

/** Nonces that a CA gave with its answers and that were not used yet: each saves a request (RFC 8555 §6.5). */
export interface Nonces {
  /** The youngest; the CA forgets the oldest first. */
  take(): string | undefined;
  /** Keeps `nonce` if it is one. */
  put(nonce: string | undefined): void;
  /** Forgets all: where one is not known any more, the others are seldom. */
  clear(): void;
}

const MAX_KEPT = 32;
const NONCE = /^[\w-]{1,512}$/;

export function createNonces(): Nonces {
  let kept: readonly string[] = [];
  return {
    take: () => {
      const youngest = kept.at(-1);
      kept = kept.slice(0, -1);
      return youngest;
    },
    put: (nonce) => {
      if (nonce !== undefined && NONCE.test(nonce)) kept = [...kept, nonce].slice(-MAX_KEPT);
    },
    clear: () => {
      kept = [];
    },
  };
}

/** No CA means more than that. */
const MAX_WAIT_MS = 30 * DAY_MS;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * The instant of a `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3), from `now` to 30 days later, on our
 * clock. A date is read in the CA's time, which is `aheadMs` ahead. Undefined when there is none that can be read.
 */
export function retryInstant(
  header: string | undefined,
  now: number,
  aheadMs = 0,
): number | undefined {
  const text = header?.trim() ?? "";
  const date = httpInstant(text);
  const inTheirTime = date === undefined ? undefined : date - aheadMs;
  const at = /^\d{1,15}$/.test(text) ? now + Number(text) * SECOND_MS : inTheirTime;
  return at === undefined ? undefined : Math.min(Math.max(at, now), now + MAX_WAIT_MS);
}

/** The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that may be sent (RFC 9110 §5.6.7). */
export function httpInstant(text: string): number | undefined {
  const parts = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text);
  if (parts === null) return undefined;
  const [, day, month = "", year, time] = parts;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return readTime(`${year}-${number}-${day}T${time}Z`);
}

/** How far the clock of the one who sent these headers is ahead; a cache's `Age` counts. Undefined when they do not say. */
export function aheadIn(
  { date = "", age = "" }: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const sentAt = httpInstant(date);
  if (sentAt === undefined) return undefined;
  return sentAt + (/^\d{1,9}$/.test(age) ? Number(age) * SECOND_MS : 0) - now;
}
