import { type Clock, DAY_MS, httpInstant, SECOND_MS } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { retryAfterMs } from "../../lib/base/retry-after.ts";
import {
  connectionProblem,
  ownProblem,
  requestProblem,
  type AuthorityProblem,
} from "../model/acme-problem.ts";
import type { HttpsClient, HttpsResponse, HttpsRequest } from "./https-client.ts";
import type { Signer } from "./jose.ts";
import { readProblemDocument } from "./resources.ts";

/** A successful response. */
export interface AcmeResponse {
  readonly headers: HttpsResponse["headers"];
  readonly body: Uint8Array;
  /** When the CA allows the next request (`Retry-After`). */
  readonly retryAt?: number;
}

export interface SignedRequest {
  readonly signer: Signer;
  readonly url: string;
  /** Absent for a POST-as-GET. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Where to fetch a nonce when none is kept. */
  readonly newNonceUrl: string;
}

/** Sends requests to one CA and manages its nonces. */
export interface Transport {
  get(url: string, signal: AbortSignal): Promise<Result<AcmeResponse, AuthorityProblem>>;
  /** Every attempt uses a fresh nonce (RFC 8555 §6.5). */
  post(
    request: SignedRequest,
    signal: AbortSignal,
  ): Promise<Result<AcmeResponse, AuthorityProblem>>;
}

/** A CA that refuses more fresh nonces than this in a row is broken. */
const MAX_FRESH_NONCES = 10;

export function createTransport(exchange: HttpsClient, clock: Clock): Transport {
  const nonces = createNonces();

  /** Retries a read once if a reused connection was closed during the first attempt. */
  const attempt = async (
    make: () => Promise<Result<HttpsRequest, AuthorityProblem>>,
    reads: boolean,
    signal: AbortSignal,
  ): Promise<Result<HttpsResponse, AuthorityProblem>> => {
    for (let again = reads; ; again = false) {
      const request = await make();
      if (!request.ok) return request;
      const reply = await exchange(request.value, signal);
      if (reply.ok) return reply;
      const { message, stale } = reply.failure;
      if (!again || !stale) return refused(connectionProblem(message));
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
    nonces.keep(headers["replay-nonce"]);
    const nonce = nonces.take();
    if (nonce !== undefined) return done(nonce);
    return refused(ownProblem("unavailable", "The CA returned no nonce."));
  };

  const toResult = (reply: HttpsResponse): Result<AcmeResponse, AuthorityProblem> => {
    const { status, headers, body } = reply;
    if (status < 200 || status >= 300) return refused(problemOf(reply, clock.now()));
    const now = clock.now();
    const retryAt = retryInstant(headers["retry-after"], now, aheadMsIn(headers, now));
    return done({ headers, body, ...(retryAt !== undefined && { retryAt }) });
  };

  return {
    get: async (url, signal) => {
      const reply = await attempt(async () => done({ method: "GET", url }), true, signal);
      if (!reply.ok) return reply;
      nonces.keep(reply.value.headers["replay-nonce"]);
      return toResult(reply.value);
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
        // The kept nonces are likely as old as the refused one; the one that came with the refusal is fresh.
        if (bad) nonces.clear();
        nonces.keep(reply.value.headers["replay-nonce"]);
        if (!bad) return toResult(reply.value);
      }
      return refused(
        ownProblem("unavailable", `The CA refused ${MAX_FRESH_NONCES + 1} fresh nonces in a row.`),
      );
    },
  };
}

function isBadNonce(reply: HttpsResponse): boolean {
  return reply.status === 400 && readProblemDocument(reply.body)?.type === "badNonce";
}

function problemOf(reply: HttpsResponse, now: number): AuthorityProblem {
  const { status, headers, body } = reply;
  // Following a redirect would send a signed request to an unintended server.
  if (status < 400) {
    const to = headers["location"] ?? "no location";
    return connectionProblem(`The CA redirected the request (HTTP ${status}): ${to}`);
  }
  const aheadMs = aheadMsIn(headers, now) ?? 0;
  const retryAt = retryInstant(headers["retry-after"], now, aheadMs);
  return requestProblem(readProblemDocument(body) ?? {}, status, retryAt, aheadMs);
}

/** Unused nonces from the CA's responses; each saves a request (RFC 8555 §6.5). */
export interface Nonces {
  /** Removes and returns the newest nonce: CAs expire the oldest first. */
  take(): string | undefined;
  /** Keeps `nonce` if it is well-formed. */
  keep(nonce: string | undefined): void;
  /** Discards all nonces: when a CA forgets one, it usually forgot the others as well. */
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
    keep: (nonce) => {
      if (nonce !== undefined && NONCE.test(nonce)) kept = [...kept, nonce].slice(-MAX_KEPT);
    },
    clear: () => {
      kept = [];
    },
  };
}

/** Longest wait that is respected. */
const MAX_WAIT_MS = 30 * DAY_MS;

/**
 * Parses a `Retry-After` to an instant on our clock, from `now` to 30 days later. A date is on the CA's clock, which is
 * `aheadMs` ahead of ours. Undefined when absent or unreadable.
 */
export function retryInstant(
  header: string | undefined,
  now: number,
  aheadMs = 0,
): number | undefined {
  const waitMs = retryAfterMs(header, { maxMs: MAX_WAIT_MS, theirNow: now + aheadMs });
  return waitMs === undefined ? undefined : now + waitMs;
}

/**
 * Returns by how many milliseconds the sender's clock is ahead, from `Date` and a cache's `Age`. Undefined without
 * a `Date`.
 */
export function aheadMsIn(
  { date = "", age = "" }: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const sentAt = httpInstant(date);
  if (sentAt === undefined) return undefined;
  return sentAt + (/^\d{1,9}$/.test(age) ? Number(age) * SECOND_MS : 0) - now;
}
