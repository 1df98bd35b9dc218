import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { accountOperand } from "../fields.ts";
import { withClient } from "../client.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const accountsResume = command({
  path: "accounts resume",
  summary: "Let the keys of a suspended account work again",
  operands: { account: accountOperand },
  flags: clientFlags,
  examples: ["accounts resume acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, operands, context }) => {
    const changed = await withClient(flags, context, (client) =>
      client.accounts.resume(operands.account),
    );
    await writeAccount(context.terminal, must(changed), flags.json);
    return "done";
  },
});
