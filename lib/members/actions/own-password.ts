import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { SignedInMember } from "../../management/model/principal.ts";
import type { MemberContext } from "../context.ts";
import type { Member } from "../model/member.ts";
import { invalidCredentials, noSuchMember } from "../refusals.ts";

/** A member, and the hash that what they typed was found right by. */
export interface ProvenMember {
  readonly member: Member;
  readonly hash: string;
}

/**
 * Whoever asks, if they know their own password. Tries are counted by the member: `invalid_credentials`,
 * `rate_limited`, `unavailable`.
 */
export async function proveOwnPassword(
  { memberStore, attempts, passwords }: MemberContext,
  me: SignedInMember,
  current: string,
): Promise<Result<ProvenMember, Problem>> {
  const member = await memberStore.byId(me.id);
  if (member === undefined) return refused(noSuchMember);
  // Wherever they come from: whoever stole the session may have many addresses.
  const attempt = attempts.begin({ whose: me.id, address: undefined, familiar: true });
  if (!attempt.ok) return attempt;
  const verified = await passwords.verify(member.password, current);
  // Right ones count too: each costs a slow hash or two, and nobody needs many.
  if (!verified.ok) {
    attempt.value.forgive();
    return verified;
  }
  const { password: hash } = member;
  if (hash === undefined || !verified.value) return refused(wrongCurrent);
  return done({ member, hash });
}

export const wrongCurrent: Problem = problem(
  invalidCredentials.code,
  "The current password is wrong.",
);
