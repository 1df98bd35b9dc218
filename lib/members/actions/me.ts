import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Principal, SignedInMember } from "../../management/model/principal.ts";
import { normalText } from "../../model/text.ts";
import type { MemberContext } from "../context.ts";
import { principalOf } from "../session-ring.ts";
import { noSuchMember } from "../refusals.ts";
import { faultOfMember, refusalOfChange } from "./create-member.ts";
import { openSession, type Browser, type SignedIn } from "./open-session.ts";
import { proveOwnPassword, wrongCurrent } from "./own-password.ts";
import { hashNew, namesAround } from "./set-password.ts";

/** Renames whoever asks. The empty text takes the name away. */
export async function renameMe(
  { memberStore, clock, forget }: MemberContext,
  me: SignedInMember,
  name: string,
): Promise<Result<Principal, Problem>> {
  const fault = faultOfMember({ name });
  if (fault !== undefined) return refused(fault);
  const committed = await memberStore.commit([
    { kind: "member.update", memberId: me.id, name: normalText(name), at: clock.now() },
  ]);
  if (!committed.ok) return refused(refusalOfChange(committed.failure));
  forget(me.id);
  const member = await memberStore.byId(me.id);
  if (member === undefined) return refused(noSuchMember);
  return done(principalOf(member, { id: me.sessionId }));
}

/**
 * Changes the password of whoever asks and knows the old one. All their sessions end; this browser gets another one.
 * Passkeys stay.
 * `invalid_credentials`, `rate_limited`, `weak_password`, `leaked_password`, `unavailable`.
 */
export async function changePassword(
  context: MemberContext,
  me: SignedInMember,
  {
    current,
    password,
    browser,
  }: { readonly current: string; readonly password: string; readonly browser: Browser },
): Promise<Result<SignedIn, Problem>> {
  const proven = await proveOwnPassword(context, me, current);
  if (!proven.ok) return proven;
  const { member, hash: before } = proven.value;
  const names = await namesAround(context, member, browser.visitor.origin);
  const hashed = await hashNew(context, password, names);
  if (!hashed.ok) return hashed;
  const change = { kind: "member.password", memberId: me.id, password: hashed.value } as const;
  const opened = await openSession(context, {
    member,
    browser,
    before: [{ ...change, before, at: context.clock.now() }],
  });
  // Another password since it was found right: whoever chose that one by a link must not lose it again.
  return opened.ok ? opened : refused(wrongCurrent);
}
