import { randomBase62, type Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { noSuchAccount } from "../../actions/accounts.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import type { MemberRefusal } from "../member-store.ts";
import type { Role } from "../../management/model/principal.ts";
import { faultOfEmail, normalEmail } from "../model/email.ts";
import type { Member } from "../model/member.ts";
import { lastOperator, memberExists, noSuchMember, tooManyMembers } from "../refusals.ts";

export interface NewMember {
  readonly email: string;
  readonly name?: string | undefined;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string | undefined;
}

/** A member who has no password yet. */
export function newMember(
  random: Random,
  { email, name = "", role, accountId }: NewMember,
  now: number,
): Member {
  return {
    id: `mem_${randomBase62(random, 12)}`,
    email: normalEmail(email),
    name: normalText(name),
    role,
    ...(accountId === undefined ? {} : { accountId }),
    createdAt: now,
  };
}

/** Why nobody can be called that; undefined when somebody can. */
export function faultOfMember({
  email,
  name = "",
}: Partial<Pick<NewMember, "email" | "name">>): Problem | undefined {
  const mistyped = email === undefined ? undefined : faultOfEmail(email);
  if (mistyped !== undefined) return problem("invalid_value", `The e-mail address ${mistyped}.`);
  const misnamed = name === "" ? undefined : faultOfName(name, 120);
  return misnamed === undefined ? undefined : problem("invalid_value", `The name ${misnamed}.`);
}

/** What a refused commit of a new member says. */
export function refusalOfCreation(refusal: MemberRefusal): Problem {
  if (refusal === "exists") return memberExists;
  return refusal === "limit" ? tooManyMembers : noSuchAccount;
}

/** What a refused commit to a member says. */
export function refusalOfChange(refusal: MemberRefusal): Problem {
  return refusal === "last" ? lastOperator : noSuchMember;
}
