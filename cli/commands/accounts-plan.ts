import { plans } from "../../lib/index.ts";
import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { Failure, must } from "../../settings/failure.ts";
import { accountOperand, limitFlags, limitsGiven } from "../fields.ts";
import { withClient } from "../client.ts";
import { clientFlags } from "../serve-flags.ts";
import { oneOf } from "../../settings/values.ts";

export const accountsPlan = command({
  path: "accounts plan",
  summary: "Put an account on another plan, within a second",
  operands: {
    account: accountOperand,
    plan: { placeholder: "PLAN", help: `${plans.join(", ")}.` },
  },
  flags: { ...limitFlags, ...clientFlags },
  examples: [
    "accounts plan acc_7Gk2mQ9xYt4B pro",
    "accounts plan acc_7Gk2mQ9xYt4B enterprise --per-minute 5000 --per-day 1000000",
  ],
  run: async ({ flags, operands, context }) => {
    const plan = oneOf(plans)(operands.plan);
    if (!plan.ok) throw new Failure("usage", `PLAN ${plan.failure}`);
    const input = {
      accountId: operands.account,
      plan: plan.value,
      ...limitsGiven(plan.value, flags),
    };
    const changed = await withClient(flags, context, (client) => client.accounts.changePlan(input));
    await writeAccount(context.terminal, must(changed), flags.json);
    return "done";
  },
});
