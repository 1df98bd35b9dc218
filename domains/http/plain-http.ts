import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import type { ChallengeAnswers, DomainRoute } from "../ports/certificates.ts";
import { PROBE_PREFIX, type Handling, type Presence } from "../outside/presence.ts";
import { areaAt } from "../../lib/publishing/index.ts";

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

/** 32 bytes. */
const PROBE_TOKEN = /^[\w-]{43}$/;

/**
 * Answers our own look from outside; undefined when something else is asked for. Goes before redirects, as challenges
 * do, over plain HTTP and over TLS; `manner` is what would become of another request that came like this one.
 */
export function answerProbe(
  presence: Pick<Presence, "answer">,
  { method, host, target }: PlainRequest,
  manner: () => Handling,
): Response | undefined {
  if (!target.startsWith(PROBE_PREFIX)) return undefined;
  const [token = ""] = target.slice(PROBE_PREFIX.length).split(/[?#]/, 1);
  const able = method === "GET" && PROBE_TOKEN.test(token);
  const answer = able ? presence.answer(host, token, manner()) : undefined;
  return new Response(answer ?? "There is nothing here.\n", {
    status: answer === undefined ? 404 : 200,
    headers: {
      "content-type": "text/plain",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** What becomes of a request that did not come over TLS. */
export type OverPlainHttp =
  /** Answered as if there were no TLS. */
  | { readonly kind: "serve" }
  /** `https_required`, before the key is looked at: a key that came this way was seen by others. */
  | { readonly kind: "refuse" }
  /** The same address over HTTPS. */
  | { readonly kind: "redirect"; readonly location: string };

export interface HttpsOnlyOptions {
  /** Whether a handshake for the host would go well. Never a query. */
  readonly hasCertificate: (host: string) => boolean;
  /** What visitors see; 443 is not written. */
  readonly publicHttpsPort: number;
}

const SERVE: OverPlainHttp = { kind: "serve" };
const REFUSE: OverPlainHttp = { kind: "refuse" };
const HTTPS_PORT = 443;

/**
 * Decides on requests over plain HTTP. Where TLS was ended by a proxy that is trusted, this is not to be asked. Only a
 * host with a certificate is ever named in an address: what strangers call us is not repeated to them.
 */
export function httpsOnly({
  hasCertificate,
  publicHttpsPort,
}: HttpsOnlyOptions): (request: PlainRequest) => OverPlainHttp {
  const port = publicHttpsPort === HTTPS_PORT ? "" : `:${publicHttpsPort}`;
  return ({ host, target }) => {
    const area = areaAt(target);
    if (area === "state" || !hasCertificate(host)) return SERVE;
    if (area === "api" || area === "management") return REFUSE;
    return { kind: "redirect", location: `https://${host}${port}${target}` };
  };
}

/**
 * Sends the visitor on, with path and query. Not to be kept without asking again: a redirect that its owner
 * changes, or takes back, must not go on in browsers.
 */
export function redirectTo(location: string, status: 301 | 302 | 307 | 308): Response {
  return new Response(null, {
    status,
    headers: { location, "cache-control": "no-cache", "content-length": "0" },
  });
}

/** The answer of a domain that leads to another one. `target` is path and query, as they came. */
export function redirectRoute(
  { to, status }: Extract<DomainRoute, { readonly kind: "redirect" }>,
  target: string,
): Response {
  return redirectTo(`${to}${target.startsWith("/") ? target : "/"}`, status);
}

/** `Strict-Transport-Security` of a host (RFC 6797 §6.1); undefined when it is off. Only to be sent over HTTPS (§7.2). */
export function strictTransport({
  hstsSeconds,
}: Pick<DomainRoute, "hstsSeconds">): string | undefined {
  // Of subdomains the owner of this one may know nothing.
  return hstsSeconds > 0 ? `max-age=${hstsSeconds}` : undefined;
}
