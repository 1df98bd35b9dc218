import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { accountOperand } from "../fields.ts";
import { withClient } from "../client.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const accountsSuspend = command({
  path: "accounts suspend",
  summary: "Refuse all keys of an account, within a second",
  operands: { account: accountOperand },
  flags: clientFlags,
  examples: ["accounts suspend acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, operands, context }) => {
    const changed = await withClient(flags, context, (client) =>
      client.accounts.suspend(operands.account),
    );
    await writeAccount(context.terminal, must(changed), flags.json);
    return "done";
  },
});
