import type { Eventual } from "../base/eventual.ts";
import { type Problem, problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { isCrossSite } from "../http/exchange.ts";
import type { Principal, SignedInMember } from "../accounts/principal.ts";

/** The name of a member, a token or a key, and its account. */
export interface ActorName {
  /** May be empty. */
  readonly name: string;
  /** Absent for the operators. */
  readonly accountId?: string | undefined;
}

/** Identifies members by the `Cookie` header of a request. Instants are in milliseconds since the Unix epoch. */
export interface Sessions {
  /** Returns true if a session's cookie was sent, valid or not. */
  carries(cookies: string | null): boolean;
  /**
   * Returns the principal of the session. `invalid_session` when it has ended, is unknown, mistyped, sent twice or in a
   * header that is too long; a wrong checksum causes no storage call. Automatic requests of a page do not count as use:
   * a session that no person uses ends.
   */
  identify(
    cookies: string | null,
    now: number,
    sentBy?: "person" | "page",
  ): Eventual<Result<Principal, Problem>>;
  /** Returns true if the member recently signed in or confirmed their identity in this browser. */
  isPresent(member: SignedInMember, cookies: string | null, now: number): Eventual<boolean>;
  /** Returns the name, or else the email address, of a member; undefined if there is none. Absent: names are not shown. */
  nameOf?(memberId: string): Eventual<ActorName | undefined>;
}

/** Whether a browser may sign in at an address: a session's cookie must not be sent in plain text. */
export type SignIn = "allowed" | "refused";

/** Allows signing in over TLS, a trusted proxy's included, and at names of the machine itself. */
export function signInAt(origin: string): SignIn {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined) return "refused";
  return url.protocol === "https:" || LOOPBACK.test(url.hostname) ? "allowed" : "refused";
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns why a request with a session's cookie, or one that would set it, is refused: another site may have caused it.
 * Sites of projects can be same-site with the dashboard, so `SameSite` does not suffice.
 */
export function faultOfSite(
  request: Pick<Request, "method" | "headers">,
  origin: string,
): Problem | undefined {
  return isCrossSite(request, origin, "forged") ? crossSite : undefined;
}

export const signInNeedsHttps: Problem = problem(
  "https_required",
  "Signing in needs HTTPS, so that passwords and sessions cannot be read in transit. Open the dashboard at an https:// address or, on the machine itself, at localhost; or add the reverse proxy that terminates TLS to trusted-proxies.",
);

const crossSite: Problem = problem(
  "cross_site_request",
  "The request did not come from a page of this service. Send it from the dashboard, or with a management token.",
);
