import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { accountOperand } from "../fields.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const accountsRename = command({
  path: "accounts rename",
  summary: "Give an account another name",
  operands: {
    account: accountOperand,
    name: { placeholder: "NAME", help: "Of the shelter, 1 to 120 characters." },
  },
  flags: clientFlags,
  examples: ['accounts rename acc_7Gk2mQ9xYt4B "Happier Tails"'],
  run: async ({ flags, operands, context }) => {
    const input = { accountId: operands.account, name: operands.name };
    const changed = await withClient(flags, context, (client) => client.accounts.rename(input));
    await writeAccount(context.terminal, must(changed), flags.json);
    return "done";
  },
});
