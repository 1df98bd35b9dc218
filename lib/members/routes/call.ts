import { SECOND_MS } from "../../base/clock.ts";
import type { Eventual } from "../../base/eventual.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { Reply } from "../../http/endpoint.ts";
import { noStore, type AnonymousCall, type ManagementCall } from "../../management/endpoint.ts";
import { viewOfCaller, type Principal, type SignedInMember } from "../../accounts/principal.ts";
import type { Invitation } from "../actions/members.ts";
import type { Browser, SignedIn } from "../actions/sign-in.ts";
import { setCookie } from "../cookie.ts";
import { SESSION_MS } from "../model/member.ts";
import { sessionRequired } from "../refusals.ts";
import { shownName } from "../session-ring.ts";

/** Runs an operation of a signed-in member. Tokens and the host are refused with `session_required`. */
export function asMember<Value>(
  { member }: Principal,
  run: (me: SignedInMember) => Eventual<Result<Value, Problem>>,
): Eventual<Result<Value, Problem>> {
  return member === undefined ? refused(sessionRequired) : run(member);
}

/** Returns the browser that sent a request. */
export function browserOf({
  request,
  visitor,
}: Pick<AnonymousCall, "request" | "visitor">): Browser {
  const { headers } = request;
  return { visitor, userAgent: headers.get("user-agent"), cookies: headers.get("cookie") };
}

/** Returns the language that a request names, in its body or else first in `Accept-Language`; `en` if it names none. */
export function languageOf(request: Request, given: string | undefined): string {
  if (given !== undefined) return given;
  return (
    /^[A-Za-z]{2,8}(?=[-,;\s]|$)/.exec(request.headers.get("accept-language") ?? "")?.[0] ?? "en"
  );
}

/** Returns the mail with which the caller invites a member: in the language that the caller chose, unless another is given. */
export function invitationOf(
  { request, principal }: Pick<ManagementCall, "request" | "principal">,
  { account, language }: { readonly account?: string; readonly language?: string | undefined },
): Invitation {
  const { member } = principal;
  const inviter = member === undefined ? undefined : shownName(member);
  return { account, inviter, language: languageOf(request, language ?? member?.language) };
}

export function reply<Value>(
  value: Value,
  headers: Readonly<Record<string, string>>,
  cookie?: string,
): Result<Reply<Value>, never> {
  return done(new Reply(value, { headers, cookie }));
}

/** Returns the reply with a secret, which no cache may store. */
export function secretly<Value>(result: Result<Value, Problem>): Result<Reply<Value>, Problem> {
  return result.ok ? reply(result.value, noStore) : result;
}

/** Returns the reply that gives a browser its session. */
export function openingReply<Value>(value: Value, { token, device }: SignedIn) {
  const cookie = setCookie(token, SESSION_MS / SECOND_MS);
  return reply(value, { ...noStore, "set-cookie": cookie }, device);
}

/** Returns the reply to a browser that has signed in. */
export function welcome(signedIn: Result<SignedIn, Problem>) {
  if (!signedIn.ok) return signedIn;
  return openingReply(viewOfCaller(signedIn.value.principal), signedIn.value);
}
