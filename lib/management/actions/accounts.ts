import type { LocalClient } from "../../actions/local-client.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Account, Limits, Plan } from "../../model/account.ts";
import { includes, type Principal } from "../../accounts/principal.ts";
import { lacksRole } from "../refusals.ts";

/** Changes what is given; plan and limits by an operator only. Nothing is changed when anything is refused. */
export async function updateAccount(
  { accounts }: LocalClient,
  {
    account,
    principal,
    name,
    plan,
    limits,
  }: {
    readonly account: Account;
    readonly principal: Principal;
    readonly name?: string | undefined;
    readonly plan?: Plan | undefined;
    readonly limits?: Limits | undefined;
  },
): Promise<Result<Account, Problem>> {
  let changed: Result<Account, Problem> = done(account);
  if (plan !== undefined || limits !== undefined) {
    if (!includes(principal.role, "operator")) return refused(lacksRole("operator"));
    changed = await accounts.changePlan({
      accountId: account.id,
      plan: plan ?? account.plan,
      ...(limits === undefined ? {} : { limits }),
    });
  }
  // The name was checked with the body: it is never what is refused after the plan was changed.
  return changed.ok && name !== undefined
    ? accounts.rename({ accountId: account.id, name })
    : changed;
}
