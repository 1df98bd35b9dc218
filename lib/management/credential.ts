import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { originOf, signInOf, type Exchange } from "./exchange.ts";
import type { Principal } from "../accounts/principal.ts";
import { faultOfSite } from "./sessions.ts";
import { wantsEvents } from "./wants-events.ts";

/** What a request proves its caller by. */
export interface Credential {
  /** Why it is not even looked at. */
  readonly fault: Problem | undefined;
  /** Who calls; asked again at a later `now` it tells whether they still may. */
  identify(now: number): Eventual<Result<Principal, Problem>>;
}

/** The bearer token, else the cookie of a session. A cookie that could be read on the way counts for nothing. */
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

/** What nobody asked for but the page: streams, which come back by themselves, and what says so. */
function isUnattended(request: Request): boolean {
  return wantsEvents(request) || request.headers.has("x-petstore-unattended");
}
