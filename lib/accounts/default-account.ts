import { problem, type Problem } from "../base/problem.ts";
import { planLimits, type Account } from "../model/account.ts";
import type { ActionContext } from "./context.ts";

export const noSuchAccount: Problem = problem("not_found", "There is no such account.");

/** The account of an embedder that has no accounts of its own. */
export const DEFAULT_ACCOUNT_ID = "acc_default";

/** Returns the default account. Creates it on first use, with the limits of the Business plan. */
export async function defaultAccount({
  store,
  commit,
  clock,
}: Pick<ActionContext, "store" | "commit" | "clock">): Promise<Account> {
  for (;;) {
    const found = await store.accounts.byId(DEFAULT_ACCOUNT_ID);
    if (found !== undefined) return found;
    const account: Account = {
      id: DEFAULT_ACCOUNT_ID,
      name: "Default",
      plan: "business",
      limits: planLimits.business,
      createdAt: clock.now(),
    };
    // Refused if another process has created it in the meantime; the loop then reads it.
    await commit([{ kind: "account.create", account }]);
  }
}
