import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { Reply, type AnonymousCall, type ManagementCall } from "../../management/endpoint.ts";
import { viewOfCaller, type MeView } from "../../management/model/principal.ts";
import type { SignedInMember } from "../../management/model/principal.ts";
import { secret } from "../../management/routes/setup.ts";
import { SECOND_MS } from "../../base/clock.ts";
import type { Browser, SignedIn } from "../actions/sign-in.ts";
import { setCookie } from "../cookie.ts";
import { SESSION_MS } from "../model/member.ts";
import { sessionRequired } from "../refusals.ts";

/** The browser that a request came from. */
export function browserOf({
  request,
  visitor,
}: Pick<AnonymousCall, "request" | "visitor">): Browser {
  return { visitor, userAgent: request.headers.get("user-agent") };
}

/** Who signed in; a token or the host itself is nobody. */
export function memberOf({
  principal: { member },
}: Pick<ManagementCall, "principal">): Result<SignedInMember, Problem> {
  return member === undefined ? refused(sessionRequired) : done(member);
}

/** The headers that give a browser its session. */
export function cookieOf({ token }: SignedIn): Readonly<Record<string, string>> {
  return { ...secret, "set-cookie": setCookie(token, SESSION_MS / SECOND_MS) };
}

/** The reply to a client that has signed in. */
export function welcome(signedIn: Result<SignedIn, Problem>): Result<Reply<MeView>, Problem> {
  if (!signedIn.ok) return signedIn;
  const { value } = signedIn;
  return done(new Reply(viewOfCaller(value.principal), { headers: cookieOf(value) }));
}
