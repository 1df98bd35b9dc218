import { type Problem, problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MemberContext } from "../context.ts";
import type { Member } from "../model/member.ts";
import { faultOfPassword, passwordFaults } from "../model/password-rule.ts";

/** What a password must not be made of: whose it is, and where it is for. */
export function namesAround(
  { email, name }: Pick<Member, "email" | "name">,
  origin: string,
): readonly string[] {
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return [email, name, host];
}

/** The hash of a password that a member may have. `weak_password`, `unavailable`. */
export async function hashNew(
  { passwords }: Pick<MemberContext, "passwords">,
  password: string,
  names: readonly string[],
): Promise<Result<string, Problem>> {
  const fault = faultOfPassword(password, names);
  if (fault !== undefined) return refused(problem("weak_password", passwordFaults[fault]));
  const hashed = await passwords.hash(password);
  return hashed.ok ? done(hashed.value) : hashed;
}
