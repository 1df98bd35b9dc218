import type { ManagementClient, MemberView } from "../lib/management/index.ts";
import type { Operand } from "./command.ts";
import { Failure, must } from "../settings/failure.ts";
import { optional } from "./flag.ts";
import { text } from "../settings/values.ts";

/** Whose members are meant. */
export const accountOfMembers = optional({
  name: "account",
  placeholder: "ACCOUNT",
  help: "Id of the account. Default: the operators, who belong to none.",
  parse: text,
});

/** Where to look for somebody: who may see all accounts need not say. */
export const accountOfMember = optional({
  name: "account",
  placeholder: "ACCOUNT",
  help: "Id of the account that they belong to. Operators can leave it out.",
  parse: text,
});

export const emailOperand: Operand = {
  placeholder: "EMAIL",
  help: "What they sign in with.",
};

/** The member with that e-mail address, in the account or anywhere. */
export async function memberNamed(
  { members }: Pick<ManagementClient, "members">,
  email: string,
  accountId: string | undefined,
): Promise<MemberView> {
  const wanted = email.trim().toLowerCase();
  const found =
    accountId === undefined
      ? must(await members.find(wanted))
      : must(await members.list(accountId)).find((one) => one.email === wanted);
  if (found !== undefined) return found;
  const where = accountId === undefined ? "" : ` in ${accountId}`;
  throw new Failure("notFound", `There is nobody with the e-mail address ${email}${where}.`);
}
