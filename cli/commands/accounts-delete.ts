import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { accountOperand } from "../fields.ts";
import { withClient } from "../client.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const accountsDelete = command({
  path: "accounts delete",
  summary: "Remove an account with its keys, animals and orders",
  details: "It cannot be undone. `accounts suspend` stops an account and keeps what it has.",
  operands: { account: accountOperand },
  flags: { yes: yesFlag, ...clientFlags },
  examples: ["accounts delete acc_7Gk2mQ9xYt4B", "accounts delete acc_7Gk2mQ9xYt4B --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const id = operands.account;
    await withClient(flags, context, async (client) => {
      const { name } = must(await client.accounts.byId(id));
      const question = `Remove the account ${name} (${id}) with everything it has?`;
      await confirm(terminal, question, flags.yes);
      must(await client.accounts.delete(id));
    });
    if (flags.json) await writeJson(terminal, { id, deleted: true });
    else terminal.err(`Removed ${id}.\n`);
    return "done";
  },
});
