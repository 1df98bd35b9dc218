import { aCount, aFunction, checkOptions } from "../../lib/base/options.ts";
import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import type { ChallengeAnswers, DomainRoute } from "../ports/certificates.ts";
import { PROBE_PREFIX, type Handling, type Presence } from "../outside/presence.ts";
import { areaAt } from "../../lib/publishing/index.ts";

/** A request over plain HTTP. */
export interface PlainRequest {
  readonly method: string;
  /** The host in lower case, without port and trailing dot. */
  readonly host: string;
  /** Path and query, unchanged. */
  readonly target: string;
}

const CHALLENGE_PREFIX = "/.well-known/acme-challenge/";

/** RFC 8555 §8.3 requires 128 random bits, at least 22 characters. */
const TOKEN = /^[\w-]{1,128}$/;
const ALLOW = "GET, HEAD";

/**
 * Answers an http-01 challenge (RFC 8555 §8.3); undefined for another request. Must be called before anything that
 * redirects or rejects requests. A token is valid only for its host. Rejects if the store is unavailable.
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
 * Answers this service's own check from outside; undefined for another request. Call it before redirects, over plain
 * HTTP and TLS. `manner` returns how another request that arrived in the same way would be handled.
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

/** How a request without TLS is handled. */
export type OverPlainHttp =
  /** Served like over TLS. */
  | { readonly kind: "serve" }
  /** `https_required`, without checking the key: it was sent unencrypted. */
  | { readonly kind: "refuse" }
  /** A redirect to the same address over HTTPS. */
  | { readonly kind: "redirect"; readonly location: string };

/** Options of a listener that leads to HTTPS. */
export interface HttpsOnlyOptions {
  /** Whether a TLS handshake for the host would succeed. Must not query the store. */
  readonly hasCertificate: (host: string) => boolean;
  /** The port in addresses; 443 is omitted. */
  readonly publicHttpsPort: number;
}

const SERVE: OverPlainHttp = { kind: "serve" };
const REFUSE: OverPlainHttp = { kind: "refuse" };
const HTTPS_PORT = 443;

/**
 * Decides how requests over plain HTTP are handled. Not for requests for which a trusted proxy terminated TLS.
 * Redirects name only hosts with a certificate, never an arbitrary Host header. Throws a `TypeError` for invalid
 * options.
 */
export function httpsOnly(options: HttpsOnlyOptions): (request: PlainRequest) => OverPlainHttp {
  checkOptions("httpsOnly", options, { hasCertificate: aFunction, publicHttpsPort: aCount(1) });
  const { hasCertificate, publicHttpsPort } = options;
  const port = publicHttpsPort === HTTPS_PORT ? "" : `:${publicHttpsPort}`;
  return ({ host, target }) => {
    const area = areaAt(target);
    if (area === "state" || !hasCertificate(host)) return SERVE;
    if (area === "api" || area === "management") return REFUSE;
    return { kind: "redirect", location: `https://${host}${port}${target}` };
  };
}

/**
 * Redirects a visitor. Browsers must revalidate it (`no-cache`), so that they notice when the owner changes or removes
 * the redirect.
 */
export function redirectTo(location: string, status: 301 | 302 | 307 | 308): Response {
  return new Response(null, {
    status,
    headers: { location, "cache-control": "no-cache", "content-length": "0" },
  });
}

/** Answers for a domain that redirects to another one. `target` is the unchanged path and query. */
export function redirectRoute(
  { to, status }: Extract<DomainRoute, { readonly kind: "redirect" }>,
  target: string,
): Response {
  return redirectTo(`${to}${target.startsWith("/") ? target : "/"}`, status);
}

/** Returns the `Strict-Transport-Security` of a host (RFC 6797 §6.1); undefined if off. Send it only over HTTPS (§7.2). */
export function strictTransport({
  hstsSeconds,
}: Pick<DomainRoute, "hstsSeconds">): string | undefined {
  // Without includeSubDomains: subdomains may have other owners.
  return hstsSeconds > 0 ? `max-age=${hstsSeconds}` : undefined;
}
