import type { Clock } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, requestProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { HttpsExchange, HttpsReply, HttpsRequest } from "./exchange.ts";
import type { Signer } from "./jose.ts";
import { createNonces } from "./nonces.ts";
import { documentIn } from "./problem-document.ts";
import { aheadIn, retryInstant } from "./retry-after.ts";

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
