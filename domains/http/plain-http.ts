import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import type { ChallengeAnswers } from "../ports/certificates.ts";

/** What was asked of the listener for plain HTTP. */
export interface PlainRequest {
  readonly method: string;
  /** In lower case, without port and the dot of the root. */
  readonly host: string;
  /** Path and query, as they came. */
  readonly target: string;
}

const CHALLENGE_PREFIX = "/.well-known/acme-challenge/";

/** As many random bits as RFC 8555 §8.3 wants make 22 of these. */
const TOKEN = /^[\w-]{1,128}$/;
const ALLOW = "GET, HEAD";

/**
 * Answers the authority that validates by http-01 (RFC 8555 §8.3); undefined when something else is asked for. Goes
 * before all else that plain HTTP does: nothing there may redirect or refuse the authority. A token is only known
 * to the host that it is for. Rejects when nobody can say.
 */
export function answerChallenge(
  challenges: Pick<ChallengeAnswers, "http01">,
  { method, host, target }: PlainRequest,
): Eventual<Response> | undefined {
  if (!target.startsWith(CHALLENGE_PREFIX)) return undefined;
  if (method !== "GET" && method !== "HEAD") return text(405, "Only GET and HEAD.\n", method);
  const [token = ""] = target.slice(CHALLENGE_PREFIX.length).split(/[?#]/, 1);
  const known = TOKEN.test(token) ? challenges.http01(host, token) : undefined;
  return andThen(known, (authorization) =>
    authorization === undefined
      ? text(404, "There is no such challenge.\n", method)
      : text(200, authorization, method),
  );
}

function text(status: number, body: string, method: string): Response {
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: {
      "content-type": "text/plain",
      "content-length": String(body.length),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(status === 405 ? { allow: ALLOW } : {}),
    },
  });
}
