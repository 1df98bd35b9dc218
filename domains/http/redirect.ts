import type { DomainRoute } from "../ports/certificates.ts";

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
