import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { originOf, signInOf, type Exchange } from "./exchange.ts";
import type { Principal } from "../accounts/principal.ts";
import { faultOfSite } from "./sessions.ts";
import { wantsEvents } from "./wants-events.ts";

/** The credential of a request. */
export interface Credential {
  /** Why it is not accepted from this page. */
  readonly fault: Problem | undefined;
  /** Identifies the caller; called again later, it checks that the credential is still valid. */
  identify(now: number): Eventual<Result<Principal, Problem>>;
}

/** Returns the bearer token, else the cookie of a session. A cookie sent in plain text is ignored. */
export function credentialOf(exchange: Exchange): Credential {
  const { request, stations } = exchange;
  const authorization = request.headers.get("authorization");
  const { sessions, tokens } = stations;
  if (authorization === null && sessions !== undefined && signInOf(exchange) === "allowed") {
    const cookies = request.headers.get("cookie");
    if (sessions.carries(cookies)) {
      const asker = isUnattended(request) ? "page" : "person";
      const identify = (now: number) => sessions.identify(cookies, now, asker);
      return { fault: faultOfSite(request, originOf(exchange)), identify };
    }
  }
  return { fault: undefined, identify: (now) => tokens.identify(authorization, now) };
}

/** True for automatic requests of a page: event streams, which reconnect, and requests marked as such. */
function isUnattended(request: Request): boolean {
  return wantsEvents(request) || request.headers.has("x-petstore-unattended");
}
