import { type Problem, problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MemberContext } from "../context.ts";
import type { Member } from "../model/member.ts";
import { faultOfPassword, passwordFaults } from "../model/password-rule.ts";
import { ENOUGH_TRIES, triesFor } from "../model/tries.ts";
import { leakedPassword } from "../refusals.ts";

/** What a password must not be made of: whose it is, of which shelter, and where it is for. */
export async function namesAround(
  { store }: Pick<MemberContext, "store">,
  { email, name, accountId }: Pick<Member, "email" | "name" | "accountId">,
  origin: string,
): Promise<readonly string[]> {
  const account = accountId === undefined ? undefined : await store.accounts.byId(accountId);
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return [email, name, account?.name ?? "", host];
}

/** The hash of a password that a member may have. `weak_password`, `leaked_password`, `unavailable`. */
export async function hashNew(
  { passwords, leaked }: Pick<MemberContext, "passwords" | "leaked">,
  password: string,
  names: readonly string[],
): Promise<Result<string, Problem>> {
  const fault = faultOfPassword(password, names);
  if (fault !== undefined) return refused(problem("weak_password", passwordFaults[fault]));
  const ranks = await leaked?.ranks();
  if (ranks !== undefined && triesFor(password, { ranks, names }) < ENOUGH_TRIES) {
    return refused(leakedPassword);
  }
  const hashed = await passwords.hash(password);
  return hashed.ok ? done(hashed.value) : hashed;
}
